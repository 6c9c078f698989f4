import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { findRoot, sortedNamesIn } from '../common/found-files'
import type { SourceRef } from '../common/reader'
import { conversationsIn } from '../common/rows/listed-conversations'
import { webuiRowFormat } from './chat-records'
import { chatHead } from './head'

/** Folders of a root in which the database may lie: of what is installed, of a container, of its desktop app. */
const places = ['', 'data', 'backend/data', 'open-webui/data'] as const
const databaseName = /^webui[\w.-]*\.db$/

/** Returns the names on the way to each place of a database, or of its log, below a root. */
export function webuiDatabaseLayouts(
  what: 'database' | 'log',
): readonly (readonly (string | RegExp)[])[] {
  const name = what === 'database' ? databaseName : /^webui[\w.-]*\.db-wal$/
  return places.map((place) => [...place.split('/').filter(Boolean), name])
}

/**
 * Lists the chats in the databases under a root: the program's folder of data, a folder with that in it, or one database.
 *
 * @throws AppError `unreadable` a database or folder cannot be listed; those before it are
 */
export async function* listChatRows(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  const [folder, databases] =
    top.type === 'file'
      ? [top.folder, databaseName.test(top.found.name) ? [top.found.name] : []]
      : [root, await databasesIn(root, disk)]
  const system = { source: 'open-webui', format: webuiRowFormat, headOf: chatHead } as const
  const keys = new Set<string>()
  let fault: Error | undefined
  for (const database of databases) {
    signal.throwIfAborted()
    const found = await conversationsIn(system, folder, database, disk)
    fault ??= found.fault
    for (const ref of found.refs) {
      // A copy of a database beside it.
      if (!keys.has(ref.key)) yield ref
      keys.add(ref.key)
    }
  }
  if (fault !== undefined) throw fault
}

/** Returns true for a database, and for a folder that has one. @throws AppError `unreadable` */
export async function hasDatabase(root: string, disk: Disk): Promise<boolean> {
  const top = await findRoot(disk, root)
  if (top === undefined) return false
  if (top.type === 'file') return databaseName.test(top.found.name)
  return (await databasesIn(root, disk)).length > 0
}

async function databasesIn(root: string, disk: Disk): Promise<readonly string[]> {
  const found: string[] = []
  for (const place of places) {
    const names = await sortedNamesIn(disk, path.join(root, place)).catch((error: unknown) => {
      if (place === '') throw error
      return []
    })
    for (const name of names) if (databaseName.test(name)) found.push(path.posix.join(place, name))
  }
  return found
}
