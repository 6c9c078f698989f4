import type { Outline } from './outline'

/**
 * For each conversation the position of the one that its origin names, where it is among them.
 *
 * A name can have had several bearers: one that is called so now, and others that were renamed since. Meant is one that
 * was there when the branch was made; of those, the one that is called so now.
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
