import type { Store } from '../store/store'
import type { BusyContexts } from './busy-contexts'

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
