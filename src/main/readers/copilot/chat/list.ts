import path from 'node:path'
import { pushAll } from '../../../../shared/model/basics/long-lists'
import type { Disk } from '../../../disk/interface/disk'
import { seenFile } from '../../common/composed/composing-in-threads'
import { recordFileRef } from '../../common/composed/record-file-ref'
import { trimmedIn } from '../../common/drafts'
import { FirstFailure } from '../../common/first-failure'
import { type FoundName, isFolder, sortedNamesIn, statNames } from '../../common/found-files'
import type { LookElsewhere, SourceRef } from '../../common/reader'
import { anyName, type Layout } from '../../common/sessions/layout'
import { chatComposing, chatFormat, chatName } from './chat-records'

const workspacesFolder = 'workspaceStorage'
const globalFolder = 'globalStorage'
const chatsFolder = 'chatSessions'
/** Folders of chats of windows without a folder, and of chats that were taken to another window. */
const globalFolders = ['emptyWindowChatSessions', 'transferredChatSessions']
const extensionName = /^github\.copilot-chat$/i
const fileName = /^[^.].*\.jsonl?$/is

/** Folders below the data of a person's VS Code in which new chats appear. */
export const watchedChatFolders: readonly string[] = [
  workspacesFolder,
  ...globalFolders.map((name) => `${globalFolder}/${name}`),
]

/** Folders below the data of a person's VS Code in which chats lie. */
export const chatFolderNames: readonly string[] = [workspacesFolder, globalFolder]

/** Places of chats below the data of a person's VS Code. */
export const chatLayouts: readonly Layout[] = [
  [workspacesFolder, anyName, chatsFolder, fileName],
  ...globalFolders.map((name) => [globalFolder, name, fileName]),
]

/** A chat of which VS Code's own file has no word, and what Copilot wrote down of it. */
export interface FoundTranscript {
  readonly key: string
  /** Relative to the root. */
  readonly file: string
  readonly one: FoundName
  /** Of the chat. */
  readonly storedTitle?: string | undefined
}

/** The chats under a root, each once, and transcripts of those without. */
export interface FoundChats {
  readonly refs: readonly SourceRef[]
  readonly transcripts: readonly FoundTranscript[]
  /** Of folders that cannot be listed; their chats are missing. */
  readonly failure: FirstFailure
}

/**
 * Finds the chats of VS Code under a root: the folder of a person's data (`User`), its storage of workspaces, that of one, or a
 * folder of chats. A chat that is there twice, as a document and as a log or in two workspaces, is the one that was written
 * last; one in which nothing was said is none.
 *
 * @throws AppError `unreadable` the root cannot be listed
 */
export async function findChats(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): Promise<FoundChats> {
  const files: Omit<FoundTranscript, 'key'>[] = []
  const transcripts = new Map<string, FoundTranscript>()
  const failure = new FirstFailure()
  for (const { folder, isOfTranscripts } of await chatFolders(root, failure, disk, signal)) {
    for (const one of await failure.or(filesIn(path.join(root, folder), disk, signal), [])) {
      const file = path.posix.join(folder, one.name)
      const key = stemOf(one.name)
      if (isOfTranscripts) transcripts.set(key, { key, file, one })
      else files.push({ file, one })
    }
  }
  const seen = files.flatMap(({ file, one }) => seenFile(path.join(root, file), one))
  await chatComposing.ahead(seen, signal, elsewhere)
  const chats = new Map<string, FoundChat>()
  for (const { file, one } of files) {
    const key = stemOf(one.name)
    const chat = await chatAt(root, file, one, disk)
    if (chat !== undefined && isBetter(chat, chats.get(key))) chats.set(key, chat)
  }
  const isTold = (key: string) => (chats.get(key)?.said ?? 0) > 0
  return {
    failure,
    refs: [...chats.values()].flatMap(({ ref, said, faults }) => (said + faults > 0 ? [ref] : [])),
    transcripts: [...transcripts.values()].flatMap((one) =>
      isTold(one.key) ? [] : [{ ...one, storedTitle: chats.get(one.key)?.title }],
    ),
  }
}

