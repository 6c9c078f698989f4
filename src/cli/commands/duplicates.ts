import { createHash } from 'node:crypto'
import type { ReadConversation } from '../../main/readers/read-root'
import { isoMs } from '../../shared/model/basics/time'
import { callUserMessage, type Entry, speakerOf } from '../../shared/model/conversation/entry'
import { countFlag, textFlag, UsageError } from '../command/arguments'
import type { Command } from '../command/command'
import { rootsOfSource } from '../conversations/find'
import { readAll } from '../conversations/read-all'
import { localDay } from '../terminal/local-time'
import { jsonOutput, terminalText } from '../terminal/output'
import { shownName } from '../terminal/shown-name'

interface Named {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly updated: string | null
  readonly entries: number
}

/** Output of `duplicates --json`. Nothing of it is a judgement on what may go: a copy may be the one that is continued. */
interface Report {
  /** Conversations with the same messages from the first to the last, the oldest first. */
  readonly equal: readonly { readonly conversations: readonly Named[] }[]
  /** Conversations whose messages are the beginning of a longer one: the shortest of those is named. */
  readonly contained: readonly { readonly conversation: Named; readonly in: Named }[]
  /** Conversations in which neither a person nor a model says anything. */
  readonly empty: readonly Named[]
  /** Parts that could not be read, a sentence each: such conversations are compared with no other. */
  readonly unread: readonly string[]
  /** Only with `--older-than`: last changed before that. */
  readonly old?: readonly Named[]
}

const dayMs = 86_400_000

/** Command `skein duplicates`. */
export const duplicatesCommand: Command = {
  name: 'duplicates',
  synopsis: '[--source SOURCE] [--older-than DAYS]',
  summary: 'lists equal, contained, empty and old conversations; deletes none',
  flags: ['source', 'older-than'],
  options: [
    ['--source SOURCE', 'only conversations of this system'],
    ['--older-than DAYS', 'also lists those that did not change for DAYS days'],
  ],
  replaces: 'cycodj cleanup (the report alone)',
  async run(context) {
    const { args, output, now } = context
    if (args.operands.length > 0) throw new UsageError('"skein duplicates" takes no KEY.')
    const days =
      textFlag(args, 'older-than') === undefined ? undefined : countFlag(args, 'older-than')
    const { conversations, incomplete, unread } = await readAll(context, rootsOfSource(args).roots)
    const before = days === undefined ? undefined : (now?.() ?? Date.now()) - days * dayMs
    // Half of a conversation looks like a copy of its other half's beginning.
    const whole = conversations.filter((one) => !incomplete.has(one))
    const report = { ...reportOf(whole, before), unread }
    await output.write(args.json ? jsonOutput(report) : text(report))
    return unread.length === 0 ? 0 : 1
  },
}

function reportOf(
  conversations: readonly ReadConversation[],
  beforeMs: number | undefined,
): Omit<Report, 'unread'> {
  const oldestFirst = [...conversations].sort((a, b) =>
    (a.created ?? '') < (b.created ?? '') ? -1 : (a.created ?? '') > (b.created ?? '') ? 1 : 0,
  )
  const groups = new Map<string, ReadConversation[]>()
  const begins = oldestFirst
    .filter((one) => !isEmpty(one))
    .map((one) => [one, beginningsOf(one)] as const)
  for (const [conversation, signs] of begins) {
    const whole = signs.at(-1) ?? ''
    const group = groups.get(whole)
    if (group === undefined) groups.set(whole, [conversation])
    else group.push(conversation)
  }
  /** The shortest conversation that goes on after this beginning. */
  const longer = new Map<
    string,
    { readonly conversation: ReadConversation; readonly length: number }
  >()
  for (const [conversation, signs] of begins)
    for (const sign of signs.slice(0, -1))
      if (groups.has(sign) && (longer.get(sign)?.length ?? Infinity) > signs.length)
        longer.set(sign, { conversation, length: signs.length })
  return {
    equal: [...groups.values()]
      .filter((group) => group.length > 1)
      .map((group) => ({ conversations: group.map(named) })),
    contained: begins.flatMap(([conversation, signs]) => {
      const found = longer.get(signs.at(-1) ?? '')
      return found === undefined
        ? []
        : [{ conversation: named(conversation), in: named(found.conversation) }]
    }),
    empty: oldestFirst.filter(isEmpty).map(named),
    ...(beforeMs === undefined
      ? {}
      : { old: oldestFirst.filter((one) => isOlder(one, beforeMs)).map(named) }),
  }
}

/**
 * A digest of every beginning of a conversation, one message each: texts, calls and results, by whom, with what
 * hangs on it. Times and ids are no part of it, since a copy may have others; nor are entries that nobody speaks.
 */
function beginningsOf({ entries }: ReadConversation): readonly string[] {
  let before = ''
  const signs: string[] = []
  for (const entry of entries) {
    if (!spoken.has(entry.entry_type) && speakerOf(entry) === undefined) continue
    before = createHash('sha256')
      .update(`${before}${identityOf(entry)}`)
      .digest('base64')
    signs.push(before)
  }
  return signs
}

const spoken: ReadonlySet<string> = new Set(['message', 'reasoning', 'tool_call', 'tool_result'])

function identityOf(entry: Entry): string {
  const { entry_type, content, tool_call_id, metadata } = entry
  const tool = entry_type === 'tool_call' ? entry.to : ''
  const { images, attachments, audio, reaction } = metadata ?? {}
  const attached = [images, attachments, audio, reaction]
  // A message, however it was stored.
  const said = callUserMessage(entry)
  return JSON.stringify(
    said === undefined
      ? [entry_type, speakerOf(entry), tool, tool_call_id, content, attached]
      : [
          'message',
          'agent',
          '',
          undefined,
          said.others === undefined ? said.words : content,
          attached,
        ],
  )
}

function isEmpty({ entries }: ReadConversation): boolean {
  return !entries.some((entry) => {
    const speaker = speakerOf(entry)
    return speaker === 'user' || speaker === 'agent'
  })
}

function isOlder({ updated, created }: ReadConversation, beforeMs: number): boolean {
  const changedMs = isoMs(updated ?? created)
  return changedMs !== undefined && changedMs < beforeMs
}

function named({ source, key, title, updated, entries }: ReadConversation): Named {
  return { source, key, title, updated, entries: entries.length }
}

function text({ equal, contained, empty, old }: Report): string {
  const parts = [
    heading(equal.length, 'Equal from the first message to the last'),
    ...equal.flatMap(({ conversations }) => [...conversations.map((one) => `  ${words(one)}`), '']),
    heading(contained.length, 'The beginning of a longer one'),
    ...contained.map(
      (one) => `  ${words(one.conversation)}\n    fully contained in ${words(one.in)}`,
    ),
    heading(empty.length, 'No message from a person or a model'),
    ...empty.map((one) => `  ${words(one)}`),
    ...(old === undefined ? [] : [heading(old.length, 'Unchanged for longer')]),
    ...(old ?? []).map((one) => `  ${words(one)}`),
  ]
  return `${terminalText(parts.join('\n').trimEnd())}\n`
}

function heading(count: number, what: string): string {
  return `${what}: ${count === 0 ? 'none' : count}`
}

function words(one: Named): string {
  return `${shownName(one)}, ${one.entries} entries, ${localDay(one.updated) ?? 'no time'}`
}
