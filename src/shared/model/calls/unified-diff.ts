import { type StructuredPatchHunk, structuredPatch } from 'diff'

/** Unchanged lines shown around a change, as everywhere. */
const around = 3

/**
 * Longest edit script searched for, in lines; beyond it everything between the first and last difference is replaced.
 */
const mostEdits = 1000

/**
 * Writes what turns one text into another as a unified diff with three lines of context; '' where they are equal.
 * Lines end at a line feed alone, so a carriage return is part of its line, and a text without a last line feed is
 * marked as usual.
 *
 * @param before undefined: the file is new
 * @param after undefined: the file goes
 * @param name written as it is: without line feeds
 */
export function unifiedDiff(
  before: string | undefined,
  after: string | undefined,
  name: string,
): string {
  if (before === after) return ''
  const head = [
    `--- ${before === undefined ? '/dev/null' : `a/${name}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${name}`}`,
  ]
  return `${[...head, ...diffHunks(before ?? '', after ?? '')].join('\n')}\n`
}

/** Writes the hunks of such a diff without its head, a line each. Of texts that differ in too much one hunk replaces all between. */
export function diffHunks(before: string, after: string): readonly string[] {
  return hunksOf(before, after).flatMap((hunk) => {
    const old = range(hunk.oldStart, hunk.oldLines)
    return [`@@ -${old} +${range(hunk.newStart, hunk.newLines)} @@`, ...hunk.lines]
  })
}

function hunksOf(before: string, after: string): readonly StructuredPatchHunk[] {
  const options = { context: around, maxEditLength: mostEdits }
  // Typed as if it always came to an end; beyond the longest script it gives nothing.
  const patch: ReturnType<typeof structuredPatch> | undefined = structuredPatch(
    '',
    '',
    before,
    after,
    '',
    '',
    options,
  )
  return patch?.hunks ?? [replacement(linesOf(before), linesOf(after))]
}

/** Makes one hunk that replaces everything between the lines that both texts begin and end with. */
function replacement(old: readonly string[], now: readonly string[]): StructuredPatchHunk {
  const shortest = Math.min(old.length, now.length)
  let head = 0
  while (head < shortest && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < shortest - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const from = Math.max(0, head - around)
  const shown = (lines: readonly string[]) => lines.slice(from, lines.length - tail + around)
  const marked = (mark: string, lines: readonly string[]) =>
    lines.flatMap((line) =>
      line.endsWith('\n')
        ? [mark + line.slice(0, -1)]
        : [mark + line, '\\ No newline at end of file'],
    )
  return {
    oldStart: from + 1,
    oldLines: shown(old).length,
    newStart: from + 1,
    newLines: shown(now).length,
    lines: [
      ...marked(' ', old.slice(from, head)),
      ...marked('-', old.slice(head, old.length - tail)),
      ...marked('+', now.slice(head, now.length - tail)),
      ...marked(' ', now.slice(now.length - tail).slice(0, around)),
    ],
  }
}

/** Splits a text into lines with their line feeds; the last may have none. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/**
 * Writes a range as unified diffs have it; one line needs no count, and an empty one is named by the line before it.
 */
function range(start: number, count: number): string {
  if (count === 1) return `${start}`
  return `${count === 0 ? start - 1 : start},${count}`
}
