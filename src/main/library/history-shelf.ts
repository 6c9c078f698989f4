import path from 'node:path'
import { ConversationKey, type LibraryKey, partsOf } from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import type { SearchFile } from '../../shared/model/search'
import type { Disk } from '../disk/disk'
import { shownPath } from '../disk/shown-path'
import { glanceAt } from '../readers/glance'
import type { SourceRef } from '../readers/reader'
import { countHistory } from './count'
import type { Histories, History } from './histories'
import type { Listed, Shelf } from './shelf'

/** Other systems' conversations as the library lists them. */
export function historyShelf(disk: Disk, histories: Histories): Shelf {
  return {
    holds: isForeign,
    async list(signal) {
      return (await histories.list(signal)).map((history) => listed(disk, history))
    },
    async find(key) {
      if (!isForeign(key)) return undefined
      const known = await histories.find(key)
      const history = known === undefined ? undefined : await historyNow(disk, known)
      return history === undefined ? undefined : listed(disk, history)
    },
    watch: (changed) => histories.watch(changed),
  }
}

function isForeign(key: LibraryKey): boolean {
  return partsOf(key).source !== 'chibi'
}

/** A history as it is now: what was listed may have grown since; undefined where its file is gone. */
async function historyNow(disk: Disk, history: History): Promise<History | undefined> {
  const { ref } = history
  if (ref.file === undefined) return history
  const stat = await disk.stat(path.join(ref.root, ref.file)).catch(() => 'unknown' as const)
  if (stat === 'unknown') return history
  if (stat === undefined) return undefined
  const { sizeBytes: bytes, mtimeMs: updatedAtMs, identity } = stat
  return { ...history, ref: { ...ref, bytes, updatedAtMs, identity } }
}

function listed(disk: Disk, history: History): Listed {
  const { key, reader, ref } = history
  const { source, root, file = '', identity, bytes, updatedAtMs } = ref
  return {
    source,
    key,
    ownKey: ConversationKey.parse(ref.key),
    stamp: updatedAtMs === undefined ? undefined : `${identity ?? ''} ${bytes} ${updatedAtMs}`,
    files: filesOf(ref),
    bytes,
    updatedAtMs,
    lock: { state: 'free' },
    unreadable: undefined,
    shownPlace: shownPath(path.join(root, file)),
    async readFacts(signal = new AbortController().signal) {
      const glance = await glanceAt(reader, ref, disk, signal)
      if (glance === undefined) throw new AppError('unreadable', `${file} holds no conversation.`)
      return glance
    },
    count: (signal) => countHistory(disk, history, signal),
    readNotes: async () => ({}),
  }
}

/** For systems with a file a conversation. */
function filesOf({
  source,
  root,
  file,
  identity,
  bytes,
  updatedAtMs,
}: SourceRef): readonly SearchFile[] {
  if (file === undefined || identity === undefined || updatedAtMs === undefined) return []
  const known = { identity, sizeBytes: bytes, mtimeMs: updatedAtMs }
  return [{ path: path.join(root, file), place: file, ...known, decoder: source }]
}
