import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../../shared/model/basics/errors'
import { Mutex } from '../../async/mutex'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readSmallFile } from '../../disk/reading/read'
import { removeIfThere, replaceFile } from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { moveAside } from '../../disk/writing/move-aside'
import { webOrigin } from '../base/base-url'
import { isForeignFileError, saveError } from '../base/save-errors'

/**
 * The vault of the keys that a person enters in Settings.
 *
 * A key belongs to the web origin (scheme, host, port) of the base URL that held when it was entered, and is
 * returned for no other: changing the address later, by hand or by a file, does not give another provider's key
 * away. So several providers' keys are kept at once.
 */
export interface KeyVault {
  /**
   * Returns the system's protection of secrets. `weak`: any program of this user can read them. `none`: there is
   * none; keys last until Skein closes.
   */
  strength(): 'strong' | 'weak' | 'none'
  /** @throws AppError `unreadable` when keys are kept that cannot be read now */
  get(baseUrl: string): Promise<string | undefined>
  /**
   * Durable on return, unless the strength is `none`. null forgets the key. @throws AppError `bad-argument`,
   * `disk-full`, `io`
   */
  set(baseUrl: string, key: string | null): Promise<void>
}

/** The vault of the command line, which has only the environment and files: always empty. */
export const environmentVault: KeyVault = {
  strength: () => 'none',
  get: async () => undefined,
  set: async () => {
    throw new AppError('read-only', 'The command line stores no keys: set OPENROUTER_API_KEY.')
  },
}

/** The encryption of the operating system: Electron's safeStorage. */
export interface Cipher {
  strength(): 'strong' | 'weak' | 'none'
  encrypt(text: string): Uint8Array
  decrypt(bytes: Uint8Array): string
}

const Kept = z.object({ version: z.literal(1), keys: z.record(z.string(), z.string()) })
type Keys = Readonly<Record<string, string>>

/**
 * Returns a vault in one encrypted file. Where the system encrypts nothing, keys stay in memory and the file is not
 * touched.
 */
export function createFileVault(deps: {
  readonly disk: Disk
  readonly file: string
  readonly cipher: Cipher
}): KeyVault {
  const { disk, file, cipher } = deps
  const inMemory = new Map<string, string>()
  const changes = new Mutex()

  /**
   * Reads the keys; undefined where the keychain does not open the file. @throws DiskError where it cannot be read at
   * this moment
   */
  const read = async (): Promise<Keys | undefined> => {
    try {
      const bytes = await readSmallFile(disk, file)
      if (bytes === undefined) return {}
      return Kept.parse(JSON.parse(cipher.decrypt(bytes))).keys
    } catch (error) {
      if (error instanceof DiskError && !isForeignFileError(error)) throw error
      return undefined // The keychain or the text in the file: whichever, the key cannot be had.
    }
  }

  const change = async (origin: string, key: string | null) => {
    const found = await read()
    // A keychain that is locked today may open tomorrow: what it encrypted is moved aside, not written over.
    if (found === undefined) await moveAside(disk, file)
    const { [origin]: _old, ...others } = found ?? {}
    const keys = key === null ? others : { ...others, [origin]: key }
    if (Object.keys(keys).length === 0) return removeIfThere(disk, file)
    await makeDurableFolder(disk, path.dirname(file))
    const bytes = cipher.encrypt(JSON.stringify({ version: 1, keys }))
    // Its owner's alone, also where it was open to others before.
    await replaceFile(disk, file, bytes, { durable: true, permissions: { like: [] } })
  }

  return {
    strength: () => cipher.strength(),
    async get(baseUrl) {
      const origin = webOrigin(baseUrl)
      if (origin === undefined) return undefined
      if (cipher.strength() === 'none') return inMemory.get(origin)
      const keys = await read().catch(() => undefined)
      if (keys === undefined)
        throw new AppError(
          'unreadable',
          "The stored key cannot be read: the system's keychain does not open it. Enter the key again.",
        )
      return keys[origin]
    },
    async set(baseUrl, key) {
      const origin = webOrigin(baseUrl)
      if (origin === undefined)
        throw new AppError('bad-argument', 'Set a base URL first: a key belongs to an address.')
      if (cipher.strength() === 'none') {
        if (key === null) inMemory.delete(origin)
        else inMemory.set(origin, key)
        return
      }
      try {
        await changes.run(() => change(origin, key))
      } catch (error) {
        throw saveError('The key was', error)
      }
    },
  }
}
