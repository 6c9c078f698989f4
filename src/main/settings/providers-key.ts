import { AppError } from '../../shared/model/errors'
import type { KeyVault } from './key-vault'

/**
 * Keeps a key for an address; null forgets it.
 *
 * @throws AppError `weak-keychain` unless allowed, `bad-argument`, `disk-full`, `io`
 */
export async function keepKey(
  vault: KeyVault,
  baseUrl: string,
  key: string | null,
  allowWeak: boolean,
): Promise<void> {
  if (key !== null) assertKept(vault, allowWeak)
  await vault.set(baseUrl, key === null ? null : cleanKey(key))
}

function assertKept(vault: KeyVault, allowWeak: boolean): void {
  if (allowWeak || vault.strength() === 'strong') return
  throw new AppError(
    'weak-keychain',
    vault.strength() === 'weak'
      ? 'This system keeps secrets badly: any program that you run could read the key.'
      : 'This system keeps no secrets for programs: the key would be forgotten when Skein closes.',
  )
}

function cleanKey(key: string): string {
  const clean = key.trim()
  if (!/^[\x21-\x7e]+$/.test(clean))
    throw new AppError(
      'bad-argument',
      'A key holds no spaces, line breaks or special letters. Copy it again, whole.',
    )
  return clean
}
