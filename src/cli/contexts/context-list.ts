import type { Home } from '../../main/home/home'
import { isoTime } from '../../shared/model/basics/time'
import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { Root } from '../command/arguments'
import type { CommandContext } from '../command/command'
import { type ConversationState, stateOf } from '../conversations/conversation-state'
import { withHome } from '../homes/open-home'
import { localMinute } from '../terminal/local-time'
import { jsonOutput, terminalText } from '../terminal/output'

/** One context of `skein contexts --json`; times are ISO 8601 in UTC, or null. */
interface ListedContext {
  readonly name: string
  readonly created: string | null
  readonly updated: string | null
  readonly entries: number
  readonly state: ConversationState
  readonly archived: boolean
  /** `current` is the one that chibi takes where none is named, `previous` the one that it took before. */
  readonly mark: 'current' | 'previous' | null
  /** When chibi deletes it, by what state.json says; Skein never does. */
  readonly expires: string | null
}

/** Prints the contexts of a home; gives the exit code. */
export async function listContexts(context: CommandContext, root: Root): Promise<number> {
  const { args, output, signal } = context
  const listed = await withHome(context, root, ({ home }) => contextsOf(home, signal))
  if (args.json) await output.write(jsonOutput({ contexts: listed }))
  else for (const one of listed) await output.write(text(one))
  return 0
}

async function contextsOf(
  { contexts, library }: Home,
  signal: AbortSignal,
): Promise<readonly ListedContext[]> {
  const [archived, session] = [await contexts.archived(), await contexts.session()]
  // Counted by the library, which remembers: the home alone, whatever else is read usually.
  const rows = await library.all(true, signal)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const listed: ListedContext[] = []
  for (const { name } of await contexts.list(signal)) {
    const row = byKey.get(libraryKeyOf('chibi', name))
    if (row === undefined) continue
    const { expiresAt } = await contexts.readBeside(name).catch(() => ({ expiresAt: null }))
    listed.push({
      name,
      created: row.created,
      updated: row.updated,
      entries: row.entries ?? 0,
      state: stateOf(row),
      archived: archived.includes(name),
      mark: session.current === name ? 'current' : session.previous === name ? 'previous' : null,
      expires: expiresAt === null ? null : isoTime(expiresAt),
    })
  }
  return listed
}

function text({ name, updated, entries, state, archived, mark, expires }: ListedContext): string {
  const words = [
    ...(state === 'ok' ? [] : [state]),
    ...(archived ? ['archived'] : []),
    ...(mark === null ? [] : [mark]),
    ...(expires === null ? [] : [`chibi deletes it after ${localMinute(expires)}`]),
  ]
  const more = words.length === 0 ? '' : `  ${words.join(', ')}`
  return terminalText(
    `${(localMinute(updated) ?? '-').padEnd(16)}  ${String(entries).padStart(6)}  ${name}${more}\n`,
  )
}
