import { isWellFormed } from '../../../shared/model/basics/well-formed'
import { callUserMessage, type Entry } from '../../../shared/model/conversation/entry'
import { exportKindOf } from './entry-kind'
import { attachedKeys, exportedTurn } from './exported-turn'
import type { EntryLoss } from './loss'

/** Notes about the line that an entry was read from, and how it was shown: no part of the entry. */
const notes: ReadonlySet<string> = new Set(['damaged', 'recovered', 'seam'])

/** Lists the keys of an entry's metadata that a format does not keep. */
export function lostMetadata(
  { metadata = {} }: Entry,
  kept: ReadonlySet<string>,
): readonly EntryLoss[] {
  return Object.entries(metadata)
    .filter(([key, value]) => value != null && !kept.has(key) && !notes.has(key))
    .map(([name]) => ({ kind: 'metadata', name }))
}

/** Lists the arguments of `call_user` other than its text: a format of texts alone has no place for them. */
export function lostArguments(entry: Entry): readonly EntryLoss[] {
  return callUserMessage(entry)?.others === undefined
    ? []
    : [{ kind: 'metadata', name: 'arguments' }]
}

/** Reports an entry whose text, names or call id have halves of characters, which UTF-8 cannot hold. */
export function lostHalves({ content, from, to, tool_call_id = '' }: Entry): readonly EntryLoss[] {
  return [content, from, to, tool_call_id].every(isWellFormed) ? [] : [{ kind: 'half' }]
}

const shownInDocuments: ReadonlySet<string> = new Set([
  ...attachedKeys,
  'model',
  'reasoning',
  'interrupted',
  'finish',
  'finish_word',
  'citations',
  'summary',
  'saved_output',
])

/** Lists what a document for people leaves out: usage and other metadata that is no part of the text. */
export function lostInDocument(entry: Entry): readonly EntryLoss[] {
  const lost = lostHalves(entry)
  // Of a kind that nobody knows, everything is shown.
  const isKnown = exportedTurn({ type: 'entry', entry }).type !== 'other'
  return isKnown ? [...lost, ...lostMetadata(entry, shownInDocuments)] : lost
}

/**
 * Lists an entry that neither a person nor a model speaks, since a format of messages alone has no place for it.
 * Undefined for messages.
 */
export function lostUnsaid(entry: Entry): readonly EntryLoss[] | undefined {
  switch (exportKindOf(entry)) {
    case 'system':
      return [{ kind: 'system' }]
    case 'call':
    case 'result':
      return [{ kind: 'tool' }]
    case 'reasoning':
      return [{ kind: 'reasoning' }]
    case 'unknown':
    case 'other':
      return [{ kind: 'other' }]
    case 'user':
    case 'agent':
      return undefined
  }
}
