import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { EntryId } from '../../shared/model/conversation/entry'
import type { FamilyView } from '../../shared/model/family/branching'
import { sleep } from '../async/sleep'
import type { Families } from '../library/families'

/** Longest wait until all conversations were read, in ms; without it a branch looks like a whole conversation. */
const waitMs = 10_000

/**
 * Finds where a conversation of a family goes its own way: the first entry that only it has. Resolves to undefined for the
 * oldest of the family, whose beginning all others repeat, and for one without a family, or with none read in time.
 */
export async function branchBeginningOf(
  families: Pick<Families, 'family' | 'settled'>,
  key: LibraryKey,
): Promise<EntryId | undefined> {
  const now = await families.family(key)
  if (!now.counting) return beginningIn(now.view, key)
  const timer = new AbortController()
  await Promise.race([families.settled(), sleep(waitMs, timer.signal)])
  timer.abort()
  return beginningIn((await families.family(key)).view, key)
}

function beginningIn(view: FamilyView | null, key: LibraryKey): EntryId | undefined {
  if (view === null) return undefined
  const nodes = new Map(view.family.nodes.map((node) => [node.id, node]))
  const owners = view.path.map(({ node, firstEntry }) => {
    const { source = '', key: own = '' } = nodes.get(node) ?? {}
    return { isOwn: own !== '' && libraryKeyOf(source, own) === key, firstEntry }
  })
  if (owners[0]?.isOwn !== false) return undefined
  return owners.find(({ isOwn }) => isOwn)?.firstEntry
}
