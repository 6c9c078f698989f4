import { AppError } from '../../../shared/model/basics/errors'
import { Cursor } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import type { TranscriptFile } from '../core/transcript-file'
import { openUnmoved } from './file-facts'
import { readLegacyDocument } from './legacy-document'

/** A position between two lines. */
export interface Position {
  /** Index into the context's files; their count stands for the end of a context without files. */
  readonly file: number
  /** Bytes; in a document, records. */
  readonly offset: number
  /** The number of the line that begins here, where it is known. */
  readonly line: number | undefined
}

/** Returns the position after the last line of a context's files. */
export function endPosition(files: readonly TranscriptFile[]): Position {
  const file = Math.max(0, files.length - 1)
  return { file, offset: files.at(-1)?.sizeBytes ?? 0, line: undefined }
}

/**
 * Returns the cursor of a position. It names the file by its identity, so it is still valid after a rotation moves the
 * file.
 */
export function cursorAt(
  file: TranscriptFile | undefined,
  offset: number,
  line: number | undefined,
): Cursor {
  return Cursor.parse(
    file === undefined ? 'empty' : [file.identity, offset, line ?? '', file.place].join('|'),
  )
}

/**
 * Finds the position of a cursor.
 *
 * @throws AppError `bad-argument` it is none; `not-found` its file was replaced by another: read the page again
 */
export async function resolveCursor(
  disk: Disk,
  cursor: Cursor,
  files: readonly TranscriptFile[],
): Promise<Position> {
  if (cursor === 'empty') return { file: 0, offset: 0, line: 1 }
  const match = /^([^|]+)\|(\d+)\|(\d*)\|(.+)$/s.exec(cursor)
  if (match === null) throw new AppError('bad-argument', 'This is not a position in a transcript.')
  const [, identity, offsetText, lineText, place] = match
  const offset = Number(offsetText)
  const line = lineText === '' ? undefined : Number(lineText)
  const same = files.findIndex((file) => file.identity === identity)
  if (same >= 0) return { file: same, offset, line }
  // Another file under the same name, such as a restored copy: right only where a line begins there too.
  const named = files.findIndex((file) => file.place === place)
  const file = files[named]
  if (file && (await beginsLine(disk, file, offset)))
    return { file: named, offset, line: undefined }
  throw new AppError('not-found', 'The transcript was replaced; it must be read again.')
}

/**
 * Finds the position of a line by its file and offset, such as a search hit's.
 *
 * A rotation moves the active partition's lines to another file, the newest archived one, at the same offsets.
 *
 * @throws AppError `not-found` no line begins there (any more)
 */
export async function resolveLineStart(
  disk: Disk,
  files: readonly TranscriptFile[],
  line: { readonly file: string; readonly offset: number },
): Promise<Position> {
  const named = files.findIndex((file) => file.place === line.file)
  const newest = files.findLastIndex((file) => file.kind === 'partition')
  for (const index of files[named]?.kind === 'active' ? [named, newest] : [named]) {
    const file = files[index]
    if (file === undefined || line.offset >= file.sizeBytes) continue
    if (file.kind === 'document') {
      // Positions in a document are its records.
      const { facts } = await readLegacyDocument(disk, file, '')
      const record = facts.findIndex(({ place }) => place.offset === line.offset)
      if (record >= 0) return { file: index, offset: record, line: undefined }
    } else if (await beginsLine(disk, file, line.offset))
      return { file: index, offset: line.offset, line: undefined }
  }
  throw new AppError('not-found', `${line.file} no longer has this line.`)
}

/** Resolves to true where a line begins at the offset: at 0, or after a line feed. */
export async function beginsLine(
  disk: Disk,
  file: TranscriptFile,
  offset: number,
): Promise<boolean> {
  if (offset === 0 || file.kind === 'document') return true
  if (offset > file.sizeBytes) return false
  const opened = await openUnmoved(disk, file)
  try {
    const before = new Uint8Array(1)
    return (await opened.read(before, offset - 1)) === 1 && before[0] === 0x0a
  } finally {
    await opened.close()
  }
}
