import { isWellFormed } from '../../../shared/model/basics/well-formed'
import { callUserMessage, type Entry } from '../../../shared/model/conversation/entry'
import { exportKindOf } from './entry-kind'
import { attachedKeys, exportedTurn } from './exported-turn'
import type { EntryLoss } from './loss'

/** Notes about the line that an entry was read from, and of what it was shown as: no part of what was said. */
const notes: ReadonlySet<string> = new Set(['damaged', 'recovered', 'seam'])

/** The keys of an entry's metadata that are not among those that a form keeps. */
export function lostMetadata(
  { metadata = {} }: Entry,
  kept: ReadonlySet<string>,
): readonly EntryLoss[] {
  return Object.entries(metadata)
    .filter(([key, value]) => value != null && !kept.has(key) && !notes.has(key))
    .map(([name]) => ({ kind: 'metadata', name }))
}

/** Tells the arguments of `call_user` beside its words: a form of words alone has no place for them. */
export function lostArguments(entry: Entry): readonly EntryLoss[] {
  return callUserMessage(entry)?.others === undefined
    ? []
    : [{ kind: 'metadata', name: 'arguments' }]
}

/** Halves of characters in an entry's words: no UTF-8 has them. */
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
])

/** What a page to be read leaves out: numbers and the like, which are about the words and not in them. */
export function lostInDocument(entry: Entry): readonly EntryLoss[] {
  const lost = lostHalves(entry)
  // Of a kind that nobody knows, everything is shown.
  const isKnown = exportedTurn({ type: 'entry', entry }).type !== 'other'
  return isKnown ? [...lost, ...lostMetadata(entry, shownInDocuments)] : lost
}

/** What a form of messages alone has no place for: an entry that neither a person nor a model says. Undefined where one does. */
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
