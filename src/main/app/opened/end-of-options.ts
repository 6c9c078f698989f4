/** Skein's own options whose value is the next argument. */
const valued = new Set(['--home', '--cache', '--root'])

/** Lists the places of arguments that are values of options of Skein's own. */
export function placesOfValues(argv: readonly string[]): ReadonlySet<number> {
  const places = new Set<number>()
  for (const [at, word] of argv.entries())
    if (valued.has(word) && !places.has(at)) places.add(at + 1)
  return places
}

/**
 * Returns where the options end: the index of the first `--` that is no option's value, or the count of arguments. What is behind it is a
 * file, whatever it is called.
 */
export function endOfOptions(argv: readonly string[]): number {
  const values = placesOfValues(argv)
  const at = argv.findIndex((word, place) => word === '--' && !values.has(place))
  return at === -1 ? argv.length : at
}
