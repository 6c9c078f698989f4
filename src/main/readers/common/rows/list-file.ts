import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { Disk, DiskFile, FileStat } from '../../../disk/interface/disk'
import { readWholeFile } from '../../../disk/reading/read'
import { bytesFile } from '../../../records/interface/bytes-file'
import { recordPath } from '../../../records/interface/record-format'
import type { DatabaseListing } from './conversation-lister'

/** The name of the record file that lists the conversations of a database, one a line. No conversation has it as its id. */
export const databaseListName = '.list'

/** A line of that file. */
export type ListedLine =
  | {
      readonly type: 'conversation'
      readonly id: string
      readonly sizeBytes: number
      readonly mtimeMs: number
      readonly identity: string
      /** Facts for a list, such as the conversation's own row; absent where it has none. */
      readonly about?: JsonObject | undefined
    }
  /** A conversation that cannot be read; reading it reports why. */
  | { readonly type: 'unread'; readonly id: string }
  /** The reason why conversations may be missing, as the end of a sentence. */
  | { readonly type: 'fault'; readonly fault: string }

/** Returns the lines of a database's listing, for its conversations those that `lineOf` makes. */
export function linesOfListing<One>(
  { all, unread, fault }: DatabaseListing<One>,
  lineOf: (one: One) => Omit<Extract<ListedLine, { type: 'conversation' }>, 'type'> | undefined,
): readonly ListedLine[] {
  const there = all.flatMap((one): readonly ListedLine[] => {
    const line = lineOf(one)
    return line === undefined ? [] : [{ type: 'conversation', ...line }]
  })
  const lost = [...unread.keys()].map((id): ListedLine => ({ type: 'unread', id }))
  return [...there, ...lost, ...(fault === undefined ? [] : [{ type: 'fault', fault } as const])]
}

/** Makes the record file of a list. @param place of the database @param found its stat */
export function listFileOf(
  place: { readonly container: string; readonly format: string },
  found: FileStat,
  lines: readonly ListedLine[],
): DiskFile {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return bytesFile(recordPath({ ...place, name: databaseListName }), Buffer.from(text), found)
}

const largestListBytes = 1024 * 1024 * 1024

/**
 * Reads the list of a database's conversations, which its format makes.
 *
 * @param disk on which record files can be opened
 * @throws DiskError
 */
export async function readListFile(
  disk: Disk,
  container: string,
  format: string,
): Promise<readonly ListedLine[]> {
  return readListLines<ListedLine>(disk, { container, format, name: databaseListName })
}

/** Reads the lines of a list that a database's format makes, of the type that it makes them. @throws DiskError */
export async function readListLines<Line>(
  disk: Disk,
  place: Parameters<typeof recordPath>[0],
): Promise<readonly Line[]> {
  const bytes = await readWholeFile(disk, recordPath(place), largestListBytes)
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  // The format has made it.
  return lines.flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line)))
}
