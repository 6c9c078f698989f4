import { safeStorage } from 'electron'
import { keyringBackend } from './features'

// On Linux without a keyring Chromium falls back to a key in its source: any program can read it. Before
// the app is ready the backend is "unknown"; a runtime that cannot tell is not trusted either.
const weakBackends: ReadonlySet<string | undefined> = new Set(['basic_text', 'unknown', undefined])

/** Encrypts with what the operating system offers; `none` where it offers nothing. */
export const systemCipher = {
  strength(): 'strong' | 'weak' | 'none' {
    if (!safeStorage.isEncryptionAvailable()) return 'none'
    if (process.platform !== 'linux') return 'strong'
    return weakBackends.has(keyringBackend(safeStorage)) ? 'weak' : 'strong'
  },
  encrypt(text: string): Uint8Array {
    return safeStorage.encryptString(text)
  },
  decrypt(bytes: Uint8Array): string {
    return safeStorage.decryptString(Buffer.from(bytes))
  },
}
