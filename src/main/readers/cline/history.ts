import path from 'node:path'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { textIn, timeIn, trimmedIn } from '../common/drafts'
import { perFileCache } from '../common/per-file-cache'

/** Facts of a task that are beside its messages: in a list of tasks, or in a file of its own. */
export interface TaskFacts {
  /** The name that a person or the program gave it. */
  readonly title?: string | undefined
  /** The words that it was begun with. */
  readonly prompt?: string | undefined
  readonly project?: string | undefined
  /** Unix seconds. */
  readonly createdAt?: number | undefined
}

const largestBytes = 64 * 1024 * 1024

/** Reads what is kept of a task beside its messages: nothing where that cannot be read. */
export async function taskFacts(disk: Disk, container: string, id: string): Promise<TaskFacts> {
  const folder = path.dirname(container)
  if (container.endsWith('.messages.json')) {
    const own = container.replace(/\.messages\.json$/i, '.json')
    return sessionFacts((await objectIn(disk, own)) ?? {})
  }
  const item = await objectIn(disk, path.join(folder, 'history_item.json'))
  if (item !== undefined) return itemFacts(item)
  const tasks = path.dirname(folder)
  for (const list of [path.join(path.dirname(tasks), 'state'), tasks]) {
    const known = (await itemsIn(disk, path.join(list, 'taskHistory.json'))).get(id)
    if (known !== undefined) return known
  }
  return {}
}

function itemFacts({ task, cwdOnTaskInitialization, workspace }: JsonObject): TaskFacts {
  return { prompt: textIn(task), project: textIn(cwdOnTaskInitialization) ?? textIn(workspace) }
}

function sessionFacts(session: JsonObject): TaskFacts {
  const { cwd, prompt, started_at: started, metadata } = session
  return {
    title: isJsonObject(metadata) ? trimmedIn(metadata.title) : undefined,
    prompt: textIn(prompt),
    project: textIn(cwd),
    createdAt: timeIn(started),
  }
}

interface TaskList {
  readonly stat: FileStat
  readonly items: ReadonlyMap<string, TaskFacts>
}

const lists = perFileCache<TaskList>()

async function itemsIn(disk: Disk, file: string): Promise<ReadonlyMap<string, TaskFacts>> {
  try {
    const stat = await disk.stat(file)
    if (stat?.kind !== 'file') return none
    return (
      await lists.get(disk, file, stat, async () => ({ stat, items: await parsedList(disk, file) }))
    ).items
  } catch {
    return none // A task without its place in the list is still a task.
  }
}

const none: ReadonlyMap<string, TaskFacts> = new Map()

async function parsedList(disk: Disk, file: string): Promise<ReadonlyMap<string, TaskFacts>> {
  const list = parsed(await readSmallText(disk, file, largestBytes))
  const items = new Map<string, TaskFacts>()
  for (const item of Array.isArray(list) ? list : [])
    if (isJsonObject(item) && typeof item.id === 'string') items.set(item.id, itemFacts(item))
  return items
}

async function objectIn(disk: Disk, file: string): Promise<JsonObject | undefined> {
  const text = await readSmallText(disk, file, largestBytes).catch(() => undefined)
  const value = parsed(text)
  return isJsonObject(value) ? value : undefined
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
