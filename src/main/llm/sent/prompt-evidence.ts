import { wellFormed } from '../../../shared/model/basics/well-formed'
import { type Entry, isAnchor, speakerOf } from '../../../shared/model/conversation/entry'
import { readArguments } from '../steps/call-arguments'
import { isCallEntry, isResultEntry } from './answers'

/** The notes that tools replace whole, and that are part of the system prompt. */
export type PromptNoteName = 'todos' | 'goals' | 'reflection'

/** Evidence that a transcript has of the prompt of a request. */
export interface PromptEvidence {
  /** The prompt of the last change before it. */
  readonly prompt?: string
  /** The name of the last user, as its entry has it. */
  readonly username?: string
  /**
   * Notes as they were last written, newest first: before the answer, and before the turn of it began, since the
   * prompt is built where a turn begins.
   */
  readonly notes: Readonly<Record<PromptNoteName, readonly string[]>>
  /** The summaries of the anchors before it, newest first, up to one that wrote a summary. */
  readonly summaries: readonly string[]
}

const noteTools: ReadonlyMap<string, PromptNoteName> = new Map([
  ['update_todos', 'todos'],
  ['update_goals', 'goals'],
  ['update_reflection', 'reflection'],
])

/**
 * Reads the evidence of a request's prompt from the entries before its answer.
 *
 * @param before newest first; read until nothing is wanted any more
 * @param depth `window`: not beyond the last anchor; `all`: to the beginning, if need be
 */
export async function readPromptEvidence(
  before: AsyncIterable<Entry>,
  context: string,
  depth: 'window' | 'all',
): Promise<PromptEvidence> {
  const results = new Map<string, string>()
  const notes: Record<PromptNoteName, string[]> = { todos: [], goals: [], reflection: [] }
  /** A note is known as it was when the turn began. */
  const known = new Set<PromptNoteName>()
  const summaries: string[] = []
  let prompt: string | undefined
  let username: string | undefined
  let isTurnBegun = false
  let isSummaryKnown = false
  for await (const entry of before) {
    if (isResultEntry(entry)) {
      if (entry.tool_call_id !== undefined && noteTools.has(entry.from))
        results.set(entry.tool_call_id, entry.content)
    } else if (isCallEntry(entry)) {
      const name = noteTools.get(entry.to)
      const text = name === undefined || known.has(name) ? undefined : written(entry, results)
      if (name !== undefined && text !== undefined) {
        notes[name].push(text)
        if (isTurnBegun) known.add(name)
      }
    } else if (speakerOf(entry) === 'user') {
      isTurnBegun = true
      if (entry.from !== context) username ??= entry.from
    } else if (entry.entry_type === 'system_prompt_changed') prompt ??= entry.content
    else if (isAnchor(entry)) {
      const summary = entry.metadata?.summary
      const isDropped = modeOf(entry) === 'drop'
      if (!isSummaryKnown && typeof summary === 'string' && !isDropped) summaries.push(summary)
      isSummaryKnown ||= !isDropped
      if (depth === 'window') break
    }
    if (known.size === noteTools.size && prompt !== undefined && isSummaryKnown) break
  }
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(username === undefined ? {} : { username }),
    notes,
    summaries,
  }
}

/** Changes that came after an answer, and make the present files differ from its prompt. */
export interface LaterChanges {
  /** The summary that the next compaction found in summary.md. */
  readonly replacedSummary?: string
  readonly isCompacted: boolean
  readonly isPromptChanged: boolean
  /** The prompt that the next change took the place of. */
  readonly replacedPrompt?: string
  readonly changedNotes: ReadonlySet<PromptNoteName>
}

/** Reads the changes after an answer, to the end of the transcript. */
export async function readLaterChanges(after: AsyncIterable<Entry>): Promise<LaterChanges> {
  let replacedSummary: string | undefined
  let hasAnchor = false
  let isPromptChanged = false
  let replacedPrompt: string | undefined
  const changedNotes = new Set<PromptNoteName>()
  for await (const entry of after) {
    const name = isCallEntry(entry) ? noteTools.get(entry.to) : undefined
    if (name !== undefined) changedNotes.add(name)
    if (entry.entry_type === 'system_prompt_changed') {
      const before = entry.metadata?.replaced_prompt
      if (!isPromptChanged && typeof before === 'string') replacedPrompt = before
      isPromptChanged = true
    }
    if (!isAnchor(entry) || hasAnchor || modeOf(entry) === 'drop') continue
    hasAnchor = true
    const before = entry.metadata?.replaced_summary
    if (typeof before === 'string') replacedSummary = before
  }
  return {
    ...(replacedSummary === undefined ? {} : { replacedSummary }),
    ...(replacedPrompt === undefined ? {} : { replacedPrompt }),
    isCompacted: hasAnchor,
    isPromptChanged,
    changedNotes,
  }
}

/** The text that a call wrote; undefined where it wrote none. */
function written(call: Entry, results: ReadonlyMap<string, string>): string | undefined {
  const result = results.get(call.tool_call_id ?? '')
  if (result === undefined || result.startsWith('Error')) return undefined
  const args = readArguments(call.content)
  const text = args.type === 'valid' ? args.value.content : undefined
  return typeof text === 'string' ? wellFormed(text) : undefined
}

function modeOf({ metadata }: Entry): unknown {
  const compaction = metadata?.compaction
  return typeof compaction === 'object' && compaction !== null && 'mode' in compaction
    ? compaction.mode
    : undefined
}
