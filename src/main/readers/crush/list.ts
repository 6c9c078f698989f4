import path from 'node:path'
import type { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { textIn } from '../common/drafts'
import { FirstFailure } from '../common/first-failure'
import { findRoot, sortedNamesIn, statSource } from '../common/found-files'
import type { SourceRef } from '../common/reader'
import { conversationsIn } from '../common/rows/listed-conversations'
import { crushHead } from './head'
import { crushTables } from './tables'

const projectsName = 'projects.json'
const databaseName = 'crush.db'
/** The folder of data that Crush makes in a project. */
const dataName = '.crush'

/**
 * Lists the sessions under a root: Crush's own folder of data, whose list of projects says where their databases lie; a project, or
 * a folder of projects; a project's folder of data; a database, or a list of projects. Each database is read once.
 *
 * @throws AppError `unreadable` a database or folder cannot be listed; the others are
 */
export async function* listCrush(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  let fault: AppError | undefined
  const seen = new Set<string>()
  const failure = new FirstFailure()
  for await (const { folder, name } of databasesUnder(root, failure, disk)) {
    signal.throwIfAborted()
    const file = path.join(folder, name)
    if (seen.has(file)) continue
    seen.add(file)
    const found = await conversationsIn(
      { source: 'crush', format: crushTables.id, headOf: withProject(folder) },
      folder,
      name,
      disk,
    )
    yield* found.refs
    fault ??= found.fault
  }
  if (fault !== undefined) throw fault
  failure.throw()
}

/** Returns the project whose sessions a folder of data has; null where the folder lies elsewhere. */
export function projectOfData(folder: string): string | null {
  return path.basename(folder) === dataName ? path.dirname(folder) : null
}

function withProject(folder: string): typeof crushHead {
  return (row) => ({ ...crushHead(row), project: projectOfData(folder) })
}

interface FoundDatabase {
  /** Absolute. */
  readonly folder: string
  readonly name: string
}

async function* databasesUnder(
  root: string,
  failure: FirstFailure,
  disk: Disk,
): AsyncGenerator<FoundDatabase> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') {
    const { name } = top.found
    if (name === projectsName) yield* projectDatabases(root, disk)
    else if (name.endsWith('.db')) yield { folder: top.folder, name }
    return
  }
  const names = await sortedNamesIn(disk, root)
  if (names.includes(projectsName)) yield* projectDatabases(path.join(root, projectsName), disk)
  if (names.includes(databaseName)) yield { folder: root, name: databaseName }
  if (names.includes(dataName)) yield { folder: path.join(root, dataName), name: databaseName }
  for (const name of names) {
    const folder = path.join(root, name, dataName)
    if (name.startsWith('.')) continue
    const own = await failure.or(statSource(disk, folder), undefined)
    if (own?.kind === 'directory') yield { folder, name: databaseName }
  }
}

/** Projects that are gone have no database, and no sessions. */
async function* projectDatabases(list: string, disk: Disk): AsyncGenerator<FoundDatabase> {
  const text = await readSmallText(disk, list)
  for (const project of projectsIn(text)) {
    const own = textIn(project.path)
    const data = textIn(project.data_dir) ?? dataName
    const folder = own === undefined ? data : path.resolve(own, data)
    if (path.isAbsolute(folder)) yield { folder, name: databaseName }
  }
}

function projectsIn(text: string | undefined) {
  try {
    const list: unknown = text === undefined ? undefined : JSON.parse(text)
    const projects = isJsonObject(list) && Array.isArray(list.projects) ? list.projects : []
    return projects.filter(isJsonObject)
  } catch {
    return [] // Half of it: it is being written.
  }
}
