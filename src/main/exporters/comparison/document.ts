import type { ComparedSides } from '../../../shared/model/comparison/compare-sides'
import type { ComparisonFormat } from '../../../shared/model/export'
import { comparisonHtml } from './html'
import { comparisonMarkdown } from './markdown'

/**
 * Writes a comparison in a format, in pieces. The same comparison gives the same bytes, whoever asks.
 *
 * @param unread parts that could not be read and are not compared, a sentence each
 */
export function comparisonDocument(
  format: ComparisonFormat,
  compared: ComparedSides,
  unread: readonly string[],
): Generator<string> {
  return format === 'md' ? comparisonMarkdown(compared, unread) : comparisonHtml(compared, unread)
}
