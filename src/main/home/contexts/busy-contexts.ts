import type { Store } from '../../store/store'

/** Contexts that Skein writes though no run is going on there: their messages are summarized or cleared. */
export interface BusyContexts {
  has(key: string): boolean
  /** Does work that writes in a context. The events of what grew by it come before the work counts as ended, so it is not taken for somebody else's. */
  during<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Does the same for work in steps. */
  through<Step, End>(
    key: string,
    work: AsyncGenerator<Step, End, void>,
  ): AsyncGenerator<Step, End, void>
}

/** Opens the record of them. @param refresh reads a conversation's row again and sends its event; never rejects */
export function openBusyContexts(refresh: (key: string) => Promise<void>): BusyContexts {
  const counts = new Map<string, number>()

  function begin(key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  async function end(key: string): Promise<void> {
    // The window takes a growth for somebody else's unless the row says that it is ours, before or with it.
    await refresh(key)
    const left = (counts.get(key) ?? 1) - 1
    if (left > 0) counts.set(key, left)
    else counts.delete(key)
    await refresh(key)
  }

  return {
    has: (key) => counts.has(key),
    async during(key, work) {
      begin(key)
      try {
        return await work()
      } finally {
        await end(key)
      }
    },
    async *through(key, work) {
      begin(key)
      try {
        return yield* work
      } finally {
        await end(key)
      }
    },
  }
}

/** Makes entries of the answers that a crash cut off in these contexts. Never rejects: what fails is noted. */
export async function recoverAnswers(
  store: Pick<Store, 'openWriter'>,
  names: readonly string[],
  busy: BusyContexts,
  note: (words: string) => void,
): Promise<void> {
  for (const name of names) {
    try {
      await busy.during(name, async () => {
        const writer = await store.openWriter(name, { create: false, waitMs: 0 })
        await writer.close()
      })
    } catch (error) {
      note(`${name}: an interrupted answer waits to be kept: ${String(error)}`)
    }
  }
}
