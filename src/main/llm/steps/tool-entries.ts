import type { Entry, EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import type { AppendedEntry, TranscriptWriter } from '../../store/store'

/** The fields that the entries of a call and of its result have in common. */
export interface CallEntryFacts {
  readonly id: EntryId
  readonly context: string
  /** In Unix seconds. */
  readonly timestamp: number
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** A call under an id that no other call of the conversation has. */
export interface NamedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Stored as flow control, as chibi 0.9 does: it is no part of what the model sees again. */
  readonly isFlow: boolean
}

/**
 * Returns the entry of a call as chibi stores it: its arguments as they were streamed, also where they are no JSON.
 */
export function callEntry(call: NamedCall, facts: CallEntryFacts): EntryDraft {
  return {
    id: facts.id,
    timestamp: facts.timestamp,
    from: facts.context,
    to: call.name,
    content: call.arguments,
    entry_type: call.isFlow ? 'flow_control_call' : 'tool_call',
    ...(facts.metadata === undefined ? {} : { metadata: facts.metadata }),
    tool_call_id: call.id,
  }
}

/** Returns the entry of a call's result, as chibi stores it. */
export function resultEntry(call: NamedCall, text: string, facts: CallEntryFacts): EntryDraft {
  return {
    id: facts.id,
    timestamp: facts.timestamp,
    from: call.name,
    to: facts.context,
    content: text,
    entry_type: call.isFlow ? 'flow_control_result' : 'tool_result',
    ...(facts.metadata === undefined ? {} : { metadata: facts.metadata }),
    tool_call_id: call.id,
  }
}

const resultTypes: ReadonlySet<string> = new Set(['tool_result', 'flow_control_result'])
const callTypes: ReadonlySet<string> = new Set(['tool_call', 'flow_control_call'])

/**
 * Lists the calls at the very end of a window that have no result: the program that made them was killed.
 *
 * Results without an id count for the first calls that have none, as chibi pairs them.
 */
export function unfinishedCalls(window: readonly Entry[]): readonly NamedCall[] {
  const resultsFrom = lastWithout(window, window.length, resultTypes)
  const callsFrom = lastWithout(window, resultsFrom, callTypes)
  const results = window.slice(resultsFrom)
  const ids = new Set(results.map((result) => result.tool_call_id))
  const nameless = results.filter((result) => result.tool_call_id === undefined).length
  return window
    .slice(callsFrom, resultsFrom)
    .filter((call) => !ids.has(call.tool_call_id) || call.tool_call_id === undefined)
    .slice(nameless)
    .map((call) => ({
      id: call.tool_call_id ?? `synth_${call.id}`,
      name: call.to,
      arguments: call.content,
      isFlow: call.entry_type === 'flow_control_call',
    }))
}

/**
 * Writes a result for each call that a killed program left without one. A run does it before anything else: behind
 * another entry the calls would not be found any more.
 *
 * @throws AppError as `append` does
 */
export async function closeUnfinishedCalls(
  writer: TranscriptWriter,
  facts: () => CallEntryFacts,
): Promise<readonly AppendedEntry[]> {
  const rows: AppendedEntry[] = []
  for (const call of unfinishedCalls(await writer.window('notice')))
    rows.push(await writer.append(resultEntry(call, lostResult, facts())))
  return rows
}

/** The result of a call whose outcome is not known. */
const lostResult =
  'Error: no result was kept: the program ended first. The call may have been carried out, in whole or in part.'

/** Returns the index at which the entries of these types before `end` begin. */
function lastWithout(window: readonly Entry[], end: number, types: ReadonlySet<string>): number {
  let from = end
  while (from > 0 && types.has(window[from - 1]?.entry_type ?? '')) from--
  return from
}
