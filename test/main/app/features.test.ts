import { expect, it } from 'vitest'
import { keyringBackend } from '../../../src/main/app/features'

it('tells the keyring where the runtime does', () => {
  const storage = {
    backend: 'gnome_libsecret',
    getSelectedStorageBackend() {
      return this.backend
    },
  }
  expect(keyringBackend(storage)).toBe('gnome_libsecret')
})

it('tells nothing where the runtime is too old to know', () => {
  expect(keyringBackend({ isEncryptionAvailable: () => true })).toBeUndefined()
  expect(keyringBackend({ getSelectedStorageBackend: 'no function' })).toBeUndefined()
})
