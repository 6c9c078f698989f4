import { openHistories } from '../../main/library/histories'
import { openLibrary } from '../../main/library/library'
import { byUpdated } from '../../main/library/rows'
import { type ConversationSummary, partsOf } from '../../shared/model/conversation'
import type { Command, CommandContext } from '../command'
import { cacheFolder, chibiStores } from '../homes'
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

/** Every row of every root, counted. The first home and all foreign roots are one library, as they are in the window. */
async function allRows({
  args,
  disk,
  output,
  environment,
  signal,
}: CommandContext): Promise<readonly ConversationSummary[]> {
  const homes = chibiStores(args, disk)
  const noticed = (words: string) => output.say(words)
  const histories = openHistories(disk, args.roots, noticed)
  const rows: ConversationSummary[] = []
  for (const { store, shown } of homes.length > 0 ? homes : [{ store: undefined, shown: '' }]) {
    const library = openLibrary({
      disk,
      store,
      shownHome: shown,
      ...(store === homes[0]?.store ? { histories } : {}),
      cacheFolder: cacheFolder(args, environment),
      isRunning: () => false,
      changed: () => {},
      note: noticed,
      watched: false,
    })
    try {
      rows.push(...(await library.all(true, signal)))
    } finally {
      await library.close()
    }
  }
  return rows.sort(byUpdated)
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
