const calls: ReadonlySet<string> = new Set(['tool_call', 'flow_control_call'])
const results: ReadonlySet<string> = new Set(['tool_result', 'flow_control_result'])

/** Returns true for a call of a tool or its result. */
export function isToolEntry(entry: { readonly entry_type: string }): boolean {
  return calls.has(entry.entry_type) || results.has(entry.entry_type)
}

/**
 * Creates a function that takes entries in order and returns the position at which the tool turn of each began: calls
 * one after the other, then results. Undefined for entries outside a turn.
 */
export function turnFollower(): (
  entry: { readonly entry_type: string },
  position: number,
) => number | undefined {
  let begin: number | undefined
  let hasResults = false
  return (entry, position) => {
    const isCall = calls.has(entry.entry_type)
    if (!isCall && !results.has(entry.entry_type)) begin = undefined
    else if (begin === undefined || (isCall && hasResults)) begin = position
    hasResults = begin !== undefined && !isCall
    return begin
  }
}
