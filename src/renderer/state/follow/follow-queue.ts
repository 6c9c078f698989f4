import type { Api } from '../../../shared/ipc/contract'
import type { RunState } from '../../../shared/ipc/runs/completion'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { type CompletionStore, isRunActive } from '../run/completion'
import type { QueueStore } from '../run/queue'

interface QueueStores {
  readonly queue: QueueStore
  readonly completion: CompletionStore
}

/**
 * Sends the first queued message, unless the queue is held or a run is active. A refused message stays in the queue.
 */
export async function sendNextQueued(
  { queue, completion }: QueueStores,
  key: LibraryKey,
): Promise<void> {
  if (isRunActive(completion.getState().runs[key])) return
  const message = queue.getState().take(key)
  if (message === undefined) return
  const { text, images, files } = message
  const isSent = await completion.getState().startBeside(key, text, { images, files })
  queue.getState().settle(key, isSent)
}

/**
 * Sends queued messages of any conversation when the answer before them is complete. Returns a function that stops
 * it.
 */
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
    // Or it would be sent in the next context of that name.
    api.contexts.onDestroyed(({ key }) => queue.getState().clear(key)),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Releases queues after a reload where the answer before them is still active. */
export function resumeQueues({ queue, completion }: QueueStores): void {
  for (const run of Object.values(completion.getState().runs))
    if (isRunActive(run) && queue.getState().get(run.key).hold === 'reopened')
      queue.getState().release(run.key)
}

function reasonToWait({ phase, unfinished }: RunState) {
  if (phase === 'stopped' || phase === 'failed') return phase
  return unfinished === true ? 'unfinished' : undefined
}
