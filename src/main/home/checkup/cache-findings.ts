import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import { readJson } from '../../disk/json/read-json'
import { namesInFolder, readSmallFile } from '../../disk/reading/read'
import { removeIfThere } from '../../disk/writing/atomic'
import { mendLibraryCache, readLibraryCache } from '../../library/list/library-cache'
import { isWholePart } from '../../search/search'
import { findingOf } from '../../store/home-checkup'
import type { OwnFinding } from './own-finding'

/** More than any cache file holds. */
const largestBytes = 256 * 1024 * 1024

/**
 * Finds cache files that cannot be read; changes nothing. Those of another version are whole: they are made again when they are
 * needed. Reads each file, one at a time.
 *
 * @throws the signal's reason
 */
export async function damagedCaches(
  disk: Disk,
  cacheFolder: string,
  signal: AbortSignal,
): Promise<readonly OwnFinding[]> {
  const found: OwnFinding[] = []
  const check = async (file: string, isWhole: (file: string) => Promise<boolean>) => {
    signal.throwIfAborted()
    try {
      if (await isWhole(file)) return
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof DiskError)) throw error
      // What the disk refuses is no damage of a cache: it may give it the next time.
      if (error.code !== 'too-large') return
    }
    const finding = findingOf({
      kind: 'cache-damaged',
      place: shownPath(file),
      happened: 'A cache is not what a program wrote: it is cut off, or bytes of it changed.',
    })
    found.push({ finding, mend: () => removeIfThere(disk, file) })
  }
  const isJson = async (file: string) => (await readJson(disk, file, largestBytes)) !== 'damaged'
  for (const file of await filesIn(disk, path.join(cacheFolder, 'library'), '.jsonl')) {
    signal.throwIfAborted()
    const happened = await damageOfLibrary(disk, file)
    if (happened === undefined) continue
    const finding = findingOf({
      kind: 'cache-damaged',
      place: shownPath(file),
      happened,
      lost: 'Which conversations are gone from the disk, where a row that cannot be read was of one.',
      byItself: 'Says it, lists what is whole, reads all else again, and makes another one.',
      repair: 'Writes a new one with every row that is whole.',
    })
    found.push({ finding, mend: () => mendLibraryCache(disk, file) })
  }
  for (const name of ['models', 'concessions'])
    for (const file of await filesIn(disk, path.join(cacheFolder, name), '.json'))
      await check(file, isJson)
  for (const name of ['families', 'statistics'])
    for (const folder of await filesIn(disk, path.join(cacheFolder, name), ''))
      for (const file of await filesIn(disk, folder, '.json')) await check(file, isJson)
  const index = path.join(cacheFolder, 'search')
  await check(path.join(index, 'index.json'), isJson)
  for (const file of await listedParts(disk, index))
    await check(file, async (one) => {
      const bytes = await readSmallFile(disk, one, largestBytes)
      return bytes === undefined || isWholePart(bytes)
    })
  return found
}

async function filesIn(disk: Disk, folder: string, ending: string): Promise<readonly string[]> {
  const names = await namesInFolder(disk, folder).catch(() => [])
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(folder, name))
}

async function damageOfLibrary(disk: Disk, file: string): Promise<string | undefined> {
  try {
    return (await readLibraryCache(disk, file)).damage
  } catch (error) {
    if (error instanceof DiskError) return undefined // It may be given the next time.
    throw error
  }
}

/** Others may be in the middle of being made. */
async function listedParts(disk: Disk, folder: string): Promise<readonly string[]> {
  const found = await readJson(disk, path.join(folder, 'index.json')).catch(() => undefined)
  const value = found === undefined || found === 'damaged' ? undefined : found.value
  const parts: unknown = isJsonObject(value) ? value.parts : []
  if (!Array.isArray(parts)) return []
  return parts
    .filter((name) => typeof name === 'string' && /^[0-9a-f]{16}$/.test(name))
    .map((name) => path.join(folder, `${name}.part`))
}
