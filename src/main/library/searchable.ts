import nodePath from 'node:path'
import {
  type ConversationSummary,
  type LibraryKey,
  libraryKeyOf,
  partsOf,
} from '../../shared/model/conversation'
import type { SearchableConversation, SearchFile } from '../../shared/model/search'
import type { Disk } from '../disk/disk'
import type { ContextListing, Store } from '../store/store'
import type { Histories, History } from './histories'
import { historyNow } from './history-shelf'
import type { Library } from './library'
import { documentDecoder } from './search-decoders'

/** Where conversations are looked for; a command line may have other systems' histories alone. */
export interface SearchedPlaces {
  readonly library: Pick<Library, 'all' | 'find'>
  readonly store: Store | undefined
  readonly histories: Histories
}

/**
 * Every conversation as search knows it: under the title that people see, with the files that hold it now.
 *
 * Names, sizes and times of all files are looked at; titles and times come from the library's cache where nothing has
 * changed. One that cannot be listed has no files, and its title is found all the same.
 */
export async function searchableConversations(
  { library, store, histories }: SearchedPlaces,
  signal?: AbortSignal,
): Promise<readonly SearchableConversation[]> {
  const files = new Map<LibraryKey, readonly SearchFile[]>()
  for (const context of (await store?.listContexts(signal)) ?? [])
    files.set(libraryKeyOf('chibi', context.name), filesOf(context))
  for (const history of await histories.list(signal)) files.set(history.key, fileOf(history))
  const rows = await library.all(false, signal)
  return rows.map((row) => searchable(row, files.get(row.key) ?? []))
}

/** One of them as it is now; undefined where there is none any more. @throws AppError `unreadable` */
export async function searchableConversation(
  { disk, library, store, histories }: SearchedPlaces & { readonly disk: Disk },
  key: LibraryKey,
): Promise<SearchableConversation | undefined> {
  const row = await library.find(key)
  if (row === undefined) return undefined
  if (row.source === 'chibi') {
    const context = await store?.findContext(partsOf(key).key)
    return context === undefined ? undefined : searchable(row, filesOf(context))
  }
  const history = await histories.find(key)
  const now = history === undefined ? undefined : await historyNow(disk, history)
  return now === undefined ? undefined : searchable(row, fileOf(now))
}

function searchable(
  { source, key, title, created, updated, unreadable }: ConversationSummary,
  files: readonly SearchFile[],
): SearchableConversation {
  return {
    source,
    key: partsOf(key).key,
    title,
    updated: secondsOf(updated) ?? null,
    created: secondsOf(created),
    ...(unreadable === undefined || files.length > 0 ? {} : { unreadable }),
    files,
  }
}

function filesOf({ files }: ContextListing): readonly SearchFile[] {
  return files.map(({ path, place, identity, sizeBytes, mtimeMs, kind }) => ({
    path,
    place,
    identity,
    sizeBytes,
    mtimeMs,
    decoder: kind === 'document' ? documentDecoder : 'chibi',
  }))
}

/** For systems with a file a conversation. */
function fileOf({ ref }: History): readonly SearchFile[] {
  const { source, root, file, identity, bytes, updatedAtMs } = ref
  if (file === undefined || identity === undefined || updatedAtMs === undefined) return []
  const times = { sizeBytes: bytes, mtimeMs: updatedAtMs }
  return [{ path: nodePath.join(root, file), place: file, identity, ...times, decoder: source }]
}

function secondsOf(iso: string | null): number | undefined {
  return iso === null ? undefined : Date.parse(iso) / 1000
}
