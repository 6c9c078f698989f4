import { useStore } from 'zustand'
import { useStores } from './context'
import type { Queue } from './queue'

/** Follows the messages that wait in a conversation, read from what was kept the first time. */
export function useQueue(key: string): Queue {
  const { queue } = useStores()
  const known = useStore(queue, ({ queues }) => queues[key])
  const get = useStore(queue, (state) => state.get)
  return known ?? get(key)
}
