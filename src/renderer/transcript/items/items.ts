import { assertNever } from '../../../shared/model/basics/errors'
import type { Entry, EntryId, LineSpan } from '../../../shared/model/conversation/entry'
import type { DamagedLine } from '../../../shared/model/conversation/transcript'
import { bytesFromBase64 } from '../../ui/format/bytes'
import { runFailureOf } from '../entries/metadata'
import { emojiText, reactionOf } from '../entries/reactions'

/** Item of a transcript: one virtual row of the list. */
export type Item =
  | { readonly type: 'day'; readonly key: string; readonly atMs: number }
  /** Border before what came while nobody looked. */
  | { readonly type: 'news'; readonly key: string; readonly sinceMs: number }
  | {
      readonly type: 'user'
      readonly key: string
      readonly entry: Entry
      readonly text: string
      /** False where a person in a room writes on: their name is above. */
      readonly isHead: boolean
      /** Reactions under it, in file order. */
      readonly reactions?: readonly Entry[]
    }
  | {
      readonly type: 'agent'
      readonly key: string
      readonly entry: Entry
      readonly text: string
      readonly reactions?: readonly Entry[]
      /** True at the beginning of an answer: the name and the time are above it. */
      readonly isHead: boolean
      /** chibi's answer to its own `call_user`, which carries the text. */
      readonly result?: Entry
    }
  | {
      readonly type: 'tool'
      readonly key: string
      /** Absent for a result without a call. */
      readonly call?: Entry
      readonly result?: Entry
      readonly isHead: boolean
    }
  /** Thoughts of a model, where its source keeps them as an entry of their own. */
  | {
      readonly type: 'reasoning'
      readonly key: string
      readonly entry: Entry
      readonly isHead: boolean
    }
  /** Anchors that follow one another are one seam. */
  | {
      readonly type: 'seam'
      readonly key: string
      readonly entries: readonly Entry[]
      /** Earlier messages that chibi wrote again after it. */
      readonly copies?: readonly Entry[]
    }
  /** A reaction that is not shown only under its message. */
  | {
      readonly type: 'reaction'
      readonly key: string
      readonly entry: Entry
      /** True where its message is among the rows; may change when a page arrives, without a change of height. */
      readonly isTargetHere: boolean
    }
  /** A page that was kept whole. */
  | { readonly type: 'document'; readonly key: string; readonly entry: Entry }
  | { readonly type: 'damaged'; readonly key: string; readonly damaged: DamagedLine }
  | { readonly type: 'error'; readonly key: string; readonly entry: Entry }
  | { readonly type: 'other'; readonly key: string; readonly entry: Entry }

/** Returns true where an item continues an answer: the speaker's name is above its first item. */
export function isOfAnswer(item: { readonly type: string } | undefined): boolean {
  return item?.type === 'agent' || item?.type === 'tool' || item?.type === 'reasoning'
}

/** Item of one type. */
export type ItemOf<T extends Item['type']> = Extract<Item, { type: T }>

/** Returns the source lines of an item. */
export function sourceLinesOf(item: Item): readonly ItemSourceLine[] {
  switch (item.type) {
    case 'day':
    case 'news':
      return []
    case 'damaged':
      return [item.damaged]
    case 'seam':
      return [...item.entries, ...(item.copies ?? [])]
    case 'tool':
      return entryLines(item.call, item.result)
    case 'agent':
      return entryLines(item.entry, item.result, ...(item.reactions ?? []))
    case 'user':
      return entryLines(item.entry, ...(item.reactions ?? []))
    default:
      return [item.entry]
  }
}

/** Source line of an item, with the id of its entry where it has one. */
export type ItemSourceLine = LineSpan & { readonly id?: EntryId }

/** Returns the lines of the entries that are present. */
export function entryLines(...entries: readonly (Entry | undefined)[]): readonly ItemSourceLine[] {
  return entries.filter((entry) => entry !== undefined)
}

/** Returns the text that copying an item gives: its content, not its JSON. */
export function copyTextOf(item: Item): string {
  switch (item.type) {
    case 'day':
    case 'news':
      return ''
    case 'damaged':
      return new TextDecoder().decode(bytesFromBase64(item.damaged.bytes))
    case 'seam':
      return item.entries.map(({ content, metadata }) => metadata?.summary ?? content).join('\n\n')
    case 'tool':
      return [item.call?.content, item.result?.content].filter(Boolean).join('\n\n')
    case 'user':
    case 'agent':
      return item.text
    case 'error': {
      const { message, advice, response } = runFailureOf(item.entry)
      return [message, advice, response].filter(Boolean).join('\n')
    }
    case 'reaction':
      return (reactionOf(item.entry)?.emojis ?? []).map(emojiText).join(' ')
    case 'reasoning':
    case 'document':
    case 'other':
      return item.entry.content
    default:
      return assertNever(item)
  }
}
