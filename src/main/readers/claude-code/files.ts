import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { Disk } from '../../disk/interface/disk'
import { FirstFailure } from '../common/first-failure'
import {
  type FoundName,
  findRoot,
  foundIn,
  isFolder,
  outputsStamp,
  sourceFileOf,
} from '../common/found-files'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import type { BackupRule } from '../known/backup-rule'
import { outputsFolder } from './saved-output'
import { sessionOfFile } from './session-of-file'

const sessionName = /^[^.].*\.jsonl$/is
const subagentName = /^agent-.*\.jsonl$/is
/** Folders inside of each other: workflows, and one workflow. */
const mostLevels = 3
/** The program's own list of prompts, which lies where a project's folder may be given. */
const noSession: ReadonlySet<string> = new Set(['history.jsonl', 'journal.jsonl'])

/** Sessions, subagents with what is known of them, and outputs that were too long for a session. Claude Code deletes all of them. */
export const claudeCodeBackup: BackupRule = {
  folders: ['projects'],
  levels: 6,
  isWanted(file) {
    const name = path.posix.basename(file)
    if (/(?:^|\/)tool-results\/[^/]+$/.test(file)) return true
    return isFileOf(sessionName, name) || /^agent-.*\.meta\.json$/is.test(name)
  },
  deletes: { afterDays: 30, setting: 'cleanupPeriodDays' },
}

/**
 * Lists the sessions and subagents under a root: Claude Code's own folder, its folder of projects, the folder of one project, or
 * one file.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed; what else is there is listed before
 */
export async function* listClaudeCodeFiles(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  if (top.type === 'file') {
    const { name } = top.found
    const outputs = await outputsIn(stemOf(name), (folder) =>
      foundIn(disk, top.folder, folder, signal),
    )
    return yield refOf(top.folder, name, stemOf(name), top.found, outputs)
  }
  // A folder that cannot be listed hides no other.
  const failure = new FirstFailure()
  const names: NamesIn = (folder) => failure.or(foundIn(disk, root, folder, signal), [])
  const outputNames: NamesIn = (folder) => foundIn(disk, root, folder, signal)
  const keys = new Set<string>()
  const passedBy = (one: FoundName) => {
    if (!one.name.includes('.')) failure.passedBy(one)
  }
  for await (const { folder, found } of projectFolders(root, names, passedBy)) {
    const sessions = found.filter(
      ({ name }) => isFileOf(sessionName, name) && !subagentName.test(name),
    )
    for (const one of found) passedBy(one)
    const folders = new Set(found.filter(isFolder).map(({ name }) => name))
    const outputs = new Map<string, string | undefined>()
    for (const session of folders)
      outputs.set(session, await outputsIn(path.posix.join(folder, session), outputNames))
    for (const one of sessions)
      yield add(keys, root, folder, stemOf(one.name), one, outputs.get(stemOf(one.name)))
    for (const one of found.filter(({ name }) => subagentName.test(name))) {
      const session = await sessionOfFile(disk, path.join(root, folder, one.name), one.stat, signal)
      const stem = stemOf(one.name)
      yield add(keys, root, folder, session === undefined ? stem : `${session}/${stem}`, one)
    }
    for (const session of folders)
      yield* subagentsIn(path.posix.join(folder, session), session, outputs.get(session))
  }
  failure.throw()

  async function* subagentsIn(
    folder: string,
    session: string,
    outputs: string | undefined,
  ): AsyncGenerator<SourceRef> {
    const top = `${folder}/subagents`
    const waiting = [top]
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const found = await names(next)
      for (const one of found) passedBy(one)
      for (const one of found.filter(({ name }) => subagentName.test(name)))
        yield add(keys, root, next, `${session}/${stemOf(one.name)}`, one, outputs)
      // A link may lead up again.
      const isDeep = next.split('/').length - top.split('/').length >= mostLevels
      if (!isDeep)
        pushAll(
          waiting,
          found.filter(isFolder).map(({ name }) => `${next}/${name}`),
        )
    }
  }
}

type NamesIn = (folder: string) => Promise<readonly FoundName[]>

/** A text that is another one whenever a session's saved outputs are; undefined where it has none. */
async function outputsIn(session: string, names: NamesIn): Promise<string | undefined> {
  const found = await names(`${session}/${outputsFolder}`).catch((error: unknown) => {
    // Whoever reads the outputs reports why they cannot be read.
    if (error instanceof AppError) return undefined
    throw error
  })
  return found === undefined ? 'unknown' : outputsStamp(found)
}

interface ProjectFolder {
  /** Relative to the root; empty for the root itself. */
  readonly folder: string
  readonly found: readonly FoundName[]
}

/** The folders of projects, with what is in them: those in `projects`, those in the root, or the root itself. */
async function* projectFolders(
  root: string,
  names: NamesIn,
  passedBy: (one: FoundName) => void,
): AsyncGenerator<ProjectFolder> {
  const top = await names('')
  for (const one of top) passedBy(one)
  const projects = top.find((one) => one.name === 'projects' && isFolder(one))
  if (projects !== undefined)
    return yield* foldersIn('projects/', await names('projects'), names, passedBy)
  if (top.some(({ name }) => isFileOf(sessionName, name))) return yield { folder: '', found: top }
  // A session's own folder has no session in it, and its subagents have one level more.
  if (path.basename(root) !== 'subagents') yield* foldersIn('', top, names, passedBy)
}

async function* foldersIn(
  above: string,
  listed: readonly FoundName[],
  names: NamesIn,
  passedBy: (one: FoundName) => void,
): AsyncGenerator<ProjectFolder> {
  for (const one of listed) passedBy(one)
  for (const { name } of listed.filter(isFolder))
    yield { folder: `${above}${name}`, found: await names(`${above}${name}`) }
}

function isFileOf(pattern: RegExp, name: string): boolean {
  return pattern.test(name) && !noSession.has(name)
}

/** The same session may lie in two projects, such as a folder that was moved: the later one has its folder in its key. */
function add(
  keys: Set<string>,
  root: string,
  folder: string,
  wanted: string,
  one: FoundName,
  outputs?: string,
): SourceRef {
  const file = path.posix.join(folder, one.name)
  const key =
    [wanted, path.posix.join(path.posix.basename(folder), wanted), file].find(
      (k) => !keys.has(k),
    ) ?? file
  keys.add(key)
  return refOf(root, file, key, one, outputs)
}

function stemOf(name: string): string {
  return name.replace(/\.jsonl$/i, '')
}

function refOf(
  root: string,
  file: string,
  key: string,
  one: FoundName,
  outputs: string | undefined,
): SourceRef {
  const found = sourceFileOf(file, one)
  const listed = outputs === undefined ? found : { ...found, outputs }
  return refOfFile('claude-code', root, key, listed)
}
