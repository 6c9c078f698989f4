import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { SourceId } from '../../../shared/model/conversation/sources'
import type {
  ImportAnswer,
  ImportedExport,
  SourceRoot,
  SourcesView,
} from '../../../shared/model/settings/source-roots'
import type { FailedImport, ImportsDone, NamedImport } from './imports'

/** Outcome of files that a person opened Skein with. */
interface Brought extends Pick<ImportsDone, 'isStopped' | 'failed'> {
  readonly imported: readonly (NamedImport | ImportedExport)[]
}

/** Ways in for a file that a person opened Skein with. */
interface WaysIn {
  readonly conversationsAt: (file: string) => Promise<readonly LibraryKey[]>
  readonly import: (file: string) => Promise<ImportsDone>
  /** Resolves to undefined where no system finds conversations there. */
  readonly addInPlace: (file: string) => Promise<SourceRoot | undefined>
}

/**
 * Takes files in, each by itself: an address that is no path is refused in words, one that is read already stays as it is, an export is imported, and a program's history is read where
 * it lies. Resolves also to the places where those that were taken in whole are read. Ends when an import is stopped.
 */
export async function takeInFiles(
  files: readonly string[],
  ways: WaysIn,
): Promise<{ readonly done: Brought; readonly places: readonly string[] }> {
  const imported: (NamedImport | ImportedExport)[] = []
  const failed: FailedImport[] = []
  const places: string[] = []
  for (const file of files) {
    const isPath = path.isAbsolute(file)
    const name = isPath ? path.basename(file) : file
    try {
      if (!isPath) throw new AppError('bad-argument', noFileWords(file))
      const known = await ways.conversationsAt(file)
      if (known.length > 0) {
        const sources = [
          ...new Set(known.map((key) => SourceId.parse(parseLibraryKey(key).source))),
        ]
        imported.push({ name, sources, isNew: false, isInPlace: true })
        places.push(file)
        continue
      }
      const done = await ways.import(file)
      if (done.isStopped) return { done: { imported, failed, isStopped: true }, places }
      for (const one of done.imported) {
        imported.push(one)
        if (one.unread === undefined) places.push(one.place)
      }
      const [fault] = done.failed
      if (fault === undefined) continue
      const isOther = fault.error instanceof AppError && fault.error.code === 'bad-argument'
      const root = isOther ? await ways.addInPlace(file) : undefined
      if (root === undefined) throw fault.error
      imported.push({ name, sources: [root.source], isNew: true, isInPlace: true, added: root })
      places.push(file)
    } catch (error) {
      failed.push({ name, error })
    }
  }
  return { done: { imported, failed, isStopped: false }, places }
}

/**
 * Makes the answer to the page: with what failed of several, where anything was imported.
 *
 * @throws AppError for one file that failed, and where all did; what is no AppError as it is
 */
export function answerTo(
  { imported, failed, isStopped }: Brought,
  now: () => SourcesView,
): ImportAnswer {
  if (isStopped) return { type: 'stopped', view: now() }
  const [first, ...more] = failed
  const unknown = failed.find(({ error }) => !(error instanceof AppError))
  if (unknown !== undefined) throw unknown.error
  if (first !== undefined && imported.length === 0) {
    if (more.length === 0 || !(first.error instanceof AppError)) throw first.error
    throw new AppError(first.error.code, failed.map(sentenceOf).join(' '))
  }
  const items = imported.map((one) => ({
    name: one.name,
    sources: [...one.sources],
    isNew: one.isNew,
    ...(one.unread === undefined ? {} : { unread: one.unread }),
    ...(one.conversations === undefined ? {} : { conversations: one.conversations }),
    ...('isInPlace' in one && one.isInPlace ? { isInPlace: one.isInPlace } : {}),
    ...('added' in one && one.added ? { added: one.added } : {}),
  }))
  return { type: 'imported', items, failures: failed.map(sentenceOf), view: now() }
}

/** Words on an address that a person opened Skein with, and that is no path here. */
function noFileWords(address: string): string {
  const host = /^file:\/\/([^/]*)/i.exec(address)?.[1]
  const isHere = /^file:/i.test(address) && (!host || host.toLowerCase() === 'localhost')
  if (!isHere) return `${address} does not lie on this computer: copy it here, and open the copy.`
  return isText(address)
    ? `${address} is no path on this computer.`
    : `${address} has a name that is no text in UTF-8: rename the file, and open it then.`
}

function isText(address: string): boolean {
  try {
    decodeURIComponent(address)
    return true
  } catch {
    return false
  }
}

function sentenceOf({ name, error }: FailedImport): string {
  return `${name} was not imported: ${error instanceof Error ? error.message : String(error)}`
}
