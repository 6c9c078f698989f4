/** Line of a unified diff. */
export interface DiffLine {
  /** `hunk`: the position of the lines that follow. `note`: about the line before, or a line that belongs to no hunk. */
  readonly type: 'same' | 'added' | 'removed' | 'hunk' | 'note'
  /** Without the leading `+`, `-` or space. */
  readonly text: string
  /** Line numbers from 1 in the present and the changed file; undefined where the line is not in that one. */
  readonly old: number | undefined
  readonly new: number | undefined
}

/** Lines of a diff, with the number of added and removed ones. */
export interface DiffLines {
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
}

const types: ReadonlyMap<string, 'same' | 'added' | 'removed'> = new Map([
  [' ', 'same'],
  ['+', 'added'],
  ['-', 'removed'],
])
const unplaced = { old: undefined, new: undefined }

/**
 * Parses a unified diff of one file; the file names at its head are left out. The counts of each hunk decide which
 * lines belong to it, so that no content is taken for a head. Lines outside of hunks become notes. Never throws.
 */
export function diffLines(diff: string): DiffLines {
  const all = diff.split('\n')
  if (all.at(-1) === '') all.pop()
  const lines: DiffLine[] = []
  const counts = { same: 0, added: 0, removed: 0 }
  const next = { old: 0, new: 0 }
  const left = { old: 0, new: 0 }
  let isBegun = false
  for (const line of all) {
    const hunk = left.old + left.new > 0 ? undefined : hunkOf(line)
    const type = types.get(line.charAt(0))
    if (hunk !== undefined) {
      isBegun = true
      Object.assign(next, { old: hunk.old, new: hunk.new })
      Object.assign(left, { old: hunk.oldCount, new: hunk.newCount })
      lines.push({ type: 'hunk', text: line, ...unplaced })
    } else if (type !== undefined && left.old + left.new > 0) {
      counts[type]++
      const isOld = type !== 'added'
      const isNew = type !== 'removed'
      lines.push({
        type,
        text: line.slice(1),
        old: isOld ? next.old++ : undefined,
        new: isNew ? next.new++ : undefined,
      })
      if (isOld) left.old = Math.max(0, left.old - 1)
      if (isNew) left.new = Math.max(0, left.new - 1)
    } else if (isBegun || !/^(---|\+\+\+) /.test(line)) {
      lines.push({ type: 'note', text: line.replace(/^\\ /, ''), ...unplaced })
    }
  }
  return { lines, added: counts.added, removed: counts.removed }
}

function hunkOf(line: string) {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
  if (found === null) return undefined
  const [, old, oldCount = '1', now, newCount = '1'] = found
  return {
    old: Number(old),
    new: Number(now),
    oldCount: Number(oldCount),
    newCount: Number(newCount),
  }
}
