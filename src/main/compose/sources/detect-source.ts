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
  /** The systems whose readers find a conversation there, in their order; `isWhole` unless it was stopped. */
  detect(file: string): Promise<{ readonly found: SourceId[]; readonly isWhole: boolean }>
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
      const found: SourceId[] = []
      for (const reader of readers) {
        if (signal.aborted) break
        const isFound = await findsSomething(
          reader,
          file,
          countedDisk(disk, new Set([{ files: mine.files, seen: told }])),
          signal,
        )
        if (isFound) found.push(reader.id)
      }
      if (going === mine) going = undefined
      told()
      return { found, isWhole: !signal.aborted }
    },
    stop: () => going?.controller.abort(),
  }
}

async function findsSomething(
  reader: Reader,
  file: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for await (const _ref of untilAborted(reader.list(file, disk, signal), signal)) return true
  } catch {
    // A reader that cannot read it finds nothing there; its root shows that once it is added.
  }
  return false
}
