import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unifiedDiff } from '../../../../src/shared/model/calls/unified-diff'

/** Applies a unified diff by its own words alone: ranges, marks, and the remark on a missing line feed. */
function apply(before: string, diff: string): string {
  const old = before.split(/(?<=\n)/)
  const out: string[] = []
  let at = 0
  const lines = diff.split('\n').slice(2, -1)
  for (const [i, line] of lines.entries()) {
    const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(line)
    const bare = lines[i + 1] === '\\ No newline at end of file'
    const text = line.slice(1) + (bare ? '' : '\n')
    if (range !== null) {
      const start = Number(range[1]) - (range[2] === '0' ? 0 : 1)
      out.push(...old.slice(at, start))
      at = start
      if (out.length !== Number(range[3]) - (range[4] === '0' ? 0 : 1))
        throw new Error(`the new range does not begin at ${out.length}: ${line}`)
    } else if (line.startsWith('+')) out.push(text)
    else if (line.startsWith(' ') || line.startsWith('-')) {
      if (old[at] !== text) throw new Error(`line ${at + 1} is not ${JSON.stringify(text)}`)
      if (line.startsWith(' ')) out.push(text)
      at += 1
    } else if (!line.startsWith('\\')) throw new Error(`not a line of a diff: ${line}`)
  }
  return [...out, ...old.slice(at)].join('')
}

/** The fewest lines that must go or come, by the table of longest common subsequences. */
function fewestEdits(before: string, after: string): number {
  const a = before === '' ? [] : before.split(/(?<=\n)/)
  const b = after === '' ? [] : after.split(/(?<=\n)/)
  let row = new Array<number>(b.length + 1).fill(0)
  for (const line of a) {
    const next = [0]
    for (const [j, other] of b.entries())
      next.push(line === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0))
    row = next
  }
  return a.length + b.length - 2 * (row.at(-1) ?? 0)
}

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '-- x\n', '+++ y\n', '@@ z\n'), {
    maxLength: 40,
  })
  .chain((lines) => fc.constantFrom('', 'tail', '\r').map((tail) => lines.join('') + tail))

describe('a unified diff', () => {
  it('is what diff -u writes', () => {
    const before = Array.from({ length: 20 }, (_, n) => `line ${n + 1}\n`).join('')
    const after = before.replace('line 3\n', 'line three\n').replace('line 17\n', '').concat('end')
    expect(unifiedDiff(before, after, 'notes.md')).toBe(
      [
        '--- a/notes.md',
        '+++ b/notes.md',
        '@@ -1,6 +1,6 @@',
        ' line 1',
        ' line 2',
        '-line 3',
        '+line three',
        ' line 4',
        ' line 5',
        ' line 6',
        '@@ -14,7 +14,7 @@',
        ' line 14',
        ' line 15',
        ' line 16',
        '-line 17',
        ' line 18',
        ' line 19',
        ' line 20',
        '+end',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
    )
  })

  it('joins changes that six unchanged lines part, and parts those with seven', () => {
    const between = (count: number) => {
      const same = Array.from({ length: count }, (_, n) => `same ${n}\n`).join('')
      return unifiedDiff(`a\n${same}b\n`, `A\n${same}B\n`, 'x').match(/^@@ .*$/gm)
    }
    expect(between(6)).toEqual(['@@ -1,8 +1,8 @@'])
    expect(between(7)).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@'])
  })

  it('says that a file is new, that it goes, and nothing of equal texts', () => {
    expect(unifiedDiff(undefined, 'a\n', 'x')).toBe('--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n')
    expect(unifiedDiff('a\n', undefined, 'x')).toBe('--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')
    expect(unifiedDiff('a\n', 'a\n', 'x')).toBe('')
    expect(unifiedDiff(undefined, '', 'x')).toBe('--- /dev/null\n+++ b/x\n')
  })

  it('turns the one text into the other, with the fewest lines changed', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff(before, after, 'x')
        fc.pre(before !== after)
        expect(apply(before, diff)).toBe(after)
        const changed = diff
          .split('\n')
          .slice(2)
          .filter((line) => /^[-+]/.test(line))
        expect(changed.length).toBe(fewestEdits(before, after))
      }),
      { numRuns: 500 },
    )
  })

  it('of texts that have nothing in common is still right', () => {
    const lines = (mark: string) =>
      Array.from({ length: 20_000 }, (_, n) => `${mark}${n}\n`).join('')
    const before = `same\n${lines('a')}end\n`
    const after = `same\n${lines('b')}end\n`
    expect(apply(before, unifiedDiff(before, after, 'x'))).toBe(after)
  })
})
