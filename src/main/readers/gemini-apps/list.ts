import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import type { DocumentShape } from '../../records/document/shape'
import { recordFileRef } from '../common/composed/record-file-ref'
import { documentIndexes, type IndexedElement } from '../common/document-index'
import { timeIn } from '../common/drafts'
import { findDocuments } from '../common/find-documents'
import type { LookElsewhere, SourceRef } from '../common/reader'
import { isGeminiHeader, isNoPrompt } from './line'
import { activitiesFormat, activityStretch } from './records'

const shape: DocumentShape = {
  id: activitiesFormat,
  // Every activity has the list of products that it is of.
  records: 'products',
  facts: ['header', 'title', 'time'],
  record: { id: ['id'], parent: ['parent'], time: ['time'] },
}

/** The indexes of the documents of activities. */
export const activityIndexes = documentIndexes({
  source: 'gemini-apps',
  shape,
  isOwn: ({ header }) => isGeminiHeader(header),
})

/** As Takeout names the file, by the language of the account. */
const documentNames =
  /^(?:my ?activity|meineaktivitäten|miactividad|monactivité|lemieattività|minhaatividade)[^/]*\.json$/i

/** A pause after which a person has begun something else: activities name no conversation. In seconds. */
const longestPause = 30 * 60

/**
 * Lists the conversations in all exports under a root: activities without a pause of half an hour between them. Its key is the time
 * of its first; of two exports the one counts that has more of it.
 *
 * @throws AppError `unreadable` a document cannot be read to its end; what can be read is listed before
 */
export async function* listActivities(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const found = await findDocuments(root, disk, signal, documentNames)
  const seen = found.documents.map(({ file, stat }) => ({
    path: path.join(found.root, file),
    stat,
  }))
  const indexes = await activityIndexes.of(seen, disk, signal, elsewhere)
  const faults = [...found.faults]
  const chosen = new Map<string, SourceRef>()
  for (const [at, { file, stat }] of found.documents.entries()) {
    const index = indexes[at]
    if (index === undefined) faults.push(`${file} cannot be read.`)
    if (index?.fault !== undefined) faults.push(`${file}: ${index.fault}.`)
    for (const { start, end, first } of conversationsOf(index?.elements ?? [])) {
      const key = first ?? `${path.posix.basename(file)}@${start}`
      const by = {
        source: 'gemini-apps',
        format: activitiesFormat,
        name: activityStretch(start, end),
      } as const
      const { ref } = await recordFileRef(by, { root: found.root, key, file, one: { stat } }, disk)
      const before = chosen.get(key)
      if (before === undefined || ref.bytes > before.bytes) chosen.set(key, ref)
    }
  }
  yield* chosen.values()
  const [fault] = faults
  if (fault !== undefined) throw new AppError('unreadable', fault, { detail: faults.join('\n') })
}

interface Conversation {
  readonly start: number
  readonly end: number
  /** The time of its first activity, as it is written; undefined where it has none. */
  readonly first: string | undefined
}

interface OpenConversation {
  start: number
  readonly end: number
  time: number | undefined
  readonly first: string | undefined
  /** Something in it was said. */
  isAsked: boolean
}

/** The newest comes first in a document; one that ends early is not whole, and its last activity not there. */
function conversationsOf(elements: readonly IndexedElement[]): readonly Conversation[] {
  const found: Conversation[] = []
  let open: OpenConversation | undefined
  const close = () => {
    if (open?.isAsked === true) found.push({ start: open.start, end: open.end, first: open.first })
    open = undefined
  }
  // From the oldest on, so that it grows towards the beginning of the document.
  for (const { start, end, facts, isTorn } of [...elements].reverse()) {
    if (isTorn || !isGeminiHeader(facts.header)) continue
    const first = typeof facts.time === 'string' ? facts.time : undefined
    const time = timeIn(first)
    const isSame =
      open?.time !== undefined && time !== undefined && Math.abs(time - open.time) <= longestPause
    const isAsked = typeof facts.title !== 'string' || !isNoPrompt(facts.title)
    if (open !== undefined && isSame)
      Object.assign(open, { start, time, isAsked: open.isAsked || isAsked })
    else {
      close()
      open = { start, end, time, first, isAsked }
    }
  }
  close()
  return found.reverse()
}
