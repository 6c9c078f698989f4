import { AppError } from '../../../shared/model/basics/errors'
import type { SettingsApproval } from '../base/approval'
import { keyHint, secret } from '../base/secret'
import type { KeyVault } from '../stored/key-vault'

/**
 * Keeps a key for an address, once a person has allowed it; null forgets it.
 *
 * @throws AppError `denied`, `weak-keychain` unless allowed, `bad-argument`, `disk-full`, `io`
 */
export async function storeProviderKey(
  vault: KeyVault,
  baseUrl: string,
  key: string | null,
  allowWeak: boolean,
  allow: Pick<SettingsApproval, 'key'>,
): Promise<void> {
  if (key === null) return vault.set(baseUrl, null)
  assertKept(vault, allowWeak)
  const clean = cleanKey(key)
  await allow.key(baseUrl, keyHint(secret(clean)))
  await vault.set(baseUrl, clean)
}

function assertKept(vault: KeyVault, allowWeak: boolean): void {
  if (allowWeak || vault.strength() === 'strong') return
  throw new AppError(
    'weak-keychain',
    vault.strength() === 'weak'
      ? 'This system does not protect stored secrets: any program that you run could read the key.'
      : 'This system has no keychain: the key would be forgotten when Skein closes.',
  )
}

function cleanKey(key: string): string {
  const clean = key.trim()
  if (!/^[\x21-\x7e]+$/.test(clean))
    throw new AppError(
      'bad-argument',
      'A key has no spaces, line breaks or special characters. Copy the whole key again.',
    )
  return clean
}
