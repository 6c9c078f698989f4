import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import {
  ConversationKey,
  type LibraryKey,
  parseLibraryKey,
} from '../../../shared/model/conversation/conversation'
import { type SearchFile, savedDecoder } from '../../../shared/model/search'
import type { Disk } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import type { SourceRef } from '../../readers/common/reader'
import { realFileOf } from '../../records/interface/record-format'
import { countHistory } from '../count/count'
import type { Counter } from '../count/counter'
import { type Histories, type History, stampOf } from '../sources/histories'
import { treeOf } from '../sources/history-branches'
import { documentDecoderOf } from '../sources/search-decoders'
import type { ConversationListing, ConversationSource } from './conversation-source'

/** Returns the source that lists other systems' conversations. */
export function historySource(
  disk: Disk,
  histories: Histories,
  counter: Counter,
): ConversationSource {
  return {
    holds: isForeign,
    async list(signal, found) {
      const listedAll = (some: readonly History[]) =>
        some.map((history) => listed(disk, counter, history))
      const tell = found && ((some: readonly History[]) => found(listedAll(some)))
      return listedAll(await histories.list(signal, tell))
    },
    async find(key) {
      if (!isForeign(key)) return undefined
      const history = await histories.now(key)
      return history === undefined ? undefined : listed(disk, counter, history)
    },
    watch: (changed) => histories.watch(changed),
  }
}

function isForeign(key: LibraryKey): boolean {
  return parseLibraryKey(key).source !== 'chibi'
}

function listed(disk: Disk, counter: Counter, history: History): ConversationListing {
  const { key, reader, ref, backup } = history
  const { source, root, bytes, updatedAtMs } = ref
  const place = ref.files.at(-1)?.file ?? ''
  return {
    source,
    key,
    ownKey: ConversationKey.parse(ref.key),
    stamp: stampOf(ref),
    files: searchFilesOf(ref),
    tree: treeOf(history),
    bytes,
    updatedAtMs,
    lock: { state: 'free' },
    unreadable: undefined,
    missing: ref.unread?.map(({ sentence }) => sentence) ?? [],
    backup,
    shownPlace: shownPath(realFileOf(path.join(root, place))),
    storedTitle: ref.storedTitle,
    facts: ref.glance,
    async readFacts(signal) {
      const glance = await counter.glance(history, signal)
      if (glance === undefined) throw new AppError('unreadable', `${place} holds no conversation.`)
      return glance
    },
    count: (signal) => countHistory(counter, disk, history, signal),
    readNotes: async () => ({
      notices: (await reader.noticesOf?.(ref, disk, new AbortController().signal)) ?? [],
    }),
  }
}

function searchFilesOf({ source, root, files }: SourceRef): readonly SearchFile[] {
  return files.flatMap(
    ({ file, identity, bytes, mtimeMs, isDocument, part, idSuffix, lineKey, outputs }) => {
      if (identity === undefined || mtimeMs === undefined) return []
      const known = { identity, sizeBytes: bytes, mtimeMs }
      const plain = isDocument ? documentDecoderOf(source) : source
      const decoder = outputs === undefined ? plain : savedDecoder(plain, outputs)
      return [
        { path: path.join(root, file), place: file, ...known, decoder, part, idSuffix, lineKey },
      ]
    },
  )
}
