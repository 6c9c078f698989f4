import type { Contract } from '../../shared/ipc/contract'
import type { Handlers } from '../../shared/ipc/primitives'
import type { CurrentHome } from './open-home'

export function completionHandlers(home: CurrentHome): Handlers<Contract['completion']> {
  return {
    start: async ({ key, text, create }) => ({
      runId: await home().runs.start({ context: key, text, create }),
    }),
    retry: async ({ key }) => ({ runId: await home().runs.start({ context: key, create: false }) }),
    cancel: async ({ runId }) => home().runs.cancel(runId),
    running: async () => [...home().runs.running()],
  }
}
