import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { seenFile } from '../common/composed/composing-in-threads'
import { recordFileRef } from '../common/composed/record-file-ref'
import { FirstFailure } from '../common/first-failure'
import {
  type FoundName,
  findRoot,
  foundIn,
  isFolder,
  sortedNamesIn,
  statNames,
} from '../common/found-files'
import type { LookElsewhere, SourceRef } from '../common/reader'
import type { BackupRule } from '../known/backup-rule'
import { taskComposing, taskFormat, taskName } from './records'

/** Folders of the extensions in the storage of an editor: Cline's, and of those that came of it. */
export const extensionFolders = [
  'saoudrizwan.claude-dev',
  'rooveterinaryinc.roo-cline',
  'kilocode.kilo-code',
]

const tasksFolder = 'tasks'
const sessionsFolder = 'sessions'
/** The newer name first: a task that has both was moved. */
const historyNames = ['api_conversation_history.json', 'claude_messages.json']
const sessionName = /^(.+)\.messages\.json$/is

/** Messages, what the screen showed of them, and the names of tasks; no settings. */
export const taskBackup: BackupRule = {
  folders: [tasksFolder, sessionsFolder, 'state', ...extensionFolders],
  levels: 3,
  isWanted(file) {
    const name = path.posix.basename(file)
    if (historyNames.includes(name) || sessionName.test(name)) return true
    if (['ui_messages.json', 'history_item.json', 'taskHistory.json'].includes(name)) return true
    // What Cline CLI keeps of a session beside its messages.
    return name === `${path.posix.basename(path.posix.dirname(file))}.json`
  },
}

/**
 * Lists the tasks under a root, and the sessions of Cline CLI: the program's own folder, the storage of an editor or of one extension
 * there, a folder of tasks or sessions, that of one, or one file.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* listTasks(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') {
    const { folder, found } = top
    const key = keyOf(found.name, path.basename(folder))
    if (key !== undefined) yield* refOf(folder, { key, file: found.name, one: found }, disk)
    return
  }
  const found = new Found(root, disk, signal)
  const tasks: FoundTask[] = []
  for await (const task of tasksUnder(root, found, disk)) tasks.push(task)
  const seen = tasks.flatMap(({ file, one }) => seenFile(path.join(root, file), one))
  await taskComposing.ahead(seen, signal, elsewhere)
  for (const task of tasks) yield* refOf(root, task, disk)
  found.failure.throw()
}

/** A file of messages, and the key of its task. */
interface FoundTask {
  readonly key: string
  /** Relative to the root. */
  readonly file: string
  readonly one: FoundName
}

async function* tasksUnder(root: string, found: Found, disk: Disk): AsyncGenerator<FoundTask> {
  const names = await sortedNamesIn(disk, root)
  const base = path.basename(root)
  if (names.some((name) => keyOf(name, base) !== undefined)) yield* found.conversation('', base)
  else if (base === tasksFolder || base === sessionsFolder) yield* found.conversations('')
  else {
    const storages = extensionFolders.filter((name) => names.includes(name))
    for (const storage of ['', ...storages])
      for (const folder of [tasksFolder, sessionsFolder])
        if (storage !== '' || names.includes(folder))
          yield* found.conversations(path.posix.join(storage, folder))
  }
}

class Found {
  readonly failure = new FirstFailure()
  private readonly root: string
  private readonly disk: Disk
  private readonly signal: AbortSignal
  private readonly keys = new Set<string>()

  constructor(root: string, disk: Disk, signal: AbortSignal) {
    this.root = root
    this.disk = disk
    this.signal = signal
  }

  /** Those in the folders of a folder. */
  async *conversations(folder: string): AsyncGenerator<FoundTask> {
    const inside = foundIn(this.disk, this.root, folder, this.signal)
    for (const one of await this.failure.or(inside, []))
      if (isFolder(one))
        yield* this.failure.in(this.conversation(path.posix.join(folder, one.name), one.name))
      else this.failure.passedBy(one)
  }

  /** That of one folder. */
  async *conversation(folder: string, id: string): AsyncGenerator<FoundTask> {
    const whole = path.join(this.root, folder)
    const names = (await sortedNamesIn(this.disk, whole)).filter((name) => keyOf(name, id))
    const wanted = names.filter((name) => name !== historyNames[1] || names.length === 1)
    for (const one of await statNames(this.disk, whole, wanted, this.signal)) {
      const own = keyOf(one.name, id) ?? id
      // Two extensions may have begun a task in the same millisecond.
      const key = this.keys.has(own) ? `${folder.split('/')[0]}/${own}` : own
      this.keys.add(key)
      yield { key, file: path.posix.join(folder, one.name), one }
    }
  }
}

/** Undefined for a file that holds no messages. */
function keyOf(name: string, folder: string): string | undefined {
  return historyNames.includes(name) ? folder : sessionName.exec(name)?.[1]
}

/** None where nothing was said. */
async function* refOf(
  root: string,
  { key, file, one }: FoundTask,
  disk: Disk,
): AsyncGenerator<SourceRef> {
  const by = { source: 'cline', format: taskFormat, name: taskName } as const
  const { ref, about } = await recordFileRef(by, { root, key, file, one }, disk)
  const isDamaged = about?.isDamaged === true || ref.unread !== undefined
  if (about?.messages !== 0 || isDamaged) yield ref
}
