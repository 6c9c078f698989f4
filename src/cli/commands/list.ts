import { countTranscript } from '../../main/library/count'
import { openLibrary } from '../../main/library/library'
import type { ConversationSummary } from '../../shared/model/conversation'
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
    for (const { store, shown } of chibiStores(args, disk)) {
      const library = openLibrary({
        store,
        shownHome: shown,
        isRunning: () => false,
        changed: () => undefined,
        watched: false,
      })
      const { conversations: rows } = await library.list(undefined, Number.POSITIVE_INFINITY)
      for (const row of rows) {
        // One that cannot be read is listed all the same, and its state says so.
        const count = await countTranscript(store, row.key, signal).catch(() => undefined)
        conversations.push(listed(row, count?.entries ?? 0, count?.damaged ?? 0))
      }
    }
    if (args.json) await output.write(json({ conversations }))
    else for (const row of conversations) await output.write(`${line(row)}\n`)
    return 0
  },
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
