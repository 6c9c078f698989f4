import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { namesInFolder } from '../../disk/reading/read'
import { openSource } from '../common/json-lines'
import { perFileCache } from '../common/per-file-cache'
import { objectsIn } from './head'
import { threadTitlesPath } from './thread-records'

/** Titles by thread id. */
export type ThreadTitles = ReadonlyMap<string, string>

/**
 * Reads the titles that Codex keeps beside the rollouts, by thread id: those of its newest state database, else of its
 * index. A file that cannot be read has none: then a thread's own file tells its title.
 */
export async function readThreadTitles(
  home: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<ThreadTitles> {
  const index = await indexTitles(path.join(home, 'session_index.jsonl'), disk, signal)
  const state = await stateTitles(home, disk, signal)
  return state.size === 0 ? index : new Map([...index, ...state])
}

/** Of several databases the one with the highest number is in use. */
async function stateTitles(home: string, disk: Disk, signal: AbortSignal): Promise<ThreadTitles> {
  const numberOf = (name: string) => Number(/^state_(\d+)\.sqlite$/.exec(name)?.[1] ?? -1)
  try {
    const names = (await namesInFolder(disk, home)).filter((name) => numberOf(name) >= 0)
    const newest = names.sort((a, b) => numberOf(b) - numberOf(a))[0]
    if (newest === undefined) return none
    return await readIndex(threadTitlesPath(path.join(home, newest)), disk, signal)
  } catch {
    signal.throwIfAborted()
    return none
  }
}

interface IndexFile {
  readonly stat: FileStat
  readonly titles: ThreadTitles
}

const indexes = perFileCache<IndexFile>()
const none: ThreadTitles = new Map()

/** A name is a line that is added; the last one that is not empty counts. */
async function indexTitles(file: string, disk: Disk, signal: AbortSignal): Promise<ThreadTitles> {
  const stat = await disk.stat(file).catch(() => undefined)
  if (stat?.kind !== 'file') return none
  try {
    const read = async () => ({ stat, titles: await readIndex(file, disk, signal) })
    return (await indexes.get(disk, file, stat, read)).titles
  } catch (error) {
    signal.throwIfAborted()
    void error
    return none
  }
}

async function readIndex(file: string, disk: Disk, signal: AbortSignal): Promise<ThreadTitles> {
  const titles = new Map<string, string>()
  const opened = await openSource(disk, file)
  try {
    for await (const lines of readLines(opened, { chunkBytes: 64 * 1024, signal }))
      for (const line of lines)
        for (const value of await objectsIn(line)) {
          const { id, thread_name: name } = isJsonObject(value) ? value : {}
          if (typeof id !== 'string' || typeof name !== 'string') continue
          if (name.trim() !== '') titles.set(id, name.trim())
        }
  } finally {
    await opened.close()
  }
  return titles
}
