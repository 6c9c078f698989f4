import { AppError } from '../basics/errors'

/** A part of a conversation's files that could not be read. Nothing is known of what stands in it. */
export interface UnreadPart {
  /** As places name it. */
  readonly file: string
  /** Everything before this byte was read; of a packed file, of its content. */
  readonly fromByte: number
  /**
   * `failed`: the disk refused, and may not the next time. `missing`: the file is named and is not there, or is no file.
   * `damaged`: an archive that nobody can unpack any further.
   */
  readonly cause: 'failed' | 'missing' | 'damaged'
  /** For people: a sentence that names the file and the reason. */
  readonly sentence: string
}

/** Stands in a sequence in the place of what could not be read. */
export class Gap {
  readonly part: UnreadPart

  constructor(part: UnreadPart) {
    this.part = part
  }
}

const pieces = Symbol('pieces')

/**
 * A sequence that is read from files, of which parts may not be readable. What is in it is only given to a caller that
 * says what a missing part means for it: `requireWhole`, or `allowGaps`.
 */
export interface Reading<T> {
  /** Of the conversation, for words about it. */
  readonly name: string
  readonly [pieces]: AsyncIterable<T | Gap>
}

/** Makes a reading of a sequence that has a gap wherever a part could not be read. */
export function readingOf<T>(name: string, all: AsyncIterable<T | Gap>): Reading<T> {
  return { name, [pieces]: all }
}

/**
 * Gives what is in a reading, and fails at the first part that could not be read. Parts behind the last piece that is
 * taken do not matter.
 *
 * @throws AppError `unreadable`, with the file and the reason in its words; and what the reading throws
 */
export async function* requireWhole<T>(reading: Reading<T>): AsyncGenerator<T, void> {
  for await (const piece of reading[pieces]) {
    if (piece instanceof Gap) throw notWholeError(reading.name, [piece.part])
    yield piece
  }
}

/**
 * Gives what can be read.
 *
 * @param unread is told each part that could not be, when its place in the sequence comes; may throw
 * @throws what the reading throws
 */
export async function* allowGaps<T>(
  reading: Reading<T>,
  unread: (part: UnreadPart) => void,
): AsyncGenerator<T, void> {
  for await (const piece of reading[pieces]) {
    if (piece instanceof Gap) unread(piece.part)
    else yield piece
  }
}

/** The same reading with other pieces in the place of its own. @param change is given the gaps too, to be passed on */
export function changeReading<T, U>(
  reading: Reading<T>,
  change: (all: AsyncIterable<T | Gap>) => AsyncIterable<U | Gap>,
): Reading<U> {
  return readingOf(reading.name, change(reading[pieces]))
}

/** For `allowGaps`: refuses what may be readable the next time, and leaves out what is damaged or gone for good. */
export function refuseFailed(name: string): (part: UnreadPart) => void {
  return (part) => {
    if (part.cause === 'failed') throw notWholeError(name, [part])
  }
}

/** That something is not done, since not all of a conversation could be read. */
export function notWholeError(name: string, parts: readonly UnreadPart[]): AppError {
  const words = [...new Set(parts.map(({ sentence }) => sentence))].join(' ')
  return new AppError('unreadable', `Not all of "${name}" can be read. ${words}`)
}

/** What a missing part means for a caller: the whole fails with AppError `unreadable`, or the part is told and left out. */
export type OnGap = 'refuse' | ((part: UnreadPart) => void)

/** Does with parts that could not be read what the caller said. @throws AppError `unreadable` where that is to refuse */
export function handleGaps(name: string, parts: readonly UnreadPart[], onGap: OnGap): void {
  if (onGap !== 'refuse') parts.forEach(onGap)
  else if (parts.length > 0) throw notWholeError(name, parts)
}
