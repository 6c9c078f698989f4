import { countWithNoun } from './plural'

/** Formats a number of bytes: "811 bytes", "86 KB", "4.1 MB"; a KB has 1024. */
export function formatByteSize(bytes: number): string {
  if (bytes < 1024) return countWithNoun(bytes, 'byte')
  const units = ['KB', 'MB', 'GB', 'TB']
  let size = bytes / 1024
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1024
    unit++
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}
