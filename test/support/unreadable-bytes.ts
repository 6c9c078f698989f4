import fs from 'node:fs'
import { vi } from 'vitest'

/** Readings of a file's bytes as a bad disk fails them. */
export interface UnreadableBytes {
  /** Readings that touched these bytes so far. */
  readonly failed: () => number
  restore(): void
}

/**
 * Makes every blocking reading fail that touches some bytes, of any file, until it is restored.
 *
 * @param from the first of these bytes
 * @param bytes how many there are
 */
export function unreadableBytes(from: number, bytes: number): UnreadableBytes {
  const real = fs.readSync as (...given: unknown[]) => number
  let failed = 0
  const spy = vi.spyOn(fs, 'readSync').mockImplementation(((...given: unknown[]) => {
    const [, , , length, position] = given
    const isTouched = Number(position) < from + bytes && Number(position) + Number(length) > from
    if (!isTouched) return real(...given)
    failed += 1
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
  }) as typeof fs.readSync)
  return { failed: () => failed, restore: () => spy.mockRestore() }
}
