import type { Outline } from './outline'

/**
 * Finds for each conversation the position of the one that its origin names; undefined where that is not among them.
 * Several can have had the name: one that has it now, and others that were renamed since. The one meant was there
 * when the branch was made; of several such, the one that has the name now.
 */
export function originsAmong(outlines: readonly Outline[]): (number | undefined)[] {
  const bearers = new Map<string, number[]>()
  const bear = (source: string, key: string, i: number) => {
    const name = `${source} ${key}`
    const known = bearers.get(name)
    if (known === undefined) bearers.set(name, [i])
    else known.push(i)
  }
  for (const [i, { source, key }] of outlines.entries()) bear(source, key, i)
  for (const [i, { source, formerKeys }] of outlines.entries())
    for (const key of formerKeys) bear(source, key, i)
  return outlines.map(({ origin, createdMs }) => {
    if (origin === undefined) return undefined
    const known = bearers.get(`${origin.source} ${origin.key}`) ?? []
    const wasThere = known.find(
      (i) => (outlines[i]?.createdMs ?? 0) <= (createdMs ?? Number.POSITIVE_INFINITY),
    )
    return wasThere ?? known[0]
  })
}
