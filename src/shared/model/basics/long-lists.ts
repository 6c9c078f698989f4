/** Appends all values to a list. Unlike `push(...values)` it takes any number: a call takes some 100,000 arguments. */
export function pushAll<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value)
}

/** Returns the largest of any number of numbers; -Infinity of none, as `Math.max` does. */
export function largestOf(numbers: Iterable<number>): number {
  let largest = Number.NEGATIVE_INFINITY
  for (const number of numbers) largest = Math.max(largest, number)
  return largest
}

/** Returns the smallest of any number of numbers; Infinity of none, as `Math.min` does. */
export function smallestOf(numbers: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY
  for (const number of numbers) smallest = Math.min(smallest, number)
  return smallest
}
