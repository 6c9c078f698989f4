import type { Api } from '../../../shared/ipc/contract'
import type { ReadPdf } from '../../../shared/model/attachments/pdf'

/** Makes the function that has PDFs read outside of the page. */
export function pdfReader(api: Pick<Api, 'completion'>): ReadPdf<AbortSignal> {
  return async (bytes, stop) => {
    const readingId = crypto.randomUUID()
    const stopNow = () => void api.completion.stopPdf({ readingId }).catch(() => undefined)
    stop?.addEventListener('abort', stopNow)
    try {
      return await api.completion.readPdf({ readingId, bytes: new Uint8Array(bytes) })
    } catch {
      return { fault: 'cannot be read' }
    } finally {
      stop?.removeEventListener('abort', stopNow)
    }
  }
}
