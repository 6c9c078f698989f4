import { AppError } from '../basics/errors'

/** A part of a conversation's files that could not be read. Nothing is known of its content. */
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
 * Yields the items of a reading, and throws at the first part that could not be read. Parts behind the last piece
 * that is taken do not matter.
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
 * Yields the items that can be read.
 *
 * @param unread gets each part that could not be read, at its place in the sequence; may throw
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

/**
 * Returns a reading of the same name whose pieces are those that `change` makes.
 *
 * @param change is given the gaps too, to be passed on
 */
export function changeReading<T, U>(
  reading: Reading<T>,
  change: (all: AsyncIterable<T | Gap>) => AsyncIterable<U | Gap>,
): Reading<U> {
  return readingOf(reading.name, change(reading[pieces]))
}

/**
 * Returns a handler for `allowGaps` that throws AppError `unreadable` for a part that may be readable the next time,
 * and leaves out parts that are damaged or gone for good.
 */
export function refuseFailed(name: string): (part: UnreadPart) => void {
  return (part) => {
    if (part.cause === 'failed') throw notWholeError(name, [part])
  }
}

/** Makes the AppError `unreadable` that says which parts of a conversation could not be read. */
export function notWholeError(name: string, parts: readonly UnreadPart[]): AppError {
  const words = [...new Set(parts.map(({ sentence }) => sentence))].join(' ')
  return new AppError('unreadable', `Not all of "${name}" can be read. ${words}`)
}

/**
 * Handling of an unread part: `refuse` throws AppError `unreadable`; a function takes the part, and reading goes on
 * without it.
 */
export type OnGap = 'refuse' | ((part: UnreadPart) => void)

/** Hands each part to `onGap`. @throws AppError `unreadable` where `onGap` is `refuse` and there is a part */
export function handleGaps(name: string, parts: readonly UnreadPart[], onGap: OnGap): void {
  if (onGap !== 'refuse') parts.forEach(onGap)
  else if (parts.length > 0) throw notWholeError(name, parts)
}
