import { AppError } from '../../../shared/model/basics/errors'
import type { Exporter } from '../parts/exporter'

/**
 * The bytes that a conversation was read from, unchanged: a file of its own whole, with its header and blank and damaged
 * lines; of a transcript in several files, or in files that others share, its lines one after the other.
 */
export const originalExporter: Exporter = {
  id: 'original',
  extension: 'jsonl',
  mediaType: 'application/octet-stream',
  branches: 'all',
  hasBranches: true,
  hasProject: true,
  hasMeta: true,
  lostOf: () => [],
  async *write({ key, originals }, _options, signal) {
    if (originals === undefined)
      throw new AppError('unreadable', `The files of "${key}" are not at hand.`)
    for await (const bytes of originals()) {
      signal.throwIfAborted()
      yield bytes
    }
  },
}
