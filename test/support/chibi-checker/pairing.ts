import { type CheckedEntry, isAnchor } from './entry'
import type { Faults } from './faults'

const kinds = [
  { call: 'tool_call', result: 'tool_result' },
  { call: 'flow_control_call', result: 'flow_control_result' },
] as const

/**
 * Calls and their results over a whole transcript, as chibi 0.9 writes them: all calls of a turn, then all their results
 * in the same order, nothing between; a call of flow control is followed by its own result at once; an id stands for one
 * call of a window.
 *
 * @param options.openCalls the calls at the very end may lack results: their process was killed
 */
export function checkPairs(
  entries: readonly CheckedEntry[],
  faults: Faults,
  options: { readonly openCalls: boolean },
): void {
  let ids = new Set<string>()
  for (let at = 0; at < entries.length; ) {
    const first = entries[at]
    if (first === undefined) return
    if (isAnchor(first)) ids = new Set()
    const kind = kinds.find(({ call }) => call === first.type)
    if (kind === undefined) {
      if (kinds.some(({ result }) => result === first.type))
        tell(faults, first, `a ${first.type} without its call`)
      at++
      continue
    }
    // A turn's ordinary calls stand together; of flow control each is alone.
    const calls = kind.call === 'tool_call' ? runOf(entries, at, kind.call) : [first]
    const results = runOf(entries, at + calls.length, kind.result).slice(0, calls.length)
    checkIds(calls, ids, faults)
    const isLast = at + calls.length + results.length === entries.length
    checkResults(calls, results, kind.result, faults, options.openCalls && isLast)
    at += calls.length + results.length
  }
}

function runOf(entries: readonly CheckedEntry[], from: number, type: string): CheckedEntry[] {
  let to = from
  while (entries[to]?.type === type) to++
  return entries.slice(from, to)
}

function checkIds(calls: readonly CheckedEntry[], ids: Set<string>, faults: Faults): void {
  for (const call of calls) {
    const id = call.callId ?? ''
    if (ids.has(id)) tell(faults, call, `"${id}" is the id of another call of this window`)
    ids.add(id)
  }
}

function checkResults(
  calls: readonly CheckedEntry[],
  results: readonly CheckedEntry[],
  resultType: string,
  faults: Faults,
  mayBeOpen: boolean,
): void {
  for (const [index, call] of calls.entries()) {
    const result = results[index]
    if (result === undefined) {
      if (!mayBeOpen) tell(faults, call, `no ${resultType} follows it in its place`)
    } else if (result.callId !== call.callId)
      tell(faults, result, `is the result of "${result.callId}", where "${call.callId}" is due`)
    else if (result.from !== call.to)
      tell(faults, result, `is from "${result.from}", its call to "${call.to}"`)
  }
}

function tell(faults: Faults, { at }: CheckedEntry, words: string): void {
  faults.add(at.file, at.line, words)
}
