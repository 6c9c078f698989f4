import type { Disk } from '../../main/disk/disk'
import { countTranscript } from '../../main/library/count'
import { openLibrary } from '../../main/library/library'
import { readUnit } from '../../main/readers/gather'
import { readers } from '../../main/readers/index'
import type { Store } from '../../main/store/store'
import type { ConversationSummary } from '../../shared/model/conversation'
import type { Root } from '../arguments'
import type { Command } from '../command'
import { chibiStores } from '../homes'
import { forTerminal, json } from '../output'

/** One row of `list --json`: DESIGN's shape, which scripts rely on. */
interface ListedConversation {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly project: string | null
  readonly created: string | null
  readonly updated: string | null
  readonly entries: number
  readonly bytes: number
  readonly state: string
}

export const list: Command = {
  name: 'list',
  synopsis: '',
  summary: 'lists the conversations, the most recently updated first',
  flags: [],
  async run({ args, disk, output, signal }) {
    const conversations: ListedConversation[] = []
    for (const { store, shown } of chibiStores(args, disk))
      conversations.push(...(await ofHome(store, shown, signal)))
    for (const root of args.roots) conversations.push(...(await ofRoot(root, disk, signal)))
    conversations.sort(byUpdated)
    if (args.json) await output.write(json({ conversations }))
    else for (const row of conversations) await output.write(`${line(row)}\n`)
    return 0
  },
}

/** A chibi home, through the library: it knows of locks. */
async function ofHome(
  store: Store,
  shownHome: string,
  signal: AbortSignal,
): Promise<readonly ListedConversation[]> {
  const isRunning = () => false
  const changed = () => undefined
  const library = openLibrary({ store, shownHome, isRunning, changed, watched: false })
  const { conversations } = await library.list(undefined, Number.POSITIVE_INFINITY)
  const rows: ListedConversation[] = []
  for (const row of conversations) {
    // One that cannot be read is listed all the same, and its state says so.
    const count = await countTranscript(store, row.key, signal).catch(() => undefined)
    rows.push(listed(row, count?.entries ?? 0, count?.damaged ?? 0))
  }
  return rows
}

/** Another system's histories, through its reader; nothing for chibi's, which are listed as homes. */
async function ofRoot(
  root: Root,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly ListedConversation[]> {
  const reader = readers.find(({ id }) => id === root.source && id !== 'chibi')
  if (reader === undefined || (await disk.stat(root.path)) === undefined) return []
  const rows: ListedConversation[] = []
  for await (const ref of reader.list(root.path, disk, signal)) {
    const { conversations, files } = await readUnit(reader, ref, disk, signal)
    const state = files.some(({ damaged }) => damaged.length > 0) ? 'damaged' : 'ok'
    for (const { source, key, title, project, created, updated, entries } of conversations)
      rows.push({
        source,
        key,
        title,
        project,
        created,
        updated,
        entries: entries.length,
        bytes: ref.bytes,
        state,
      })
  }
  return rows
}

/** Newest first; what has no time comes last. */
function byUpdated(a: ListedConversation, b: ListedConversation): number {
  const [left, right] = [a.updated ?? '', b.updated ?? '']
  return left < right ? 1 : left > right ? -1 : 0
}

function listed(row: ConversationSummary, entries: number, damaged: number): ListedConversation {
  const { source, key, title, project, created, updated, bytes } = row
  return {
    source,
    key,
    title,
    project,
    created,
    updated,
    entries,
    bytes,
    state: stateOf(row, damaged),
  }
}

function stateOf(row: ConversationSummary, damaged: number): string {
  if (row.unreadable !== undefined) return 'unreadable'
  if (row.lock.state === 'held') return 'locked'
  return damaged > 0 ? 'damaged' : 'ok'
}

function line(row: ListedConversation): string {
  const updated = row.updated?.slice(0, 16).replace('T', ' ') ?? '-'
  const state = row.state === 'ok' ? '' : `  ${row.state}`
  return `${updated.padEnd(16)}  ${String(row.entries).padStart(6)}  ${forTerminal(row.title)}${state}`
}
