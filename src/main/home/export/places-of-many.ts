import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { writeZip } from '../../disk/pack/write-zip'
import type { ZipWriter } from '../../disk/pack/zip-writer'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { type ProtectedPlaces, protectedPlaceAround } from '../../disk/writing/protected-places'
import { inBatches, NotDurableError } from '../../disk/writing/write-pieces'
import { createFreeNames, type ExportFileName } from '../../exporters/file-names'
import type { OpenExport } from './exported'
import { saved } from './save-export'

/** A place that several exports are written into, a file each. */
export interface PlaceOfMany {
  /** Writes one whole, or not at all, under a name that is free there. @throws AppError as its `save` */
  put(
    one: OpenExport,
    wanted: ExportFileName,
  ): Promise<{ readonly file: string; readonly bytes: number }>
}

/** A zip that several exports were written into. */
export interface SavedZip<T> {
  /** Result of the work that filled it. */
  readonly value: T
  /** Of the zip; undefined where none was written: it was stopped, or nothing came into it. What stood there is as it was. */
  readonly bytes: number | undefined
}

/**
 * Opens a folder for several exports, and makes it where it is missing.
 *
 * @param roots what is read and never written to
 * @throws AppError `bad-argument` inside of that; DiskError where the folder cannot be made
 */
export async function openFolderOfMany(
  disk: Disk,
  folder: string,
  roots: ProtectedPlaces['roots'],
): Promise<PlaceOfMany> {
  // What lies in it is what would be written.
  const kept = { roots, files: [] }
  const place =
    (await protectedPlaceAround(disk, folder, kept)) ??
    (await protectedPlaceAround(disk, path.join(folder, 'any'), kept))
  if (place !== undefined)
    throw new AppError(
      'bad-argument',
      `Nothing was exported: ${folder} lies in what is read and never written to: ${place}.`,
    )
  if ((await disk.stat(folder)) === undefined) await makeDurableFolder(disk, folder)
  const names = createFreeNames(
    async (name) => (await disk.stat(path.join(folder, name))) !== undefined,
  )
  return {
    async put(one, wanted) {
      const file = await names(wanted)
      return { file, bytes: await one.save(path.join(folder, file), true) }
    },
  }
}

/** A failure of the zip itself: no further conversation could be written. */
class ZipFailure extends Error {
  override name = 'ZipFailure'
}

/** The end of a zip that nothing came into. */
class EmptyZip extends Error {
  override name = 'EmptyZip'
}

/**
 * Writes several exports into one zip, which is in its place once it was read back. The same conversations in the same form make the
 * same bytes, but for the ids of new sessions and PDFs.
 *
 * @param kept what is read and never written to
 * @param fill puts conversations into it
 * @throws AppError `bad-argument` among what is read, `disk-full`, `io`; what `fill` throws
 */
export async function saveZip<T>(
  disk: Disk,
  file: string,
  kept: ProtectedPlaces,
  fill: (zip: PlaceOfMany) => Promise<T>,
  { signal, checking }: { readonly signal: AbortSignal; readonly checking?: () => void },
): Promise<SavedZip<T>> {
  let filled: { readonly value: T } | undefined
  try {
    const bytes = await saved(disk, file, kept, (check) =>
      inWords(() =>
        writeZip(
          disk,
          file,
          async (zip) => {
            filled = { value: await fill(zipOfMany(zip)) }
            signal.throwIfAborted()
            if (zip.members().length === 0) throw new EmptyZip()
          },
          { permissions: 'umask', signal, check, ...(checking === undefined ? {} : { checking }) },
        ),
      ),
    )
    if (filled === undefined) throw new Error('nothing filled the zip')
    return { ...filled, bytes }
  } catch (error) {
    const isNone = (signal.aborted && !isWritten(error)) || error instanceof EmptyZip
    if (!isNone || filled === undefined) throw error
    return { ...filled, bytes: undefined }
  }
}

/** Returns true for a failure of an export behind its last step: the file is in its place, and whole. */
export function isWritten(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof NotDurableError
}

/** The disk's own error in the place of a failure of the zip. */
async function inWords<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw error instanceof ZipFailure ? error.cause : error
  }
}

function zipOfMany(zip: ZipWriter): PlaceOfMany {
  const names = createFreeNames(async () => false)
  return {
    async put(one, wanted) {
      const file = await names(wanted)
      let unread: { readonly cause: unknown } | undefined
      async function* content(): AsyncGenerator<Uint8Array> {
        try {
          yield* inBatches(one.pieces(file))
        } catch (cause) {
          unread = { cause }
          throw cause
        }
      }
      try {
        const { sizeBytes } = await zip.add(file, content(), one.changedMs() ?? firstTimeMs)
        return { file, bytes: sizeBytes }
      } catch (error) {
        if (unread !== undefined) throw unread.cause
        throw new ZipFailure('the zip cannot be written', { cause: error })
      }
    },
  }
}

/** The first time that a zip can name: 1 January 1980, for a conversation without one. */
const firstTimeMs = Date.UTC(1980, 0, 1)
