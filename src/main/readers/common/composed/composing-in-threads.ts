import type { SourceId } from '../../../../shared/model/conversation/sources'
import { type Disk, DiskError } from '../../../disk/interface/disk'
import {
  type ComposedFormat,
  type KnownRecord,
  readAbout,
} from '../../../records/lines/composed-format'
import type { FoundName } from '../found-files'
import type { LookElsewhere, SeenFile } from '../reader'

/** Composing of record files in threads, ahead of a list. */
export interface ComposingInThreads {
  /** See `HistoryReader.lookInto`. */
  lookInto(files: readonly SeenFile[], disk: Disk, signal: AbortSignal): Promise<readonly unknown[]>
  /**
   * Has threads compose files that were never composed, so that a list finds what it needs of them known. Where there are
   * no threads, or little to read, nothing is done: the list composes each when it comes to it.
   */
  ahead(
    files: readonly SeenFile[],
    signal: AbortSignal,
    elsewhere: LookElsewhere | undefined,
  ): Promise<void>
}

/** Creates what has threads compose files of a format. @param name of the record file that each of them has */
export function composingInThreads(
  source: SourceId,
  format: ComposedFormat,
  name: string,
): ComposingInThreads {
  return {
    async lookInto(files, disk, signal) {
      const found: (KnownRecord | undefined)[] = []
      for (const { path } of files) {
        signal.throwIfAborted()
        found.push(await aboutOf(disk, path, format.id, name))
      }
      return found
    },
    async ahead(files, signal, elsewhere) {
      const unknown = files.filter(({ path }) => !format.knows(path, name))
      const told = (await elsewhere?.(source, unknown, signal)) ?? []
      for (const [at, { path }] of unknown.entries()) {
        const known = told[at]
        // The thread has the same reader.
        if (known !== undefined) format.learn(path, name, known as KnownRecord)
      }
    },
  }
}

/** Reads what a list needs to know of a file of a composed format; undefined where it cannot be read. */
export async function aboutOf(
  disk: Disk,
  container: string,
  format: string,
  name: string,
): Promise<KnownRecord | undefined> {
  try {
    return await readAbout(disk, { container, format, name })
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return undefined
  }
}

/** Returns the file of a listed name for a look; none where it cannot be read. @param path absolute */
export function seenFile(
  path: string,
  { stat, fault }: Omit<FoundName, 'name'>,
): readonly SeenFile[] {
  return stat?.kind === 'file' && fault === undefined ? [{ path, stat }] : []
}
