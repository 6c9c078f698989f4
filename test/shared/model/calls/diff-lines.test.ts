import { describe, expect, it } from 'vitest'
import { diffLines } from '../../../../src/shared/model/calls/diff-lines'
import { unifiedDiff } from '../../../../src/shared/model/calls/unified-diff'

/** Two texts of lines that look like parts of a diff, different in drawn places. */
function texts(seed: number): readonly [string, string] {
  let state = seed
  const next = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
  const words = ['a', '-- b', '++ c', '@@ -1 +1 @@', '', ' d', '\\ e', '--- /dev/null', '\u202ef']
  const draw = () => words[next(words.length)] ?? ''
  const before = Array.from({ length: next(40) }, draw)
  const after = before.flatMap((line) => {
    const fate = next(8)
    return fate === 0 ? [] : fate === 1 ? [draw()] : fate === 2 ? [line, draw()] : [line]
  })
  const end = next(2) === 0 ? '\n' : ''
  return [before.join('\n') + end, after.join('\n') + end]
}

describe('the lines of a diff', () => {
  it('stand at their numbers in both texts, whatever the texts hold', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const [before, after] = texts(seed)
      const { lines, added, removed } = diffLines(unifiedDiff(before, after, 'a.md'))
      const old = before.split('\n')
      const now = after.split('\n')
      for (const line of lines) {
        if (line.old !== undefined) expect([seed, line.text]).toEqual([seed, old[line.old - 1]])
        if (line.new !== undefined) expect([seed, line.text]).toEqual([seed, now[line.new - 1]])
        expect(line.type === 'added').toBe(line.old === undefined && line.new !== undefined)
        expect(line.type === 'removed').toBe(line.new === undefined && line.old !== undefined)
      }
      const count = (text: string) => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).length
      expect([seed, added - removed]).toEqual([seed, count(after) - count(before)])
    }
  })

  it('leave the names out, and keep what is no line of a hunk as a note', () => {
    const { lines } = diffLines(unifiedDiff(undefined, 'one', 'a.md'))
    expect(lines.map(({ type, text }) => [type, text])).toEqual([
      ['hunk', '@@ -0,0 +1 @@'],
      ['added', 'one'],
      ['note', 'No newline at end of file'],
    ])
    expect(diffLines('what is this\n+x\n').lines.map(({ type, text }) => [type, text])).toEqual([
      ['note', 'what is this'],
      ['note', '+x'],
    ])
    expect(diffLines('').lines).toEqual([])
  })
})
