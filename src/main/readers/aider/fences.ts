/** Follows the code fences of a Markdown text, line by line: what is inside of one is text, whatever it looks like. */
export class FenceState {
  private open: string | undefined

  get isInside(): boolean {
    return this.open !== undefined
  }

  /** Takes the next line; returns true for a line that opens or closes a fence. */
  take(line: string): boolean {
    // Most lines are told by their first characters.
    if (!mayBeFence(line)) return false
    const [, fence, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence === undefined) return false
    if (this.open === undefined) {
      // A text between backticks on one line is no fence.
      if (fence.startsWith('`') && info.includes('`')) return false
      this.open = fence
      return true
    }
    const isEnd =
      fence[0] === this.open[0] && fence.length >= this.open.length && info.trim() === ''
    if (isEnd) this.open = undefined
    return isEnd
  }
}

/** Up to three blanks, then the sign of a fence. */
function mayBeFence(line: string): boolean {
  let at = 0
  while (at < 3 && line[at] === ' ') at += 1
  return line[at] === '`' || line[at] === '~'
}
