import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { HomeFinding } from '../../../shared/model/checkup'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import { readJson } from '../../disk/json/read-json'
import { readLines } from '../../disk/reading/lines'
import { namesInFolder, readSmallFile } from '../../disk/reading/read'
import { isWholePart } from '../../search/search'
import { findingOf } from '../../store/home-checkup'

/** A cache file that is no cache. */
export interface DamagedCache {
  readonly path: string
  readonly finding: HomeFinding
}

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
): Promise<readonly DamagedCache[]> {
  const found: DamagedCache[] = []
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
    found.push({ path: file, finding })
  }
  const isJson = async (file: string) => (await readJson(disk, file, largestBytes)) !== 'damaged'
  for (const file of await filesIn(disk, path.join(cacheFolder, 'library'), '.jsonl'))
    await check(file, (one) => isLibrary(disk, one, signal))
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

/** A file of JSON lines: each is an object. */
async function isLibrary(disk: Disk, target: string, signal: AbortSignal): Promise<boolean> {
  const file = await disk.open(target, 'read')
  try {
    for await (const lines of readLines(file, { signal }))
      for (const { bytes, ended } of lines) {
        if (!ended) return false
        try {
          if (!isJsonObject(JSON.parse(Buffer.from(bytes).toString('utf8')))) return false
        } catch {
          return false
        }
      }
    return true
  } finally {
    await file.close()
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
