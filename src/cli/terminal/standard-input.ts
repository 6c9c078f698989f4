import { streamBytes } from '../../main/disk/node/pipe'

/**
 * Reads standard input to its end, or to one byte more than `limitBytes`; undefined where it is a terminal.
 *
 * @throws the signal's reason
 */
export async function standardInputBytes(
  limitBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const { stdin } = process
  if (stdin.isTTY) return undefined
  signal.throwIfAborted()
  const stop = () => stdin.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await streamBytes(stdin, limitBytes)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
