import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { ReadPdf } from '../../../shared/model/attachments/pdf'
import type { CurrentHome } from '../current/current-home'
import type { EndingWork } from './exports'

/** Serves runs, the approvals that they wait for, and the text of PDFs that go with a message. */
export function completionHandlers(
  home: CurrentHome<'contexts' | 'runs' | 'approvals'>,
  readPdf: ReadPdf<AbortSignal>,
  ending: EndingWork,
): Handlers<Contract['completion']> {
  /** PDFs that are read, by the names that the page gave. */
  const pdfs = new Map<string, AbortController>()
  return {
    begin: ({ text, images = [], files = [] }) => home().contexts.begin({ text, images, files }),
    start: async ({ key, text, images = [], files = [] }) => ({
      runId: await home().runs.start({ context: key, text, images, files, create: false }),
    }),
    async readPdf({ readingId, bytes }) {
      const stop = new AbortController()
      pdfs.set(readingId, stop)
      try {
        return await ending.run((ended) => {
          ended.addEventListener('abort', () => stop.abort())
          return readPdf(bytes, stop.signal)
        })
      } finally {
        pdfs.delete(readingId)
      }
    },
    stopPdf: async ({ readingId }) => pdfs.get(readingId)?.abort(),
    retry: async ({ key }) => ({ runId: await home().runs.start({ context: key, create: false }) }),
    cancel: async ({ runId }) => home().runs.cancel(runId),
    running: async () => [...home().runs.running()],
    decide: ({ consentId, digest, decision }) =>
      home().approvals.decide(consentId, digest, decision),
    asking: async () => [...home().approvals.pending()],
  }
}
