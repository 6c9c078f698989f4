import type { Api } from '../../../shared/ipc/contract'
import type { RunState } from '../../../shared/ipc/runs/completion'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { type CompletionStore, isRunActive } from '../run/completion'
import type { QueueStore } from '../run/queue'

interface QueueStores {
  readonly queue: QueueStore
  readonly completion: CompletionStore
}

/** Sends the first message that waits, unless it is held, or an answer is coming. One that is refused waits on. */
export async function sendNextQueued(
  { queue, completion }: QueueStores,
  key: LibraryKey,
): Promise<void> {
  if (isRunActive(completion.getState().runs[key])) return
  const message = queue.getState().take(key)
  if (message === undefined) return
  const { text, images } = message
  queue.getState().settle(key, await completion.getState().startBeside(key, text, images))
}

/** Has messages go out when the answer before them is whole, also where it is not on the screen; returns what ends it. */
export function followQueue(api: Api, stores: QueueStores): () => void {
  const { queue } = stores
  const ends = [
    api.completion.onState((state) => {
      if (isRunActive(state)) return
      const reason = reasonToWait(state)
      if (reason === undefined) void sendNextQueued(stores, state.key)
      else queue.getState().hold(state.key, reason)
    }),
    api.contexts.onRenamed(({ from, to }) => queue.getState().move(from, to)),
    // Else it would go to the next context of that name.
    api.contexts.onDestroyed(({ key }) => queue.getState().clear(key)),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** After a reload: where an answer is still coming, what waits for it goes on by itself. */
export function resumeQueues({ queue, completion }: QueueStores): void {
  for (const run of Object.values(completion.getState().runs))
    if (isRunActive(run) && queue.getState().get(run.key).hold === 'reopened')
      queue.getState().release(run.key)
}

function reasonToWait({ phase, unfinished }: RunState) {
  if (phase === 'stopped' || phase === 'failed') return phase
  return unfinished === true ? 'unfinished' : undefined
}
