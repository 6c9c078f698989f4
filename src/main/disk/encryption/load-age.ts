import { webcrypto } from 'node:crypto'

/**
 * Loads the library that writes and opens age files; some 10 ms the first time.
 *
 * It draws its keys from the global `crypto`, which Node 18 has as `webcrypto` alone: there the platform's own object gets
 * that name first.
 */
export async function loadAge() {
  if (!('crypto' in globalThis))
    Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true })
  return import('age-encryption')
}
