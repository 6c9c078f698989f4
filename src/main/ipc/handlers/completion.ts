import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../current/current-home'

/** Serves runs, and the approvals that they wait for. */
export function completionHandlers(
  home: CurrentHome<'contexts' | 'runs' | 'approvals'>,
): Handlers<Contract['completion']> {
  return {
    begin: ({ text, images = [], files = [] }) => home().contexts.begin({ text, images, files }),
    start: async ({ key, text, images = [], files = [] }) => ({
      runId: await home().runs.start({ context: key, text, images, files, create: false }),
    }),
    retry: async ({ key }) => ({ runId: await home().runs.start({ context: key, create: false }) }),
    cancel: async ({ runId }) => home().runs.cancel(runId),
    running: async () => [...home().runs.running()],
    decide: ({ consentId, digest, decision }) =>
      home().approvals.decide(consentId, digest, decision),
    asking: async () => [...home().approvals.pending()],
  }
}
