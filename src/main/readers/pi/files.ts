import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { type FoundName, findRoot, foundIn, isFolder, sourceFileOf } from '../common/found-files'
import { refOfFile } from '../common/one-file'
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
  const whole = await findRoot(disk, root)
  if (whole === undefined) return
  if (whole.type === 'file') {
    const { name } = whole.found
    return yield refOf(whole.folder, name, keyOf(name), whole.found)
  }
  const keys = new Set<string>()
  const top = await foundIn(disk, root, '', signal)
  const sessions = top.find((one) => one.name === 'sessions' && isFolder(one))
  const above = sessions === undefined ? '' : 'sessions'
  const listed = sessions === undefined ? top : await foundIn(disk, root, above, signal)
  // pi's own folder has files of other kinds beside the sessions.
  yield* filesOf(above, listed)
  for (const { name } of listed.filter(isFolder)) {
    const folder = path.posix.join(above, name)
    yield* filesOf(folder, await foundIn(disk, root, folder, signal))
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

/** The session's id, which pi writes behind the time: `2026-09-10T09-00-00-000Z_<id>.jsonl`. */
function keyOf(name: string): string {
  const stem = name.replace(/\.jsonl$/i, '')
  return /^[\dTZ-]+_(.+)$/.exec(stem)?.[1] ?? stem
}

function refOf(root: string, file: string, key: string, one: FoundName): SourceRef {
  return refOfFile('pi', root, key, sourceFileOf(file, one))
}
