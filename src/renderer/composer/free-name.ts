/** Returns a folder name by the local date that is not in `taken`: `chat-2026-11-28`, `chat-2026-11-28-2`. */
export function freeName(now: Date, taken: ReadonlySet<string>): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const name = `chat-${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}-${number}`)) number++
  return `${name}-${number}`
}
