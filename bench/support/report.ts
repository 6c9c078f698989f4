/** One figure of a benchmark, beside what it may be. */
export interface Row {
  readonly name: string
  readonly figure: number
  readonly unit: string
  /** Such as "at least 0.8"; undefined where the figure stands for information alone. */
  readonly budget: string | undefined
  readonly ok: boolean
}

export function atLeast(name: string, figure: number, unit: string, least: number): Row {
  return { name, figure, unit, budget: `at least ${least}`, ok: figure >= least }
}

export function atMost(name: string, figure: number, unit: string, most: number): Row {
  return { name, figure, unit, budget: `at most ${most}`, ok: figure <= most }
}

export function forInformation(name: string, figure: number, unit: string): Row {
  return { name, figure, unit, budget: undefined, ok: true }
}

/** Hands the rows to the runner, which reads them from stdout. */
export function report(rows: readonly Row[]): void {
  process.stdout.write(`${JSON.stringify(rows)}\n`)
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** How long the work takes, in milliseconds. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
