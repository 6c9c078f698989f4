import { AppError } from '../../../shared/model/basics/errors'
import { entryTimeMs } from '../../../shared/model/basics/time'
import {
  callUserMessage,
  type Entry,
  isAnchor,
  shownText,
} from '../../../shared/model/conversation/entry'
import { requireWhole } from '../../../shared/model/conversation/reading'
import type { SentAround, SentNeighbour } from '../../../shared/model/run/sent'
import { entryModel } from '../../../shared/model/run/usage'
import type { ContextAsOf } from '../../store/context-window'
import { answerStarts, isCallEntry, laterAnswerStarts } from './answers'

const shownChars = 160

/**
 * Rejects where an entry begins no answer.
 *
 * @throws AppError `bad-argument` where the entry begins no answer; `unreadable` where the entries before it, which
 * decide that, cannot be read
 */
export async function requireAnswer({ entry, before }: ContextAsOf): Promise<void> {
  for await (const first of answerStarts(from(entry, requireWhole(before())))) {
    if (first === entry) return
    break
  }
  throw new AppError('bad-argument', 'This entry is not an answer from a model.')
}

/**
 * Reads the answers that one can be compared with: back to the answer before the window's anchor, and on to the
 * first one of the window after.
 *
 * @throws AppError `unreadable` where an unreadable part may hold a nearer one
 */
export async function readNeighbours(asOf: ContextAsOf): Promise<SentAround> {
  const { entry } = asOf
  let previous: Entry | undefined
  let beforeWindow: Entry | undefined
  // Answers come late: by then the anchor behind them has been read.
  const isBefore = new WeakMap<Entry, boolean>()
  let hasAnchor = false
  async function* marked() {
    for await (const one of requireWhole(asOf.before())) {
      isBefore.set(one, hasAnchor)
      hasAnchor ||= isAnchor(one)
      yield one
    }
  }
  for await (const one of answerStarts(from(entry, marked()))) {
    if (one === entry) continue
    previous ??= one
    if (isBefore.get(one) !== true) continue
    beforeWindow = one
    break
  }

  let next: Entry | undefined
  let afterWindow: Entry | undefined
  let anchor: Entry | undefined
  for await (const { entry: one, anchors } of laterAnswerStarts(
    entry,
    requireWhole(asOf.after()),
  )) {
    next ??= one
    anchor ??= anchors[0]
    if (anchor === undefined || isCopy(one, anchor)) continue
    afterWindow = one
    break
  }
  return {
    ...(previous === undefined ? {} : { previous: neighbour(previous) }),
    ...(next === undefined ? {} : { next: neighbour(next) }),
    ...(beforeWindow === undefined ? {} : { beforeWindow: neighbour(beforeWindow) }),
    ...(afterWindow === undefined ? {} : { afterWindow: neighbour(afterWindow) }),
  }
}

/** chibi writes again behind a compaction what it keeps, as it was. */
function isCopy(one: Entry, anchor: Entry): boolean {
  return one.timestamp !== null && anchor.timestamp !== null && one.timestamp < anchor.timestamp
}

function neighbour(entry: Entry): SentNeighbour {
  const model = entryModel(entry)
  const text =
    isCallEntry(entry) && callUserMessage(entry) === undefined
      ? `${entry.to} ${entry.content}`
      : shownText(entry)
  const words = text
    .slice(0, shownChars * 4)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(words)
  return {
    entryId: entry.id,
    atMs: entryTimeMs(entry.timestamp) ?? null,
    ...(model === undefined ? {} : { model }),
    words: characters.length > shownChars ? `${characters.slice(0, shownChars).join('')}…` : words,
  }
}

async function* from(first: Entry, rest: AsyncIterable<Entry>): AsyncGenerator<Entry, void> {
  yield first
  yield* rest
}
