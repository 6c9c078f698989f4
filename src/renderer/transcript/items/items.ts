import { assertNever } from '../../../shared/model/basics/errors'
import type { Entry, EntryId, LineSpan } from '../../../shared/model/conversation/entry'
import type { DamagedLine } from '../../../shared/model/conversation/transcript'
import { bytesFromBase64 } from '../../ui/format/bytes'
import { runFailureOf } from '../entries/metadata'
import { emojiText, reactionOf } from '../entries/reactions'

/** What stands in a transcript, one virtual row each. */
export type Item =
  | { readonly type: 'day'; readonly key: string; readonly atMs: number }
  | {
      readonly type: 'user'
      readonly key: string
      readonly entry: Entry
      readonly text: string
      /** False where somebody in a room goes on: who it is stands above. */
      readonly isHead: boolean
      /** That sit on it, in file order. */
      readonly reactions?: readonly Entry[]
    }
  | {
      readonly type: 'agent'
      readonly key: string
      readonly entry: Entry
      readonly text: string
      readonly reactions?: readonly Entry[]
      /** Begins what the model says: who and when stand above it. */
      readonly isHead: boolean
      /** chibi's answer to its own `call_user`, which carries the text. */
      readonly result?: Entry
    }
  | {
      readonly type: 'tool'
      readonly key: string
      /** Absent where a result stands alone. */
      readonly call?: Entry
      readonly result?: Entry
      readonly isHead: boolean
    }
  /** Anchors that follow one another are one seam. */
  | {
      readonly type: 'seam'
      readonly key: string
      readonly entries: readonly Entry[]
      /** Messages above that chibi wrote a second time behind it. */
      readonly copies?: readonly Entry[]
    }
  /** A reaction that does not sit on its message alone. */
  | {
      readonly type: 'reaction'
      readonly key: string
      readonly entry: Entry
      /** Whether its message is among the rows; may change when a page arrives, and never changes its height. */
      readonly isTargetHere: boolean
    }
  /** A page that was kept whole. */
  | { readonly type: 'document'; readonly key: string; readonly entry: Entry }
  | { readonly type: 'damaged'; readonly key: string; readonly damaged: DamagedLine }
  | { readonly type: 'error'; readonly key: string; readonly entry: Entry }
  | { readonly type: 'other'; readonly key: string; readonly entry: Entry }

/** An item of one type. */
export type ItemOf<T extends Item['type']> = Extract<Item, { type: T }>

/** The source lines of an item. */
export function sourceLinesOf(item: Item): readonly ItemSourceLine[] {
  switch (item.type) {
    case 'day':
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

/** A source line of an item, and the entry on it where there is one. */
export type ItemSourceLine = LineSpan & { readonly id?: EntryId }

/** Entries that are there, as lines. */
export function entryLines(...entries: readonly (Entry | undefined)[]): readonly ItemSourceLine[] {
  return entries.filter((entry) => entry !== undefined)
}

/** What copying an item gives: its words, not its JSON. */
export function copyTextOf(item: Item): string {
  switch (item.type) {
    case 'day':
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
    case 'document':
    case 'other':
      return item.entry.content
    default:
      return assertNever(item)
  }
}
