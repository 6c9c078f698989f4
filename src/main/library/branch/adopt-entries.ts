import { randomUUID } from 'node:crypto'
import { pushAll } from '../../../shared/model/basics/long-lists'
import {
  callUserMessage,
  type Entry,
  type EntryDraft,
  EntryId,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import { adoptedTexts } from './adopted-texts'

/** The context that copies are written to, and the time for entries without one. */
export interface AdoptedInto {
  readonly context: string
  /** Unix seconds for entries that come before any time: the conversation's begin, else now. */
  readonly seconds: number
}

/**
 * Converts entries of another system to entries of ours, one for one, in chibi's shape: new ids, whole seconds, the
 * speaker by `from`, `to` and `role`. Contents stay, except for what the model can learn only from text
 * (`adoptedTexts`). Whatever our fields cannot hold is in `metadata.adopted`: the original id, a time that was missing
 * or had a fraction, a speaker's other name, the text before an addition.
 *
 * The system prompt at the beginning becomes an entry that is not sent again: the context's own prompt has it.
 */
export function adoptedEntries(
  entries: readonly Entry[],
  into: AdoptedInto,
): readonly EntryDraft[] {
  let seconds = into.seconds
  let isBeginning = true
  const textOf = adoptedTexts(entries)
  return inToolOrder(entries).map((entry) => {
    seconds = wholeSeconds(entry) ?? seconds
    isBeginning &&= isPrompt(entry)
    const shape = shapeOf(entry, into.context, isBeginning)
    return adopted(entry, shape, textOf(entry).content, seconds)
  })
}

/** Returns the system's entries before all others: they become the context's prompt. */
export function openingPrompt(entries: readonly Entry[]): readonly Entry[] {
  const end = entries.findIndex((entry) => !isPrompt(entry))
  return end === -1 ? entries : entries.slice(0, end)
}

function isPrompt(entry: Entry): boolean {
  return speakerOf(entry) === 'system'
}

function adopted(entry: Entry, shape: Shape, content: string, timestamp: number): EntryDraft {
  const { tool_call_id } = entry
  const source = {
    entry: entry.id,
    ...(entry.timestamp === timestamp ? {} : { timestamp: entry.timestamp }),
    ...(shape.from === entry.from ? {} : { from: entry.from }),
    ...(shape.entry_type === entry.entry_type ? {} : { entry_type: entry.entry_type }),
    ...(content === entry.content ? {} : { content: entry.content }),
  }
  return {
    id: EntryId.parse(randomUUID()),
    timestamp,
    content,
    ...shape,
    metadata: { ...entry.metadata, adopted: source },
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  }
}

type Shape = Pick<EntryDraft, 'from' | 'to' | 'entry_type' | 'role'>

function shapeOf(entry: Entry, context: string, isBeginning: boolean): Shape {
  const { entry_type } = entry
  if (callUserMessage(entry) !== undefined)
    return { from: context, to: 'user', entry_type: 'message', role: 'agent' }
  switch (entry_type) {
    case 'message': {
      const role = speakerOf(entry) ?? 'user'
      if (role === 'agent') return { from: context, to: 'user', entry_type, role }
      if (role === 'user') return { from: entry.from, to: context, entry_type, role }
      return isBeginning
        ? { from: 'system', to: context, entry_type: 'system_prompt_changed' }
        : { from: 'system', to: context, entry_type, role }
    }
    // A page of what several said, in no fixed way: what the person who continues it gives to the model.
    case 'document':
      return { from: 'user', to: context, entry_type: 'message', role: 'user' }
    case 'tool_call':
      return { from: context, to: entry.to, entry_type }
    case 'reasoning':
      return { from: context, to: 'user', entry_type }
    default:
      return { from: entry.from, to: context, entry_type }
  }
}

/** Nothing may stand between a call and its result: other entries of a line come before its calls. */
function inToolOrder(entries: readonly Entry[]): readonly Entry[] {
  const ordered: Entry[] = []
  for (let at = 0; at < entries.length; ) {
    const line = lineFrom(entries, at)
    pushAll(
      ordered,
      line.filter((entry) => entry.entry_type !== 'tool_call'),
    )
    pushAll(
      ordered,
      line.filter((entry) => entry.entry_type === 'tool_call'),
    )
    at += line.length
  }
  return ordered
}

/** Counts the entries that adopting moves before the calls of their line. */
export function movedBeforeCalls(entries: readonly Entry[]): number {
  let moved = 0
  for (let at = 0; at < entries.length; ) {
    const line = lineFrom(entries, at)
    const firstCall = line.findIndex((entry) => entry.entry_type === 'tool_call')
    if (firstCall !== -1)
      moved += line.slice(firstCall).filter((entry) => entry.entry_type !== 'tool_call').length
    at += line.length
  }
  return moved
}

function lineFrom(entries: readonly Entry[], at: number): readonly Entry[] {
  const first = entries[at]
  let end = at + 1
  const isSame = (entry: Entry | undefined) =>
    entry !== undefined && entry.file === first?.file && entry.offset === first.offset
  while (isSame(entries[end])) end++
  return entries.slice(at, end)
}

/** The last second that a calendar has; chibi takes no line with a number beyond all integers. */
const lastSecond = 8.64e12

function wholeSeconds({ timestamp }: Entry): number | undefined {
  if (timestamp === null || !(timestamp <= lastSecond)) return undefined
  return Math.max(0, Math.floor(timestamp))
}
