import { byUpdated } from '../../main/library/rows'
import { type ConversationSummary, partsOf } from '../../shared/model/conversation'
import type { Command, CommandContext } from '../command'
import { withLibraries } from '../libraries'
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
  async run(context) {
    const { args, output } = context
    const conversations = (await allRows(context)).map(listed)
    if (args.json) await output.write(json({ conversations }))
    else for (const row of conversations) await output.write(`${line(row)}\n`)
    return 0
  },
}

/** Every row of every root, counted. */
function allRows(context: CommandContext): Promise<readonly ConversationSummary[]> {
  return withLibraries(context, async (libraries) => {
    const rows: ConversationSummary[] = []
    for (const library of libraries) rows.push(...(await library.all(true, context.signal)))
    return rows.sort(byUpdated)
  })
}

function listed(row: ConversationSummary): ListedConversation {
  const { source, key, title, project, created, updated, entries, bytes } = row
  return {
    source,
    key: partsOf(key).key,
    title,
    project,
    created,
    updated,
    entries: entries ?? 0,
    bytes,
    state: stateOf(row),
  }
}

function stateOf(row: ConversationSummary): string {
  if (row.unreadable !== undefined) return 'unreadable'
  if (row.lock.state === 'held') return 'locked'
  return (row.damaged ?? 0) > 0 ? 'damaged' : 'ok'
}

function line(row: ListedConversation): string {
  const updated = row.updated?.slice(0, 16).replace('T', ' ') ?? '-'
  const state = row.state === 'ok' ? '' : `  ${row.state}`
  return `${updated.padEnd(16)}  ${String(row.entries).padStart(6)}  ${forTerminal(row.title)}${state}`
}
