import path from 'node:path'
import { openFamilies } from '../../main/library/families'
import { skeinFolder } from '../../main/settings/user-folders'
import { parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { Distinction } from '../../shared/model/family/branching'
import type { CommandContext } from '../command/command'
import { cacheFolder } from '../homes/named-homes'

/** Family of a conversation: its oldest one, how many there are, and what tells this one from the others. */
export interface ListedFamily extends Omit<Distinction, 'key'> {
  /** `source:key`. */
  readonly oldest: string
  readonly conversations: number
}

/**
 * Finds the families of conversations under the roots that the command line names; reads what changed since the last time.
 * By `source:key`; conversations without relatives are absent.
 */
export async function listFamilies({
  args,
  disk,
  environment,
  signal,
}: Pick<CommandContext, 'args' | 'disk' | 'environment' | 'signal'>): Promise<
  ReadonlyMap<string, ListedFamily>
> {
  const [first, ...others] = args.roots.filter(({ source }) => source === 'chibi')
  const foreign = args.roots.filter(({ source }) => source !== 'chibi')
  const found = new Map<string, ListedFamily>()
  // The first home and all other systems are one, as in the window; further homes are each their own.
  const cache = cacheFolder(args, environment)
  const places = [
    // Where no home is named, one that is not there.
    { home: first?.path ?? path.join(cache, 'no-home'), roots: foreign },
    ...others.map((home) => ({ home: home.path, roots: [] })),
  ]
  for (const place of places) {
    const families = openFamilies({
      disk,
      ...place,
      cacheFolder: cache,
      userFolder: skeinFolder(environment),
      changed: () => undefined,
    })
    const stop = () => void families.close()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await families.settled()
      signal.throwIfAborted()
      for (const [member] of (await families.groups()).families) {
        const told = member === undefined ? [] : await families.distinctions(member)
        const names = told.map(({ key }) => nameOf(key))
        for (const [at, { key: _, ...distinction }] of told.entries())
          found.set(names[at] ?? '', {
            ...distinction,
            oldest: names[0] ?? '',
            conversations: told.length,
          })
      }
    } finally {
      signal.removeEventListener('abort', stop)
      await families.close()
    }
  }
  return found
}

function nameOf(libraryKey: string): string {
  const { source, key } = parseLibraryKey(libraryKey)
  return `${source}:${key}`
}
