/** Returns the index of the first of these rising numbers that is above a limit; their count where none is. */
export function firstAbove(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) > limit) high = middle
    else low = middle + 1
  }
  return low
}
