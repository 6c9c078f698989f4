import type { Contract } from '../../../shared/ipc/contract'
import type { ConsentAsked, ConsentDecision, ConsentId } from '../../../shared/ipc/runs/completion'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../open-home'

/** Where a person's word is given on the calls of a home. */
export interface ConsentDesk {
  /**
   * Does nothing when the question has ended; asks outside of the page where a page alone may not decide.
   *
   * @param digest of what was asked, as it was told
   * @throws AppError `bad-argument` for another digest, `busy`
   */
  decide(consentId: ConsentId, digest: string, decision: ConsentDecision): Promise<void>
  /** Oldest first. */
  pending(): readonly ConsentAsked[]
}

export function completionHandlers(
  home: CurrentHome,
  consents: () => ConsentDesk,
): Handlers<Contract['completion']> {
  return {
    start: async ({ key, text, images = [], create }) => ({
      runId: await home().runs.start({ context: key, text, images, create }),
    }),
    retry: async ({ key }) => ({ runId: await home().runs.start({ context: key, create: false }) }),
    cancel: async ({ runId }) => home().runs.cancel(runId),
    running: async () => [...home().runs.running()],
    decide: ({ consentId, digest, decision }) => consents().decide(consentId, digest, decision),
    asking: async () => [...consents().pending()],
  }
}
