/** Items at once: enough to keep the disk busy, few enough to leave file handles for other work. */
const atOnce = 16

/** Does the work for each item, a few at a time; results in the items' order. Fails with the first failure. */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  limit: number = atOnce,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length)
  let next = 0
  const run = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T) // i < length
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run))
  return results
}
