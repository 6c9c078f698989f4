import { TransformStream } from 'node:stream/web'
import type { DiskFile } from '../interface/disk'
import { writeAll } from '../writing/atomic'
import { loadAge } from './load-age'

/** A file that is encrypted while it is written. */
export interface AgeWriter {
  /** Takes bytes in, all of them, at the end. @throws DiskError */
  write(bytes: Uint8Array): Promise<number>
  /** Writes what is left. Nothing may follow; not durable before the file is synced. @throws DiskError */
  finish(): Promise<void>
  /** Ends it without what is left; resolves once nothing is written to the file any more. */
  abandon(): Promise<void>
}

/** The work of making a key of a passphrase, as a power of two: what `age` itself asks for; about a second and 256 MB. */
const usualWorkFactor = 18

/**
 * Begins an age file in an open, empty file, which a passphrase opens. Holds a few pieces of 64 KB.
 *
 * @param path of the file, for errors
 * @param workFactor for tests: a lower one makes passphrases quicker to guess
 * @throws DiskError
 */
export async function openAgeWriter(
  file: Pick<DiskFile, 'write'>,
  path: string,
  passphrase: string,
  workFactor = usualWorkFactor,
): Promise<AgeWriter> {
  const { Encrypter } = await loadAge()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  const plain = new TransformStream<Uint8Array, Uint8Array>()
  const encrypted = (await encrypter.encrypt(plain.readable)).getReader()
  const writer = plain.writable.getWriter()

  const pump = async () => {
    try {
      for (let next = await encrypted.read(); !next.done; next = await encrypted.read())
        await writeAll(file, path, next.value)
    } catch (error) {
      await encrypted.cancel(error).catch(() => undefined)
      throw error
    }
  }
  const pumped = pump()
  // The streams fail with what they please: `pumped` has the reason, for whoever writes next.
  pumped.catch(() => undefined)
  writer.closed.catch(() => undefined)
  const orReason = async (work: Promise<void>) => {
    try {
      await work
    } catch (error) {
      await pumped
      throw error
    }
  }

  return {
    async write(bytes) {
      // The streams hold it while the caller goes on.
      await orReason(writer.write(new Uint8Array(bytes)))
      return bytes.length
    },
    async finish() {
      await orReason(writer.close())
      await pumped
    },
    async abandon() {
      await writer.abort().catch(() => undefined)
      await pumped.catch(() => undefined)
    },
  }
}
