import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import {
  type FoundName,
  sortedNamesIn,
  sourceFileOf,
  statNames,
  statSource,
} from '../common/found-files'
import type { SourceRef } from '../common/reader'

const sessionFile = /^[^.].*\.jsonl$/is

/**
 * Lists the sessions under a root: pi's own folder, its folder of sessions, the folder of one project, or one file.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed
 */
export async function* listPiFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const stat = await statSource(disk, root)
  if (stat === undefined) return
  if (stat.kind !== 'directory') {
    const name = path.basename(root)
    const fault = stat.kind === 'file' ? {} : { fault: 'is not a file' }
    return yield refOf(path.dirname(root), name, keyOf(name), { stat, ...fault })
  }
  const keys = new Set<string>()
  const top = await namesIn(disk, root, '', signal)
  const sessions = top.find((one) => one.name === 'sessions' && isFolder(one))
  const above = sessions === undefined ? '' : 'sessions'
  const listed = sessions === undefined ? top : await namesIn(disk, root, above, signal)
  // pi's own folder has files of other kinds beside the sessions.
  yield* filesOf(above, listed)
  for (const { name } of listed.filter(isFolder)) {
    const folder = path.posix.join(above, name)
    yield* filesOf(folder, await namesIn(disk, root, folder, signal))
  }

  function* filesOf(folder: string, names: readonly FoundName[]): Generator<SourceRef> {
    for (const one of names.filter(({ name }) => sessionFile.test(name))) {
      const file = path.posix.join(folder, one.name)
      const wanted = keyOf(one.name)
      const key = keys.has(wanted) ? file : wanted
      keys.add(key)
      yield refOf(root, file, key, one)
    }
  }
}

async function namesIn(disk: Disk, root: string, folder: string, signal: AbortSignal) {
  const whole = path.join(root, folder)
  const names = (await sortedNamesIn(disk, whole)).filter((name) => !name.startsWith('.'))
  return statNames(disk, whole, names, signal)
}

function isFolder({ stat }: FoundName): boolean {
  return stat?.kind === 'directory'
}

/** The session's id, which pi writes behind the time: `2026-09-10T09-00-00-000Z_<id>.jsonl`. */
function keyOf(name: string): string {
  const stem = name.replace(/\.jsonl$/i, '')
  return /^[\dTZ-]+_(.+)$/.exec(stem)?.[1] ?? stem
}

function refOf(root: string, file: string, key: string, one: Omit<FoundName, 'name'>): SourceRef {
  const source = sourceFileOf(file, one)
  const { bytes, mtimeMs: updatedAtMs } = source
  return { source: 'pi', root, key, files: [source], bytes, updatedAtMs }
}
