import { libraryKeyOf } from '../../../shared/model/conversation/conversation'
import { blockingKeys } from '../../../shared/model/family/blocking-keys'
import { mergeTree } from '../../../shared/model/family/merge'
import type { Outline } from '../../../shared/model/family/outline'
import type { SearchableConversation, SearchFile } from '../../../shared/model/search'
import type { Disk } from '../../disk/interface/disk'
import type { SourceFile } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import type { ConversationUnit } from '../scan/conversation-units'
import { isDocumentDecoder } from '../sources/search-decoders'
import { outlineUnit } from './outline-unit'

/** An entry that was found, by the id that its own file gives it. */
interface FoundEntry {
  readonly match: { readonly entryId: string }
  readonly range: { readonly conversation: SearchableConversation }
}

/** Messages of which outlines are held: some 50 MB. */
const mostMessages = 300_000
/** Pairs of conversations of which it is held what they share. */
const mostPairs = 500

/**
 * Creates a duplicate finder that uses the families of conversations: the same rules that draw branches, whatever was
 * added before a copy or cut from it. Reads each conversation once, as it is now; one that cannot be read has no
 * copies.
 */
export function familyDuplicates(disk: Disk): {
  signs(found: FoundEntry): Promise<readonly string[]>
  isSame(a: FoundEntry, b: FoundEntry): Promise<boolean>
} {
  const outlines = new Map<string, Promise<Indexed | undefined>>()
  let messages = 0
  const signs = new Map<string, readonly string[]>()
  const pairs = new Map<string, Shared>()

  function outlineOf(conversation: SearchableConversation): Promise<Indexed | undefined> {
    const name = nameOf(conversation)
    const known = outlines.get(name) ?? read(conversation)
    outlines.set(name, known)
    return known
  }

  async function read(conversation: SearchableConversation): Promise<Indexed | undefined> {
    const unit = unitOf(conversation)
    const { signal } = new AbortController()
    const outline =
      unit === undefined ? undefined : await outlineUnit(unit, disk, signal).catch(() => undefined)
    if (outline === undefined) return undefined
    messages += outline.marks.length
    if (messages > mostMessages) {
      outlines.clear()
      messages = outline.marks.length
    }
    return indexed(outline)
  }

  function sharedBy(
    a: SearchableConversation,
    b: SearchableConversation,
    pair: readonly Indexed[],
  ) {
    const name = `${nameOf(a)}\n${nameOf(b)}`
    const known = pairs.get(name)
    if (known !== undefined) return known
    if (pairs.size >= mostPairs) pairs.clear()
    const tree = mergeTree(pair.map(({ outline }) => outline))
    const shared = pair.map(({ outline }) => tree.places[tree.outlines.indexOf(outline)])
    pairs.set(name, shared)
    return shared
  }

  return {
    async signs({ range }) {
      const name = nameOf(range.conversation)
      const known = signs.get(name) ?? (await outlineOf(range.conversation))?.signs ?? []
      signs.set(name, known)
      return known
    },
    async isSame(a, b) {
      const [one, other] = [a.range.conversation, b.range.conversation]
      const mine = await outlineOf(one)
      const theirs = await outlineOf(other)
      if (mine === undefined || theirs === undefined) return false
      const here = mine.placeOf(a.match.entryId)
      const there = theirs.placeOf(b.match.entryId)
      if (here === undefined || there === undefined || here.part !== there.part) return false
      const [left, right] = sharedBy(one, other, [mine, theirs])
      const place = left?.[here.message] ?? -1
      return place !== -1 && place === right?.[there.message]
    },
  }
}

/** The places of two conversations' messages in the tree of both. */
type Shared = readonly (Int32Array | undefined)[]

interface Indexed {
  readonly outline: Outline
  readonly signs: readonly string[]
  /** The message that an entry belongs to, and which part of it the entry is. */
  placeOf(entryId: string): { readonly message: number; readonly part: number } | undefined
}

function indexed(outline: Outline): Indexed {
  const places = new Map<string, { message: number; part: number }>()
  for (let message = 0; message < outline.marks.length; message++) {
    const start = outline.starts[message] ?? 0
    const end = outline.starts[message + 1] ?? outline.ids.length
    for (let at = start; at < end; at++)
      places.set(outline.ids[at] ?? '', { message, part: at - start })
  }
  return { outline, signs: blockingKeys(outline), placeOf: (entryId) => places.get(entryId) }
}

/** Another one whenever the conversation changed. */
function nameOf({ source, key, files }: SearchableConversation): string {
  const facts = files.map(({ path, identity, sizeBytes, mtimeMs }) => [
    path,
    identity,
    sizeBytes,
    mtimeMs,
  ])
  return JSON.stringify([source, key, facts])
}

function unitOf(conversation: SearchableConversation): ConversationUnit | undefined {
  const { source, key, files } = conversation
  const reader = readers.find(({ id }) => id === source)
  const last = files.at(-1)
  if (reader === undefined || last === undefined) return undefined
  // Places are relative to the root, with separators of one character each.
  const root = last.path.slice(0, -last.place.length - 1)
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sourceFiles = source === 'chibi' ? [] : files.map(sourceFile)
  const ref = { source, root, key, files: sourceFiles, bytes, updatedAtMs: last.mtimeMs }
  return { key: libraryKeyOf(source, key), reader, ref, stamp: '' }
}

function sourceFile(found: SearchFile): SourceFile {
  const { place, sizeBytes, mtimeMs, identity, part, decoder, idSuffix, lineKey } = found
  return {
    file: place,
    bytes: sizeBytes,
    mtimeMs,
    identity,
    ...(isDocumentDecoder(decoder) ? { isDocument: true as const } : {}),
    ...(part === undefined ? {} : { part }),
    ...(idSuffix === undefined ? {} : { idSuffix }),
    ...(lineKey === undefined ? {} : { lineKey }),
  }
}
