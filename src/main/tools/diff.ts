/** Unchanged lines shown around a change, as everywhere. */
const around = 3

/** Beyond so many differing lines the search for the shortest script costs more than it tells; the middle is replaced whole. */
const mostEdits = 1000

/** A run of lines that are in both texts, or in one alone; the positions are indices into the lines of each. */
interface Step {
  readonly type: 'same' | 'removed' | 'added'
  readonly old: number
  readonly new: number
}

/**
 * What turns one text into another, as a unified diff with three lines of context; '' where they are equal. Lines end at
 * a line feed alone, so a carriage return is part of its line, and a text without a last line feed is marked as usual.
 *
 * `undefined` for a text means that there is no file. Names are written as they are: without line feeds.
 *
 * Source: Myers, "An O(ND) difference algorithm and its variations" (1986), the greedy form.
 */
export function unifiedDiff(
  before: string | undefined,
  after: string | undefined,
  name: string,
): string {
  if (before === after) return ''
  const old = linesOf(before ?? '')
  const now = linesOf(after ?? '')
  const hunks = hunksOf(steps(old, now))
  const head = [
    `--- ${before === undefined ? '/dev/null' : `a/${name}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${name}`}`,
  ]
  return `${[...head, ...hunks.flatMap((hunk) => hunkLines(hunk, old, now))].join('\n')}\n`
}

/** Lines with their line feeds; the last may have none. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function steps(old: readonly string[], now: readonly string[]): readonly Step[] {
  const shortest = Math.min(old.length, now.length)
  let head = 0
  while (head < shortest && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail])
    tail += 1
  const middle = middleSteps(
    old.slice(head, old.length - tail),
    now.slice(head, now.length - tail),
  ).map((step) => ({ ...step, old: step.old + head, new: step.new + head }))
  const same = (count: number, oldFrom: number, newFrom: number): Step[] =>
    Array.from({ length: count }, (_, i) => ({ type: 'same', old: oldFrom + i, new: newFrom + i }))
  return [...same(head, 0, 0), ...middle, ...same(tail, old.length - tail, now.length - tail)]
}

function middleSteps(old: readonly string[], now: readonly string[]): readonly Step[] {
  const trace = shortestTrace(old, now)
  if (trace === undefined)
    return [
      ...old.map((_, i): Step => ({ type: 'removed', old: i, new: 0 })),
      ...now.map((_, i): Step => ({ type: 'added', old: old.length, new: i })),
    ]
  const back: Step[] = []
  let x = old.length
  let y = now.length
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const reach = trace[d] ?? new Map<number, number>()
    const k = x - y
    const isDown = goesDown(reach, k, d)
    const fromK = isDown ? k + 1 : k - 1
    const fromX = d === 0 ? 0 : (reach.get(fromK) ?? 0)
    const fromY = d === 0 ? 0 : fromX - fromK
    while (x > fromX && y > fromY) back.push({ type: 'same', old: --x, new: --y })
    if (d === 0) break
    if (isDown) back.push({ type: 'added', old: x, new: --y })
    else back.push({ type: 'removed', old: --x, new: y })
  }
  return back.reverse()
}

/**
 * For each number of edits `d`, how far on each diagonal one had come with `d - 1`; undefined where more edits are
 * needed than are looked for.
 */
function shortestTrace(
  old: readonly string[],
  now: readonly string[],
): readonly ReadonlyMap<number, number>[] | undefined {
  const trace: ReadonlyMap<number, number>[] = []
  let reach = new Map<number, number>([[1, 0]])
  for (let d = 0; d <= Math.min(mostEdits, old.length + now.length); d += 1) {
    trace.push(reach)
    const further = new Map<number, number>()
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(reach, k, d) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1
      let y = x - k
      while (x < old.length && y < now.length && old[x] === now[y]) {
        x += 1
        y += 1
      }
      further.set(k, x)
      if (x >= old.length && y >= now.length) return trace
    }
    reach = further
  }
  return undefined
}

function goesDown(reach: ReadonlyMap<number, number>, k: number, d: number): boolean {
  if (k === -d) return true
  if (k === d) return false
  return (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1)
}

/** Changes with the lines around them; those that would touch are one. */
function hunksOf(all: readonly Step[]): readonly (readonly Step[])[] {
  const hunks: Step[][] = []
  let end = 0
  for (const [i, step] of all.entries()) {
    if (step.type === 'same') continue
    const begin = Math.max(i - around, 0)
    const last = hunks.at(-1)
    if (last !== undefined && begin <= end) last.push(...all.slice(end, i + 1))
    else hunks.push(all.slice(begin, i + 1))
    const next = all.slice(i + 1, i + 1 + around)
    const following = next.findIndex(({ type }) => type !== 'same')
    const kept = following === -1 ? next : next.slice(0, following)
    hunks.at(-1)?.push(...kept)
    end = i + 1 + kept.length
  }
  return hunks
}

function hunkLines(
  hunk: readonly Step[],
  old: readonly string[],
  now: readonly string[],
): readonly string[] {
  const first = hunk[0]
  if (first === undefined) return []
  const oldCount = hunk.filter(({ type }) => type !== 'added').length
  const newCount = hunk.filter(({ type }) => type !== 'removed').length
  const lines = hunk.map((step) => {
    const line = (step.type === 'added' ? now[step.new] : old[step.old]) ?? ''
    const mark = { same: ' ', removed: '-', added: '+' }[step.type]
    return line.endsWith('\n')
      ? `${mark}${line.slice(0, -1)}`
      : `${mark}${line}\n\\ No newline at end of file`
  })
  return [`@@ -${range(first.old, oldCount)} +${range(first.new, newCount)} @@`, ...lines]
}

/** An empty range is named by the line before it. */
function range(from: number, count: number): string {
  if (count === 1) return `${from + 1}`
  return `${count === 0 ? from : from + 1},${count}`
}
