import path from 'node:path'
import type { Disk, DiskFile, FileStat } from '../../disk/interface/disk'
import { parseMemberPath } from '../../disk/unpack/zip-path'

/**
 * A way of presenting what lies in a container (a JSON document, a database) as files of one JSON value a line: a *record
 * file* for each conversation, one source record (message, node, row) a line, in the order in which they are read.
 *
 * The same container gives the same bytes each time. Size, time or identity of a record file are others whenever earlier
 * bytes of it are. Both methods throw DiskError and nothing else, and write nothing.
 */
export interface RecordFormat {
  /** Part of the paths of its record files: small letters, digits and hyphens. */
  readonly id: string
  /** Undefined where the container has no such records, or is gone. */
  stat(disk: Disk, container: string, name: string): Promise<FileStat | undefined>
  /** Opens for reading. @throws DiskError `not-found` */
  open(disk: Disk, container: string, name: string): Promise<DiskFile>
  /** The stretch of the container that a record file was made of, in bytes, where it is one: the original. */
  stretchOf?(name: string): readonly [start: number, end: number] | undefined
}

/** The place of a record file: the container's path, the format's id, and a name that the format gave. */
export interface RecordPlace {
  readonly container: string
  readonly format: string
  readonly name: string
}

const recordPattern = /^(.+)[\\/]!([a-z][a-z0-9-]*)[\\/]([^\\/]+)$/s

/**
 * Returns the path of a record file, `<container>/!<format>/<name>`. No real file has it, since the container is a file
 * itself.
 */
export function recordPath({ container, format, name }: RecordPlace): string {
  return path.join(container, `!${format}`, encoded(name))
}

/** Parses a path that may be one of a record file; undefined for any other. */
export function parseRecordPath(target: string): RecordPlace | undefined {
  const [, container, format, name] = recordPattern.exec(target) ?? []
  if (container === undefined || format === undefined || name === undefined) return undefined
  try {
    return { container, format, name: decodeURIComponent(name) }
  } catch {
    return undefined // Nothing that was made here.
  }
}

/** Returns the file on the disk that a path leads into: a record file's container, a member's zip, or the path itself. */
export function realFileOf(target: string): string {
  const document = parseRecordPath(target)?.container ?? target
  return parseMemberPath(document)?.zip ?? document
}

/** Without separators, and never a name that stands for a folder. */
function encoded(name: string): string {
  const safe = encodeURIComponent(name)
  return /^\.+$/.test(safe) ? safe.replaceAll('.', '%2E') : safe
}
