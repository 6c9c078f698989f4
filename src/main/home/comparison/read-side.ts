import { AppError } from '../../../shared/model/basics/errors'
import { firstWords } from '../../../shared/model/basics/first-words'
import { isGeneratedName } from '../../../shared/model/basics/title'
import { uncomparedDamage } from '../../../shared/model/comparison/compare-sides'
import { type ForkedSide, SharedFacts } from '../../../shared/model/comparison/forked-side'
import { type Entry, isWrittenByPerson, shownText } from '../../../shared/model/conversation/entry'
import { allowGaps } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import type { ForkedWay } from '../../library/families'
import type { SourceRef } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { readingInWords } from '../export/tolerant-reading'

/** One side to read: where it lies, and the entries on its way. Plain data: it crosses to another thread. */
export interface SideJob {
  readonly ref: SourceRef
  /** The title that was given to it in Skein; its own where there is none. */
  readonly givenTitle: string | undefined
  readonly way: ForkedWay
}

/** A side as it was read, and the parts that could not be, a sentence each. */
export interface ReadSide {
  readonly side: ForkedSide
  readonly unread: readonly string[]
}

/** Most characters of one side after the fork: they are held while the comparison is open. */
const mostCharacters = 300_000_000

/**
 * Reads one side: the facts of what it shares, and the entries that it alone has. What was appended since the fork was
 * found is on the way where that has no end.
 *
 * @throws AppError `not-found`, `unreadable`, `bad-argument` it is too long; the signal's reason
 */
export async function readSide(
  disk: Disk,
  { ref, givenTitle, way }: SideJob,
  signal: AbortSignal,
): Promise<ReadSide> {
  const reader = readers.find(({ id }) => id === ref.source)
  if (reader === undefined) throw new Error(`no reader for ${ref.source}`)
  const roles = rolesOf(way)
  const own = new Map<number, Entry>()
  const appended: Entry[] = []
  const facts = new SharedFacts()
  const unread = new Set<string>()
  let title = givenTitle
  // Nobody chose the name of such a context: it is called by its first words, as in every list.
  let isNamed = givenTitle !== undefined || ref.source !== 'chibi' || !isGeneratedName(ref.key)
  let position = -1
  let characters = 0
  let damagedLines = 0
  const reading = readingInWords(reader.read(ref, disk, signal))
  for await (const fact of allowGaps(reading, ({ sentence }) => void unread.add(sentence))) {
    signal.throwIfAborted()
    if (fact.type === 'conversation') title ??= fact.conversation.title
    if (fact.type === 'damaged') damagedLines += 1
    if (fact.type !== 'entry') continue
    position += 1
    if (!isNamed && isWrittenByPerson(fact.entry)) {
      title = firstWords(shownText(fact.entry)) || title
      isNamed = true
    }
    const isAppended = way.openAfter !== undefined && position >= way.openAfter
    const role = roles[position] ?? 0
    if (role === inShared) facts.add(fact.entry)
    if (role === inOwn) own.set(position, fact.entry)
    else if (isAppended) appended.push(fact.entry)
    else continue
    characters += fact.entry.content.length
    if (characters > mostCharacters)
      throw new AppError(
        'bad-argument',
        `"${title ?? ref.key}" has more than 300 million characters after the fork, too many to compare.`,
      )
  }
  if (position === -1 && way.shared.length + way.after.length > 0)
    throw new AppError('not-found', `There is no conversation "${ref.key}" any more.`)
  const after = way.after.flatMap((at) => own.get(at) ?? [])
  return {
    side: {
      conversation: { source: ref.source, key: ref.key, title: title ?? ref.key },
      shared: facts.part(),
      after: [...after, ...appended],
    },
    unread: [...unread, ...uncomparedDamage(damagedLines, title ?? ref.key)],
  }
}

const inShared = 1
const inOwn = 2

/** The part of the way that each entry is in, by its position. */
function rolesOf({ shared, after }: ForkedWay): Uint8Array {
  const last = (positions: readonly number[]) => positions.reduce((a, b) => Math.max(a, b), -1)
  const roles = new Uint8Array(Math.max(last(shared), last(after)) + 1)
  for (const at of shared) roles[at] = inShared
  for (const at of after) roles[at] = inOwn
  return roles
}
