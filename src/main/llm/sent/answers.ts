import { type Entry, speakerOf } from '../../../shared/model/conversation/entry'
import { entryModel, entryUsage } from '../../../shared/model/run/usage'

/**
 * Picks the first entry of every answer. An answer is a message of the model, or calls that it made. Where Skein
 * wrote it, only its first entry names the model, and all calls up to the next speaker or the next answer belong to
 * it. chibi names none: there every run of calls is an answer.
 *
 * Holds only the calls and results between two speakers.
 *
 * @param newestFirst entries from some place on backwards
 */
export async function* answerStarts(
  newestFirst: AsyncIterable<Entry>,
): AsyncGenerator<Entry, void> {
  /** Calls and results that may be a part of an answer which began before them, newest first. */
  let chain: Entry[] = []
  for await (const entry of newestFirst) {
    const isMessage = !isCallEntry(entry) && speakerOf(entry) === 'agent'
    if (isCallEntry(entry) ? !isMarked(entry) : isResultEntry(entry)) {
      chain.push(entry)
      continue
    }
    if (!(isMarked(entry) && (isMessage || isCallEntry(entry)))) yield* firstCalls(chain)
    chain = []
    if (isMessage || isCallEntry(entry)) yield entry
  }
  yield* firstCalls(chain)
}

/** Picks the first entries of the answers after an answer, forwards, each with the anchors before it. */
export async function* laterAnswerStarts(
  answer: Entry,
  entries: AsyncIterable<Entry>,
): AsyncGenerator<{ readonly entry: Entry; readonly anchors: readonly Entry[] }, void> {
  let isOurs = isMarked(answer)
  let before = answer
  let anchors: Entry[] = []
  for await (const entry of entries) {
    if (isResultEntry(entry)) {
      before = entry
      continue
    }
    const isMessage = !isCallEntry(entry) && speakerOf(entry) === 'agent'
    const isFirst = isMarked(entry) || (!isOurs && !isCallEntry(before))
    if (isMessage || (isCallEntry(entry) && isFirst)) {
      yield { entry, anchors }
      anchors = []
    }
    if (entry.entry_type === 'compaction' || entry.entry_type === 'archival') anchors.push(entry)
    isOurs = isMarked(entry) || (isOurs && isCallEntry(entry))
    before = entry
  }
}

/** Returns the first call of each run of calls, newest first. */
function firstCalls(chain: readonly Entry[]): readonly Entry[] {
  return chain.filter((entry, index) => {
    const before = chain[index + 1]
    return isCallEntry(entry) && (before === undefined || !isCallEntry(before))
  })
}

/** Returns true for an entry with what only the first one of an answer has. */
function isMarked(entry: Entry): boolean {
  return (
    entryModel(entry) !== undefined ||
    entryUsage(entry) !== undefined ||
    entry.metadata?.request !== undefined
  )
}

/** Returns true for the entry of a call, flow control included. */
export function isCallEntry({ entry_type: type }: Entry): boolean {
  return type === 'tool_call' || type === 'flow_control_call'
}

/** Returns true for the entry of a result, flow control included. */
export function isResultEntry({ entry_type: type }: Entry): boolean {
  return type === 'tool_result' || type === 'flow_control_result'
}