async function filesIn(
  folder: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly FoundName[]> {
  const names = (await sortedNamesIn(disk, folder)).filter((name) => fileName.test(name))
  return statNames(disk, folder, names, signal)
}

/** Returns the reference of a chat that is one file; undefined for a file that is none. */
export async function chatInFile(
  root: string,
  one: FoundName,
  disk: Disk,
): Promise<SourceRef | undefined> {
  if (!fileName.test(one.name)) return undefined
  return (await chatAt(root, one.name, one, disk))?.ref
}

interface FoundChat {
  readonly ref: SourceRef
  /** Requests in it. */
  readonly said: number
  /** Damaged or strange lines. */
  readonly faults: number
  /** That it was given. */
  readonly title: string | undefined
}

interface ChatFolder {
  /** Relative to the root. */
  readonly folder: string
  readonly isOfTranscripts: boolean
}

async function chatFolders(
  root: string,
  failure: FirstFailure,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly ChatFolder[]> {
  const base = path.basename(root)
  if (base === chatsFolder || globalFolders.includes(base)) return [chatFolder('')]
  const names = await sortedNamesIn(disk, root)
  if (base === workspacesFolder) return workspacesIn(root, '', failure, disk, signal)
  if (names.includes(chatsFolder)) return workspaceFolders(root, '', disk)
  const below = names.includes(workspacesFolder)
    ? await failure.or(workspacesIn(root, workspacesFolder, failure, disk, signal), [])
    : []
  const general = names.includes(globalFolder)
    ? await failure.or(sortedNamesIn(disk, path.join(root, globalFolder)), [])
    : []
  return [
    ...below,
    ...general.flatMap((name) => {
      const folder = path.posix.join(globalFolder, name)
      if (globalFolders.includes(name)) return [chatFolder(folder)]
      return extensionName.test(name) ? [transcriptFolder(folder)] : []
    }),
  ]
}

async function workspacesIn(
  root: string,
  folder: string,
  failure: FirstFailure,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly ChatFolder[]> {
  const whole = path.join(root, folder)
  const found: ChatFolder[] = []
  const names = (await sortedNamesIn(disk, whole)).filter((name) => !name.startsWith('.'))
  for (const one of await statNames(disk, whole, names, signal))
    if (isFolder(one)) {
      const own = workspaceFolders(root, path.posix.join(folder, one.name), disk)
      pushAll(found, await failure.or(own, []))
    } else failure.passedBy(one)
  return found
}

async function workspaceFolders(
  root: string,
  folder: string,
  disk: Disk,
): Promise<readonly ChatFolder[]> {
  return (await sortedNamesIn(disk, path.join(root, folder))).flatMap((name) => {
    const place = path.posix.join(folder, name)
    if (name === chatsFolder) return [chatFolder(place)]
    return extensionName.test(name) ? [transcriptFolder(place)] : []
  })
}

function chatFolder(folder: string): ChatFolder {
  return { folder, isOfTranscripts: false }
}

function transcriptFolder(extension: string): ChatFolder {
  return { folder: path.posix.join(extension, 'transcripts'), isOfTranscripts: true }
}

/** Undefined for a file that is no chat. */
async function chatAt(
  root: string,
  file: string,
  one: FoundName,
  disk: Disk,
): Promise<FoundChat | undefined> {
  const by = { source: 'copilot', format: chatFormat, name: chatName } as const
  const found = { root, key: stemOf(one.name), file, one }
  const { ref, about } = await recordFileRef(by, found, disk)
  if (about === undefined) return { ref, said: 0, faults: 1, title: undefined }
  const { said, faults, title } = about
  if (about.isChat !== true && faults === 0) return undefined
  return { ref, said: Number(said), faults: Number(faults), title: trimmedIn(title) }
}

function isBetter(one: FoundChat, before: FoundChat | undefined): boolean {
  if (before === undefined) return true
  const isSaid = one.said > 0
  if (isSaid !== before.said > 0) return isSaid
  return (one.ref.updatedAtMs ?? 0) >= (before.ref.updatedAtMs ?? 0)
}

function stemOf(name: string): string {
  return name.replace(/\.jsonl?$/i, '')
}
