import type { TranscriptWriter } from '../../src/main/store/core/writer-types'
import { AppError, type ErrorCode } from '../../src/shared/model/basics/errors'
import type { Entry, EntryDraft } from '../../src/shared/model/conversation/entry'
import type { Cursor } from '../../src/shared/model/conversation/transcript'

/** A writer over arrays, for tests of what writes: what it did, in order, is in `log`. */
export interface MemoryWriter extends TranscriptWriter {
  readonly entries: readonly Entry[]
  /** Such as `append message`, `partial (a thought)hello`, `discard`. */
  readonly log: readonly string[]
  /** The partial file as it stands; undefined where there is none. */
  readonly partial: string | undefined
  /** What stands in the partial file becomes this entry after a crash. */
  readonly partialDraft: EntryDraft | undefined
  loseLock(): void
}

/**
 * @param options.fails the code with which an operation fails; called before each with its log line
 * @param options.begins entries that stand in the window already
 */
export function memoryWriter(
  context: string,
  options: {
    readonly fails?: (operation: string) => ErrorCode | undefined
    readonly begins?: readonly Entry[]
  } = {},
): MemoryWriter {
  const entries: Entry[] = [...(options.begins ?? [])]
  const log: string[] = []
  const lost = new AbortController()
  let partial: string | undefined
  let partialDraft: EntryDraft | undefined

  const note = (operation: string) => {
    const code = lost.signal.aborted ? 'lock-lost' : options.fails?.(operation)
    if (code !== undefined) throw new AppError(code, `${operation}: ${code}`)
    log.push(operation)
  }

  return {
    context,
    lost: lost.signal,
    get entries() {
      return entries
    },
    get log() {
      return log
    },
    get partial() {
      return partial
    },
    get partialDraft() {
      return partialDraft
    },
    loseLock: () => lost.abort(),
    async append(draft) {
      note(`append ${draft.entry_type}`)
      const entry: Entry = { ...draft, file: 'memory.jsonl', offset: entries.length, length: 1 }
      entries.push(entry)
      return { entry, after: `${entries.length}` as Cursor }
    },
    async window() {
      note('window')
      return [...entries]
    },
    async startPartial(draft) {
      note('start partial')
      partialDraft = draft
      partial = ''
      return {
        update(text, reasoning = '') {
          log.push(`partial ${reasoning === '' ? '' : `(${reasoning})`}${text}`)
          partial = text
        },
        async discard() {
          note('discard')
          partial = undefined
        },
      }
    },
    async close() {
      log.push('close')
    },
  }
}
