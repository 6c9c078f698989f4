import path from 'node:path'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { recordPath } from '../../records/interface/record-format'
import { FirstFailure } from '../common/first-failure'
import { findRoot, sortedNamesIn, sourceFileOf } from '../common/found-files'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import { conversationsIn, type ListedHead } from '../common/rows/listed-conversations'
import { headOfRow } from './lines/head'
import { sessionFormat } from './rows/record-names'
import { storedSessions } from './rows/stored-files'
import { storedFormat } from './rows/stored-records'
import { opencodeOutputsFolder } from './saved-output'

/** Names of the program's databases: the usual one, and those of other channels. */
const databaseName = /^(?:opencode|kilo)(?:-[\w.+-]+)?\.db$/

/**
 * Lists the sessions under a root: the program's data folder, or one database. A session is listed once, from the newest
 * generation that has it, and of several databases from the one that was changed last.
 *
 * @throws AppError `unreadable` a database or folder cannot be listed; those before and after it are
 */
export async function* listOpencodeSessions(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  const isFile = top.type === 'file'
  const folder = isFile ? top.folder : root
  const databases = isFile
    ? [top.found.name]
    : (await sortedNamesIn(disk, root)).filter((name) => databaseName.test(name))
  const outputs = await outputsOf(folder, disk)
  const found = new Map<string, SourceRef>()
  let fault: unknown
  for (const name of databases) {
    signal.throwIfAborted()
    const by = { source: 'opencode', format: sessionFormat, headOf } as const
    const listed = await conversationsIn(by, folder, name, disk)
    for (const ref of listed.refs) {
      const known = found.get(ref.key)
      if ((known?.updatedAtMs ?? -1) < (ref.updatedAtMs ?? 0))
        found.set(ref.key, withOutputs(ref, outputs))
    }
    fault = listed.fault ?? fault
  }
  yield* found.values()
  const failure = new FirstFailure()
  if (!isFile)
    // One that could not be read in a database is listed again: its files may have it.
    for (const { id, file } of await storedSessions(root, failure, disk, signal))
      if (!found.has(id)) yield withOutputs(await storedRef(root, id, file, disk), outputs)
  if (fault !== undefined) throw fault
  failure.throw()
}

function headOf(row: JsonObject): ListedHead {
  const { title = '', project, createdAt, updatedAt } = headOfRow(row)
  return { id: undefined, model: undefined, title, project, createdAt, updatedAt }
}

async function storedRef(root: string, key: string, own: string, disk: Disk): Promise<SourceRef> {
  const whole = recordPath({ container: own, format: storedFormat, name: key })
  const file = placeOf(root, whole)
  const stat = await disk.stat(whole).catch(() => undefined)
  return refOfFile('opencode', root, key, sourceFileOf(file, { stat }))
}

/**
 * Returns the text for `SourceFile.outputs`: the same for all sessions, whatever is in their common folder. OpenCode writes an output
 * before the row that names it, and never again; which session has it only the rows tell. An index that knows of words in one
 * that is gone only reads a place in vain.
 */
async function outputsOf(folder: string, disk: Disk): Promise<string | undefined> {
  const stat = await disk.stat(path.join(folder, opencodeOutputsFolder)).catch(() => undefined)
  return stat?.kind === 'directory' ? opencodeOutputsFolder : undefined
}

function withOutputs(ref: SourceRef, outputs: string | undefined): SourceRef {
  if (outputs === undefined) return ref
  return { ...ref, files: ref.files.map((file) => ({ ...file, outputs })) }
}

function placeOf(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/')
}
