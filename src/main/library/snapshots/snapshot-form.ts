import { AppError } from '../../../shared/model/basics/errors'
import { AgeDamage } from '../../disk/encryption/age-reader'
import { DiskError, type DiskFile } from '../../disk/interface/disk'

/** The list of digests in a snapshot, as sha256sum writes one. */
export const sumsName = 'SHA256SUMS'

/** The progress of a snapshot, by the bytes of its files. */
export interface SnapshotProgress {
  readonly phase: 'copying' | 'checking'
  readonly bytes: number
  readonly totalBytes: number
}

/** A file of a snapshot with its digest. */
export interface SummedFile {
  readonly name: string
  /** SHA-256 in lower-case hex. */
  readonly sha256: string
}

/** Returns the name of a snapshot that is taken now, such as `skein-2026-11-30-081502.zip`. @param nowMs Unix milliseconds */
export function snapshotName(nowMs: number): string {
  const [day = '', time = ''] = new Date(nowMs).toISOString().split('T')
  return `skein-${day}-${time.slice(0, 8).replaceAll(':', '')}.zip`
}

/** Formats digests as sha256sum does, which escapes what would break a line. */
export function sumsText(files: readonly SummedFile[]): string {
  return files
    .map(({ name, sha256 }) => {
      if (!/[\\\n\r]/.test(name)) return `${sha256}  ${name}\n`
      const escaped = name.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\r/g, '\\r')
      return `\\${sha256}  ${escaped}\n`
    })
    .join('')
}

/** Parses what `sumsText` gives; undefined where a line is no digest with a name. */
export function parseSums(text: string): readonly SummedFile[] | undefined {
  const files: SummedFile[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    const [, mark, sha256, name] = /^(\\?)([0-9a-f]{64}) {2}([^\n]+)$/.exec(line) ?? []
    if (sha256 === undefined || name === undefined) return undefined
    const plain =
      mark === ''
        ? name
        : name.replace(/\\([\\nr])/g, (_, code) => ({ n: '\n', r: '\r' })[code as string] ?? '\\')
    files.push({ name: plain, sha256 })
  }
  return text === '' || text.endsWith('\n') ? files : undefined
}

const pieceBytes = 256 * 1024

/** Reads a file from its start up to `end`, in pieces that are each used before the next. @throws DiskError; the signal's reason */
export async function* filePieces(
  file: DiskFile,
  end: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < end; ) {
    signal.throwIfAborted()
    // Each in memory of its own: a packer holds some while the next one is read.
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - at))
    const got = await file.read(piece, at)
    if (got === 0) return
    yield piece.subarray(0, got)
    at += got
  }
}

/** Returns an error of the disk, or a want of memory, as one for people; any other as it is. */
export function snapshotError(error: unknown): unknown {
  if (error instanceof RangeError && /allocation|out of memory|array length/i.test(error.message))
    return new AppError(
      'io',
      'There is not enough memory. The key of a passphrase takes 256 MB, or what the file asks for, 1 GB at most.',
      { detail: error.message, cause: error },
    )
  if (!(error instanceof DiskError)) return error
  const options = { detail: `${error.code}: ${error.path}`, cause: error }
  if (error instanceof AgeDamage) return new AppError('unreadable', `${error.message}.`, options)
  if (error.code === 'no-space') return new AppError('disk-full', 'The disk is full.', options)
  if (error.code === 'exists') return new AppError('exists', `${error.message}.`, options)
  if (error.code === 'not-found') return new AppError('not-found', `${error.message}.`, options)
  return new AppError('io', `${error.message}.`, options)
}
