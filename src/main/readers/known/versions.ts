/** Longest version that is taken for one; what a file names may be anything. */
const longestVersion = 40

/** Returns the version that a text is, such as `0.154.0-alpha.3`; undefined for anything else. A number is one too. */
export function versionIn(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  if (typeof value !== 'string' || value.length > longestVersion) return undefined
  const text = value.trim()
  return /^v?\d+(?:\.\d+)*(?:[-+][\w.+-]*)?$/.test(text) ? text.replace(/^v/, '') : undefined
}

/**
 * Tells whether a version is newer than another, by as many numbers as that has: `0.154.7` is not newer than `0.154`. Words
 * such as `-beta` do not count.
 */
export function isNewerVersion(version: string, than: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(than)]
  for (const [at, other] of others.entries()) {
    const number = numbers[at] ?? 0
    if (number !== other) return number > other
  }
  return false
}

function numbersOf(version: string): readonly number[] {
  return (/^[\d.]+/.exec(version)?.[0] ?? '').split('.').map(Number)
}
