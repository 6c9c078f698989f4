import { anySignal } from '../../main/async/any-signal'
import { DiskError } from '../../main/disk/interface/disk'
import { AppError } from '../../shared/model/basics/errors'

/** Place where a person types what they say. */
export interface TalkTerminal {
  /** Resolves to what they say next; to undefined when they have ended it (Ctrl+D), or when the signal aborts. */
  next(signal: AbortSignal): Promise<string | undefined>
}

interface TalkDeps {
  readonly terminal: TalkTerminal
  /** Sends a message, and resolves when the answer is printed. */
  readonly send: (prompt: string, signal: AbortSignal) => Promise<void>
  readonly say: (words: string) => void
  /** Has Ctrl+C do something else than end the command, until it is given back. */
  readonly onInterrupt: (act: () => void) => () => void
}

/**
 * Talks with a person at a terminal until they end it. Ctrl+C stops an answer, of which what came is kept; a second
 * one while that still ends is the command's again. A failure is printed, and the next message is read.
 *
 * @throws AppError `cancelled` where the command itself is ended
 */
export async function talk(deps: TalkDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const prompt = await deps.terminal.next(signal)
    if (signal.aborted) throw new AppError('cancelled', 'Stopped.')
    if (prompt === undefined) return
    await answer(prompt, deps, signal)
    if (signal.aborted) throw new AppError('cancelled', 'Stopped.')
  }
}

async function answer(
  prompt: string,
  { send, say, onInterrupt }: TalkDeps,
  signal: AbortSignal,
): Promise<void> {
  const halt = anySignal([signal])
  const giveBack = onInterrupt(() => {
    giveBack()
    halt.release()
  })
  try {
    await send(prompt, halt.signal)
  } catch (error) {
    if (!(error instanceof AppError || error instanceof DiskError)) throw error
    // Ctrl+C before anything was written: nothing is printed.
    if (!halt.signal.aborted) say(error.message)
  } finally {
    giveBack()
    halt.release()
  }
}
