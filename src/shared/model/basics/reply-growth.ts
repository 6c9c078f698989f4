/**
 * Creates a function that takes the numbers of records in order, and returns by how much each adds to what the earlier records
 * of its reply had: some systems write a reply as several records, whose numbers grow. Those of a record that names no
 * reply are returned as they are. Remembers the numbers of every reply.
 */
export function replyGrowth<T extends object>(): (reply: unknown, numbers: T) => T {
  const known = new Map<string, Readonly<Record<string, number>>>()
  return (reply, numbers) => {
    if (typeof reply !== 'string') return numbers
    const before = known.get(reply) ?? {}
    const greatest: Record<string, number> = { ...before }
    const added: { [name: string]: unknown } = Object.fromEntries(Object.entries(numbers))
    for (const [name, value] of Object.entries(numbers)) {
      if (typeof value !== 'number') continue
      const earlier = before[name] ?? 0
      greatest[name] = Math.max(earlier, value)
      added[name] = Math.max(0, value - earlier)
    }
    known.set(reply, greatest)
    return added as T // Its numbers are less, and nothing else is another.
  }
}
