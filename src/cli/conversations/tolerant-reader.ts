import { isUnreadable, readingInWords } from '../../main/home/export/tolerant-reading'
import type { HistoryReader, SourceRef } from '../../main/readers/common/reader'
import { changeReading } from '../../shared/model/conversation/reading'

export { isUnreadable } from '../../main/home/export/tolerant-reading'

/**
 * Wraps a reader: a list that fails is reported and ends there, and what it listed before remains. A conversation
 * that cannot be read fails as AppError `unreadable`, whatever the disk's error was.
 *
 * @param note gets a sentence for what cannot be listed
 *
 * @param choose which conversations are listed, and as what: all as they are unless told
 */
export function tolerantReader(
  reader: HistoryReader,
  note: (words: string) => void,
  choose: (ref: SourceRef) => SourceRef | undefined = (ref) => ref,
): HistoryReader {
  const { accounts } = reader
  return {
    ...reader,
    list: (root, disk, signal) =>
      noted(picked(reader.list(root, disk, signal), choose), signal, note),
    read: (ref, disk, signal) => readingInWords(reader.read(ref, disk, signal)),
    ...(accounts === undefined
      ? {}
      : {
          accounts: (root, disk, signal) =>
            changeReading(accounts(root, disk, signal), (all) => noted(all, signal, note)),
        }),
  }
}

async function* picked(
  refs: AsyncIterable<SourceRef>,
  choose: (ref: SourceRef) => SourceRef | undefined,
): AsyncGenerator<SourceRef> {
  for await (const ref of refs) {
    const chosen = choose(ref)
    if (chosen !== undefined) yield chosen
  }
}

async function* noted<T>(
  all: AsyncIterable<T>,
  signal: AbortSignal,
  note: (words: string) => void,
): AsyncGenerator<T> {
  try {
    yield* all
  } catch (error) {
    if (signal.aborted || !isUnreadable(error)) throw error
    note(error.message)
  }
}

/** Says the same words once. */
export function sayOnce(say: (words: string) => void): (words: string) => void {
  const said = new Set<string>()
  return (words) => {
    if (said.has(words)) return
    said.add(words)
    say(words)
  }
}
