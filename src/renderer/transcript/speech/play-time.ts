/** Formats a position in a recording: "0:07", "1:02:09". */
export function playTime(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000)
  const two = (number: number) => String(number).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`
}
