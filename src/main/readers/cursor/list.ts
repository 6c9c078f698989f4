import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { findRoot, sortedNamesIn } from '../common/found-files'
import type { SourceRef } from '../common/reader'
import { findChatsIn, findEditorChats, stateName } from './editor'
import { type FoundCursorChats, joinedChats } from './found'
import { isRicherChat } from './richer'
import { findStores, storeName, storeRef } from './stores'
import {
  findTranscripts,
  parentOfTranscript,
  transcriptRef,
  transcriptsIn,
  transcriptsName,
} from './transcripts'

/**
 * Lists the chats under a root: Cursor's own folder (`~/.cursor`), the editor's folder of user data, a folder inside of either,
 * or one file. A chat is listed once, from the store that has the most of it.
 *
 * @throws AppError `unreadable` a database or folder cannot be listed; the others are
 */
export async function* listCursorChats(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  const { refs, faults } =
    top.type === 'file'
      ? await chatsInFile(top.folder, top.found, disk)
      : await chatsInFolder(root, disk, signal)
  const chats = new Map<string, SourceRef>()
  const unread: unknown[] = []
  for (const ref of refs) {
    const known = chats.get(ref.key)
    // A store that cannot be read may have more of it than the one that is listed.
    if (known !== undefined) unread.push(...[known, ref].flatMap(faultOf))
    if (known === undefined || isRicherChat(ref, known)) chats.set(ref.key, ref)
  }
  yield* chats.values()
  const [first] = [...faults, ...unread]
  if (first !== undefined) throw first
}

function faultOf({ files }: SourceRef): readonly AppError[] {
  const lost = files.find(({ identity }) => identity === undefined)
  return lost === undefined ? [] : [new AppError('unreadable', `${lost.file} cannot be read.`)]
}

async function chatsInFile(
  folder: string,
  found: Parameters<typeof transcriptRef>[2] & { readonly name: string },
  disk: Disk,
): Promise<FoundCursorChats> {
  const { name } = found
  if (name.endsWith('.vscdb')) return findChatsIn(folder, name, disk)
  const none = { refs: [], faults: [] }
  if (name === storeName) {
    const ref = await storeRef(folder, name, new Map(), disk)
    return ref === undefined ? none : { ...none, refs: [ref] }
  }
  // Files of lines are many systems'.
  const isTranscript = folder.split(path.sep).includes(transcriptsName)
  return isTranscript ? { ...none, refs: [transcriptRef(folder, name, found)] } : none
}

/** A folder may be one of several kinds, and a copy of all. */
async function chatsInFolder(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundCursorChats> {
  const names = await sortedNamesIn(disk, root)
  const has = (name: string) => names.includes(name)
  const is = (name: string) => path.basename(root) === name
  const base = has('User') ? 'User' : ''
  const isUserData = has('User') || has('globalStorage') || has('workspaceStorage')
  const editor = isUserData
    ? await findEditorChats(root, base, disk, signal)
    : has(stateName)
      ? await findChatsIn(root, stateName, disk)
      : { refs: [], faults: [] }
  const store = has(storeName) ? await storeRef(root, storeName, new Map(), disk) : undefined
  const transcripts = is(transcriptsName)
    ? await transcriptsIn(root, '', disk, signal)
    : await findTranscripts(root, is('projects') ? '' : 'projects', disk, signal)
  // The store of a subagent does not name the chat that called it.
  const parents = new Map(
    transcripts.refs.flatMap(({ key, files }): readonly (readonly [string, string])[] => {
      const parent = parentOfTranscript(files[0]?.file ?? '')
      return parent === undefined ? [] : [[key, parent]]
    }),
  )
  const stores =
    has('chats') || is('chats')
      ? await findStores(root, is('chats') ? '' : 'chats', parents, disk, signal)
      : { refs: [], faults: [] }
  const own = { refs: store === undefined ? [] : [store], faults: [] }
  return joinedChats([editor, own, stores, transcripts])
}
