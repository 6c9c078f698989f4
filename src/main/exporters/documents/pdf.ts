import type { Exporter } from '../parts/exporter'
import { htmlExporter } from './html'

/**
 * The page that the HTML exporter writes, with all that it folds unfolded, since nothing unfolds on paper. Whoever saves it has it
 * printed: see `isPrinted`.
 */
export const pdfExporter: Exporter = {
  ...htmlExporter,
  id: 'pdf',
  extension: 'pdf',
  mediaType: 'application/pdf',
  isPrinted: true,
  async *write(conversation, options, signal) {
    // Each is whole sections, and a text has no tags.
    for await (const piece of htmlExporter.write(conversation, options, signal))
      yield typeof piece === 'string' ? piece.replaceAll('<details>', '<details open>') : piece
  },
}
