import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { DiskError } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { ToolRefusal } from '../base/define-tool'
import { type AllowedPaths, readPathRules } from './allowed-paths'
import { openResolvedPath, resolveToolPath } from './resolve-path'
import { folderItems } from './walk-folders'

/** A file below an allowed folder. */
export interface AllowedFile {
  /** Real and absolute. */
  readonly path: string
  readonly name: string
  /** From the allowed folder to its own, with slashes. */
  readonly folder: string
}

/** Names of a folder that are sorted in any case: a walk that ends within it then ends at the same place. */
const fewestSorted = 1000

/** Folders with many files that nobody names. */
const passedOver = new Set(['node_modules', '__pycache__', 'target', 'dist', 'build', 'out'])

/**
 * Lists files of the allowed folders as the file tools see them: no hidden names, no links, nothing that is kept from tools. Folders
 * are walked level by level, so that what lies near comes first; those of built files last. A folder that cannot be listed is left out, and `isCut`.
 *
 * @param most items that are looked at; where there are more, `isCut`, and of a folder with many more than that those that the disk names first
 * @throws DiskError where an allowed folder's place cannot be found; what the signal aborts with
 */
export async function listAllowedFiles(
  allowed: AllowedPaths,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly files: readonly AllowedFile[]; readonly isCut: boolean }> {
  const rules = await readPathRules(allowed)
  // One more than are looked at, so that the limit is noticed.
  const mostNames = Math.max(most, fewestSorted) + 1
  const walk = { disk: allowed.disk, rules, showHidden: false, signal, mostNames }
  const files: AllowedFile[] = []
  const seen = new Set<string>()
  let isCut = false
  let level: { readonly real: string; readonly folder: string }[] = []
  for (const folder of allowed.allowedPaths) {
    try {
      level.push({ real: await allowed.disk.realPath(folder), folder: '' })
    } catch (error) {
      isCut ||= !(error instanceof DiskError && error.code === 'not-found')
    }
  }
  let late: typeof level = []
  let left = most
  while (level.length > 0) {
    const next: typeof level = []
    for (const { real, folder } of level) {
      // One allowed folder may lie in another.
      if (seen.has(real)) continue
      seen.add(real)
      try {
        for await (const item of folderItems(walk, real)) {
          left -= 1
          if (left < 0) return { files, isCut: true }
          if (item.type === 'unreadable') isCut = true
          if (item.type !== 'there') continue
          if (item.stat.kind === 'file') files.push({ path: item.real, name: item.name, folder })
          if (item.stat.kind !== 'directory') continue
          const below = {
            real: item.real,
            folder: folder === '' ? item.name : `${folder}/${item.name}`,
          }
          if (passedOver.has(item.name)) late.push(below)
          else next.push(below)
        }
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
        isCut = true
      }
    }
    level = next.length > 0 ? next : late
    if (next.length === 0) late = []
  }
  return { files, isCut }
}

/**
 * Reads a file of an allowed folder, with the checks of the file tools.
 *
 * @throws AppError `bad-argument` where it is not theirs to read, is no file or is larger than `mostBytes`; `io`
 */
export async function readAllowedFile(
  allowed: AllowedPaths,
  asked: string,
  mostBytes: number,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  try {
    const place = await resolveToolPath(allowed, asked)
    const name = path.basename(place.real)
    if ((place.stat?.sizeBytes ?? 0) > mostBytes)
      throw new AppError('bad-argument', `"${name}" is larger than ${mostBytes / 1024 / 1024} MB.`)
    const file = await openResolvedPath(allowed.disk, place)
    try {
      return { name, bytes: await readExactly(file, 0, (place.stat?.sizeBytes ?? 0) + 1) }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof ToolRefusal)
      throw new AppError('bad-argument', `It was not attached: ${error.message}.`)
    if (error instanceof DiskError)
      throw new AppError('io', `It was not attached: ${error.message}.`, { cause: error })
    throw error
  }
}
