/** Part of a transcript: the keys of its first turn and of the one behind its last. */
export interface SelectedTurns {
  readonly from: string
  /** Absent where the last turn that is drawn is among them. */
  readonly before?: string
}

/** Returns the turns of which a text is selected; undefined where none is. */
export function selectedTurns(): SelectedTurns | undefined {
  const selection = window.getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const turns = [...document.querySelectorAll('[data-item]')]
  const touched = turns.filter((turn) => range.intersectsNode(turn))
  const from = touched[0]?.getAttribute('data-item')
  const last = touched.at(-1)
  if (from == null || last === undefined) return undefined
  const before = turns[turns.indexOf(last) + 1]?.getAttribute('data-item')
  return before == null ? { from } : { from, before }
}
