import type { LossReport, SavedAll } from '../../../shared/model/export'
import { sumLosses } from '../../exporters/losses'
import type { Exporter } from '../../exporters/parts/exporter'
import type { SavedConversation } from '../../home/export/exports'

/** Failures that are reported in words; the others are counted. */
const mostFailures = 100

/**
 * Gathers the results of an export of several into one answer.
 *
 * @param done hears how many conversations are done, before each
 */
export async function gatherSaved(
  saved: AsyncIterable<SavedConversation>,
  exporter: Exporter,
  done: (count: number) => void,
): Promise<Omit<SavedAll, 'place' | 'stopped'>> {
  const reports: LossReport[] = []
  const failures: string[] = []
  let [failed, bytes, count] = [0, 0, 0]
  let redacted: number | undefined
  const fail = (words: string) => {
    failed += 1
    if (failures.length < mostFailures) failures.push(words)
  }
  done(count)
  for await (const one of saved) {
    if (one.type === 'failed') fail(`${one.key} was not exported: ${one.message}`)
    else {
      reports.push(one.losses)
      bytes += one.bytes
      if (one.redacted !== undefined) redacted = (redacted ?? 0) + one.redacted.places
      if (one.unread.length > 0) fail(`${one.title} is not whole: ${one.unread.join(' ')}`)
    }
    count += 1
    done(count)
  }
  const losses = sumLosses(exporter, reports)
  return {
    ...{ conversations: reports.length, bytes, losses, failures, failed },
    ...(redacted === undefined ? {} : { redacted }),
  }
}
