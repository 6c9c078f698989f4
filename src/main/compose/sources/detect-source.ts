import { allowGaps } from '../../../shared/model/conversation/reading'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { Disk } from '../../disk/interface/disk'
import type { History } from '../../library/sources/histories'
import { countedDisk } from './counted-disk'
import { untilAborted } from './until-aborted'

type Reader = History['reader']

/** Finds out whose conversations a folder or a file holds: one at a time, a later one ends an earlier one. */
export interface Detection {
  /** Files that were seen so far; undefined while nothing is looked into. */
  readonly files: number | undefined
  /**
   * The systems whose readers find a conversation there, in their order; `isWhole` unless it was stopped. `isUnderstood` where they make
   * sense of it, and not only of its name.
   */
  detect(file: string): Promise<{
    readonly found: SourceId[]
    readonly isWhole: boolean
    readonly isUnderstood: boolean
  }>
  stop(): void
}

/**
 * Opens a detection of the systems that `readers` read.
 *
 * @param told is called when something changed; often
 */
export function openDetection(disk: Disk, readers: readonly Reader[], told: () => void): Detection {
  let going: { readonly files: Set<string>; readonly controller: AbortController } | undefined

  return {
    get files() {
      return going?.files.size
    },
    async detect(file) {
      going?.controller.abort()
      const mine = { files: new Set<string>(), controller: new AbortController() }
      going = mine
      told()
      const { signal } = mine.controller
      const counted = countedDisk(disk, new Set([{ files: mine.files, seen: told }]))
      const listed: { readonly reader: Reader; readonly ref: History['ref'] }[] = []
      for (const reader of readers) {
        if (signal.aborted) break
        const ref = await firstListed(reader, file, counted, signal)
        if (ref !== undefined) listed.push({ reader, ref })
      }
      const known: SourceId[] = []
      // Names of files tell little: many systems have files of JSON lines.
      for (const { reader, ref } of listed)
        if (await isUnderstood(reader, ref, counted, signal)) known.push(reader.id)
      const found = known.length > 0 ? known : listed.map(({ reader }) => reader.id)
      if (going === mine) going = undefined
      told()
      return { found, isWhole: !signal.aborted, isUnderstood: known.length > 0 }
    },
    stop: () => going?.controller.abort(),
  }
}

async function firstListed(
  reader: Reader,
  file: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<History['ref'] | undefined> {
  try {
    for await (const ref of untilAborted(reader.list(file, disk, signal), signal)) return ref
  } catch {
    // A reader that cannot read it finds nothing there; its root shows that once it is added.
  }
  return undefined
}

/** Facts that are read of a conversation, to see whether they make sense to the reader. */
const mostFacts = 100

/** Whether the beginning of a conversation has messages, and no more that the reader does not know or cannot read. */
async function isUnderstood(
  reader: Reader,
  ref: History['ref'],
  disk: Disk,
  signal: AbortSignal,
): Promise<boolean> {
  let known = 0
  let strange = 0
  try {
    let facts = 0
    for await (const fact of allowGaps(reader.read(ref, disk, signal), () => undefined)) {
      if (fact.type === 'damaged') strange += 1
      if (fact.type === 'entry') {
        if (fact.entry.entry_type === 'unknown') strange += 1
        else known += 1
      }
      facts += 1
      if (facts >= mostFacts || signal.aborted) break
    }
  } catch {
    return false
  }
  return known > strange
}
