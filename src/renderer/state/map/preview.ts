import type { Api } from '../../../shared/ipc/contract'
import { entryTimeMs } from '../../../shared/model/basics/time'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import {
  type EntryId,
  type Role,
  shownText,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import { isSameEverywhere } from '../../../shared/model/conversation/entry-labels'
import { messageTrait } from '../../../shared/model/family/message-traits'
import { messagesOf } from '../../../shared/model/map/fact-sums'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import type { PaintedHit } from '../../../shared/model/map/painted-hits'

/** The first lines of what was said in a node. */
export interface Preview {
  readonly who: Role | undefined
  /** The model that said it. */
  readonly model: string | undefined
  /** Unix ms. */
  readonly ms: number | undefined
  readonly text: string
}

/** Characters of a preview: the card shows some lines of them. */
const mostCharacters = 600

/** Place of an entry: a conversation, and the id that the entry has in it. */
export interface EntryPlace {
  readonly key: LibraryKey
  readonly entry: EntryId
}

/** Returns where a node begins: in the shown conversation where its file holds the node, else in the oldest that does. */
export function nodePlace(map: FamilyMap, key: LibraryKey, node: string): EntryPlace | undefined {
  const here = map.path.find((part) => part.node === node)
  if (here !== undefined) return { key, entry: here.firstEntry }
  const found = map.nodes.find(({ id }) => id === node)
  return found && { key: libraryKeyOf(found.source, found.key), entry: found.fromEntry }
}

/** Returns where a hit is opened: in the shown conversation where its file has the same entry, else where it was found. */
export function hitPlace(
  map: FamilyMap,
  key: LibraryKey,
  { node, key: holder, entry }: PaintedHit,
): EntryPlace {
  const id = map.nodes[node]?.id
  const isHere = isSameEverywhere(holder, entry) && map.path.some((part) => part.node === id)
  return { key: isHere ? key : holder, entry }
}

/** Loads the first lines of a node: a person's first message, else the first of anybody. Undefined where nobody can read them. */
export async function loadPreview(
  api: Pick<Api, 'transcript'>,
  map: FamilyMap,
  node: string,
): Promise<Preview | undefined> {
  const position = map.nodes.findIndex(({ id }) => id === node)
  const owner = map.nodes[position]
  if (owner === undefined) return undefined
  const key = libraryKeyOf(owner.source, owner.key)
  const entry = firstSpoken(map, position) ?? owner.fromEntry
  try {
    const place = await api.transcript.locate({ key, entry })
    if (place === null) return undefined
    const { rows } = await api.transcript.page({ key, from: { around: place }, limit: 4 })
    const row = rows.find((one) => one.type === 'entry' && one.entry.id === entry)
    if (row?.type !== 'entry') return undefined
    const { timestamp, metadata } = row.entry
    return {
      who: speakerOf(row.entry),
      model: typeof metadata?.model === 'string' ? metadata.model : undefined,
      ms: entryTimeMs(timestamp),
      text: shownText(row.entry).slice(0, mostCharacters).trim(),
    }
  } catch {
    return undefined
  }
}

function firstSpoken({ facts }: FamilyMap, node: number): EntryId | undefined {
  const { from, to } = messagesOf(facts, node)
  const first = (trait: number) => {
    for (let at = from; at < to; at++)
      if (((facts.traits[at] ?? 0) & trait) !== 0) return facts.ids[facts.entries[at] ?? -1]
    return undefined
  }
  return first(messageTrait.human) ?? first(messageTrait.machine)
}
