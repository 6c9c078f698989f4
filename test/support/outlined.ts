import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ConversationKey } from '../../src/shared/model/conversation/conversation'
import { EntryId } from '../../src/shared/model/conversation/entry'
import type { Family } from '../../src/shared/model/family/family'
import type { OutlinedConversation, OutlinedEntry } from '../../src/shared/model/family/outline'

/** Conversations for tests of the branch arithmetic. */

export const id = (text: string) => EntryId.parse(text)
export const key = (text: string) => ConversationKey.parse(text)

/** A message; `who` is the role, `L<n>` ids are given by `lines`. */
export function message(
  who: 'user' | 'agent' | 'system',
  content: string,
  more: Partial<OutlinedEntry> = {},
): OutlinedEntry {
  return {
    id: id('L0'),
    timestamp: null,
    to: who === 'agent' ? 'user' : 'model',
    content,
    entry_type: 'message',
    role: who,
    ...more,
  }
}

/** The same entries with the ids that a format without ids gets. */
export function lines(entries: readonly OutlinedEntry[], first = 1): readonly OutlinedEntry[] {
  return entries.map((entry, i) => ({ ...entry, id: id(`L${first + i}`) }))
}

export function conversation(
  name: string,
  entries: readonly OutlinedEntry[],
  more: Partial<OutlinedConversation> = {},
): OutlinedConversation {
  return {
    source: 'cycod',
    key: key(name),
    title: name,
    created: null,
    updated: null,
    entries,
    ...more,
  }
}

/** A UUID that stands for a word, so that tests can be read. */
export function uuid(word: string): EntryId {
  const hex = Buffer.from(word.padEnd(16, '.')).toString('hex').slice(0, 32)
  return id(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
}

/** A family as lines: depth by indentation, first and last entry, who holds it, a star on the current path. */
export function drawn(family: Family): readonly string[] {
  const depth = new Map<string | null, number>([[null, -1]])
  return family.nodes.map((node) => {
    const own = (depth.get(node.parent) ?? -1) + 1
    depth.set(node.id, own)
    const run = `${node.key} ${node.fromEntry}..${node.toEntry}`
    return `${'  '.repeat(own)}${run} [${node.keys.join(' ')}]${node.active ? ' *' : ''}`
  })
}

/** A folder of cycod files, projected as the reader does: a line's text first, then its calls as further parts. */
export function cycodFolder(folder: string): readonly OutlinedConversation[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const rows = readFileSync(path.join(folder, file), 'utf8')
        .replace(/^\ufeff/, '')
        .split('\n')
      const values = rows.map((row) => JSON.parse(row) as CycodLine)
      const meta = values.find((value) => value._meta !== undefined)?._meta
      const name = file.replace(/\.jsonl$/, '')
      return conversation(name, values.flatMap(cycodEntries), {
        title: meta?.title ?? name,
        storedTitle: meta?.title,
        created: new Date(Number(name.replace(/^.*-/, ''))).toISOString(),
      })
    })
}

interface CycodLine {
  readonly _meta?: { readonly title?: string }
  readonly role?: string
  readonly content?: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly arguments: string }
  }[]
}

function cycodEntries(line: CycodLine, row: number): readonly OutlinedEntry[] {
  if (line.role === undefined) return []
  const at = `L${row + 1}`
  const content = line.content ?? ''
  if (line.role === 'tool')
    return [
      message('agent', content, {
        id: id(at),
        entry_type: 'tool_result',
        role: undefined,
        tool_call_id: line.tool_call_id,
      }),
    ]
  const role = line.role === 'assistant' ? 'agent' : line.role === 'system' ? 'system' : 'user'
  const calls = (line.tool_calls ?? []).map((call) =>
    message('agent', call.function.arguments, {
      entry_type: 'tool_call',
      role: undefined,
      tool_call_id: call.id,
    }),
  )
  return [message(role, content), ...calls].map((entry, part) => ({
    ...entry,
    id: id(part === 0 ? at : `${at}#${part + 1}`),
  }))
}
