import { countWithNoun } from '../../shared/model/basics/plural'
import type { Entry } from '../../shared/model/conversation/entry'
import type { UnreadPart } from '../../shared/model/conversation/reading'
import {
  type ExportFormat,
  exportFormats,
  type LossKind,
  type LossReport,
  leftOutKinds,
} from '../../shared/model/export'
import { filledTimes } from './parts/exact-time'
import type { Exportable, Exporter, ExportOptions } from './parts/exporter'
import type { EntryLoss } from './parts/loss'
import { exportedRows, isOnPath } from './parts/rows'
import { furtherMeta, sourceMeta } from './parts/source-meta'

/** Options of a loss report: those of the export, and the parts that could not be read. */
export interface LossOptions extends ExportOptions {
  /** Parts that could not be read; asked for after the last row. */
  readonly unread?: () => readonly UnreadPart[]
  /** Entries that a person left out, which are not among the rows. */
  readonly chosen?: number
}

/** The facts of a conversation that the count needs: its models and its last time may not be known yet. */
type CountedConversation = Omit<
  Exportable,
  'key' | 'title' | 'updated' | 'models' | 'parent' | 'files'
>

/**
 * Counts what a conversation loses in a format, before it is written: takes the rows once, and holds only counts.
 * Parts that could not be read are in no format: they are reported with the damaged lines.
 *
 * Stops with the signal's reason. Throws what `rows` throws.
 */
export async function countLosses(
  exporter: Exporter,
  conversation: CountedConversation,
  options: LossOptions,
  signal: AbortSignal,
): Promise<LossReport> {
  const counts = new LossCounts()
  const { chosen = 0 } = options
  if (chosen > 0) counts.addMany('chosen', chosen)
  counts.entries += chosen
  const leavesOutDamaged = exportFormats[exporter.id].damaged === 'left out'
  const { hasProject } = exporter
  const { project } = conversation
  if (project !== null && !(typeof hasProject === 'function' ? hasProject(project) : hasProject))
    counts.add({ kind: 'project' })
  if (exporter.hasTags !== true)
    for (const _ of conversation.tags ?? []) counts.add({ kind: 'tag' })
  counts.addIf(conversation.color !== undefined && exporter.hasColor !== true, 'color')
  if (exporter.hasMeta !== true)
    for (const name of furtherMeta(await sourceMeta(conversation)))
      counts.add({ kind: 'meta', name })
  const timeOf = filledTimes(conversation.created)
  const follower = exporter.lossesBetween?.(conversation)
  let latest = Number.NEGATIVE_INFINITY
  const tellEntry = (entry: Entry) => {
    counts.entries += 1
    const lost = exporter.lostOf(entry, conversation)
    const whole = lost.find(({ kind }) => leftOutKinds.has(kind))
    if (whole === undefined) {
      counts.written += 1
      counts.addAll(lost)
      for (const one of follower?.add(entry) ?? []) counts.add(one)
      counts.addIf(entry.label !== undefined && exporter.hasLabels !== true, 'label')
      const time = timeOf(entry.timestamp)
      counts.addIf(exporter.isByTime === true && time < latest, 'order')
      latest = Math.max(latest, time)
    } else counts.add(whole)
  }
  if (options.branches === 'active') {
    const onPath = isOnPath(conversation.active)
    for await (const row of conversation.rows) {
      signal.throwIfAborted()
      if (row.type === 'damaged') counts.addIf(leavesOutDamaged, 'damaged')
      else if (onPath(row.entry.id)) tellEntry(row.entry)
      else {
        counts.entries += 1
        counts.add({ kind: 'other-branch' })
      }
    }
  } else
    for await (const row of exportedRows(conversation, options, signal)) {
      if (row.type === 'entry') tellEntry(row.entry)
      else if (row.type === 'damaged') counts.addIf(leavesOutDamaged, 'damaged')
      else counts.addIf(!exporter.hasBranches, 'fork')
    }
  for (const one of follower?.end() ?? []) counts.add(one)
  const unread = options.unread?.() ?? []
  return counts.report(
    exporter.id,
    unread.map(({ sentence }) => sentence),
  )
}

/**
 * Sums the losses of several conversations in a format. Of metadata each report names its own keys; the sum names none. Parts
 * that could not be read are not in it: each report says what they are.
 */
export function sumLosses(
  exporter: Pick<Exporter, 'id'>,
  reports: readonly LossReport[],
): LossReport {
  const counts = new LossCounts()
  for (const { entries, written, losses } of reports) {
    counts.entries += entries
    counts.written += written
    for (const { kind, count, unread = 0 } of losses)
      if (count > unread) counts.addMany(kind, count - unread)
  }
  return counts.report(exporter.id, [])
}

class LossCounts {
  entries = 0
  written = 0
  private readonly counts = new Map<LossKind, number>()
  private readonly names = new Map<LossKind, Set<string>>()

  add({ kind, name }: EntryLoss): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    if (name !== undefined) this.addName(kind, name)
  }

  addMany(kind: LossKind, count: number): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + count)
  }

  addIf(isLost: boolean, kind: LossKind): void {
    if (isLost) this.add({ kind })
  }

  /** Adds the losses of one entry: several keys of its metadata are one loss. */
  addAll(lost: readonly EntryLoss[]): void {
    for (const kind of new Set(lost.map((one) => one.kind))) this.add({ kind })
    for (const { kind, name } of lost) if (name !== undefined) this.addName(kind, name)
  }

  private addName(kind: LossKind, name: string): void {
    const names = this.names.get(kind) ?? new Set()
    this.names.set(kind, names)
    if (names.size < 100) names.add(name)
  }

  report(format: ExportFormat, unread: readonly string[]): LossReport {
    const { name, inSentence = name } = exportFormats[format]
    const losses = [...this.counts].map(([kind, count]) => {
      const { one, many, rest } = sentences[kind]
      const shown = countWithNoun(count, one, many)
      const names = this.names.get(kind) ?? new Set<string>()
      if (kind === 'metadata') return { kind, count, sentence: metadataSentence(shown, names) }
      const keys = names.size === 0 ? '' : `: ${keysOf(names)}`
      const what = rest.replace('FORM', inSentence).replace(': KEYS', keys)
      return { kind, count, sentence: `${`${shown} ${what}`.trimEnd()}.` }
    })
    const order = Object.keys(sentences)
    const all = withUnread(losses, unread)
    all.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    return { entries: this.entries, written: this.written, losses: all }
  }
}

/** Adds what could not be read: it and damaged lines are one loss. */
function withUnread(losses: LossReport['losses'], unread: readonly string[]): LossReport['losses'] {
  if (unread.length === 0) return losses
  const isDamaged = ({ kind }: { readonly kind: LossKind }) => kind === 'damaged'
  const lines = losses.filter(isDamaged)
  const count = lines.reduce((sum, one) => sum + one.count, unread.length)
  const sentence = [
    `Some of it cannot be read: ${unread.join(' ')}`,
    ...lines.map((one) => one.sentence),
  ].join(' ')
  const loss = { kind: 'damaged', count, unread: unread.length, sentence } as const
  return [...losses.filter((one) => !isDamaged(one)), loss]
}

const sentences: Readonly<
  Record<LossKind, { readonly one: string; readonly many: string; readonly rest: string }>
> = {
  chosen: { one: 'entry is', many: 'entries are', rest: 'left out as chosen' },
  'other-branch': {
    one: 'entry on another branch is',
    many: 'entries on other branches are',
    rest: 'left out',
  },
  reasoning: { one: 'piece of reasoning is', many: 'pieces of reasoning are', rest: 'left out' },
  tool: { one: 'tool call or result is', many: 'tool calls and results are', rest: 'left out' },
  system: { one: 'system message is', many: 'system messages are', rest: 'left out' },
  other: { one: 'other entry is', many: 'other entries are', rest: 'left out' },
  note: {
    one: 'note of a program among the messages is',
    many: 'notes of a program among the messages are',
    rest: 'left out',
  },
  empty: { one: 'empty message is', many: 'empty messages are', rest: 'left out' },
  damaged: { one: 'damaged line is', many: 'damaged lines are', rest: 'left out' },
  fork: {
    one: 'branch follows the others without its starting point',
    many: 'branches follow the others without their starting points',
    rest: '',
  },
  time: { one: 'timestamp is', many: 'timestamps are', rest: 'left out' },
  fraction: {
    one: 'timestamp loses its fraction of a second',
    many: 'timestamps lose their fraction of a second',
    rest: '',
  },
  'no-time': {
    one: 'entry without a time gets',
    many: 'entries without a time get',
    rest: 'the time of the entry before',
  },
  order: { one: 'entry moves', many: 'entries move', rest: 'because FORM sorts by time' },
  'loose-call': {
    one: 'tool call or result without its other half becomes',
    many: 'tool calls and results without their other halves become',
    rest: 'text',
  },
  moved: { one: 'tool result moves', many: 'tool results move', rest: 'behind its call' },
  wrapped: {
    one: 'tool call has arguments that are no plain JSON object;',
    many: 'tool calls have arguments that are no plain JSON object;',
    rest: 'they become text in one',
  },
  'tool-name': {
    one: 'tool name changes',
    many: 'tool names change',
    rest: 'to letters, digits, "_" and "-"',
  },
  late: {
    one: 'entry gets',
    many: 'entries get',
    rest: 'the time of the entry before, because times must rise',
  },
  milliseconds: {
    one: 'timestamp is',
    many: 'timestamps are',
    rest: 'rounded to milliseconds',
  },
  name: {
    one: 'entry loses the name of its speaker',
    many: 'entries lose the names of their speakers',
    rest: '',
  },
  half: {
    one: 'entry has broken characters',
    many: 'entries have broken characters',
    rest: 'that become U+FFFD',
  },
  metadata: { one: 'entry', many: 'entries', rest: '' },
  meta: {
    one: 'field about the conversation is',
    many: 'fields about the conversation are',
    rest: 'left out: KEYS',
  },
  project: { one: 'project folder is', many: 'project folders are', rest: 'left out' },
  tag: { one: 'tag is', many: 'tags are', rest: 'left out' },
  color: { one: 'color is', many: 'colors are', rest: 'left out' },
  label: { one: 'label is', many: 'labels are', rest: 'left out' },
}

const mostKeys = 8

/** Keys of metadata that people know by another name. */
const wordsForKeys: Readonly<Record<string, string>> = {
  usage: 'token usage',
  saved_output: 'output in a file of its own',
}

/** Says which metadata of so many entries is left out. */
function metadataSentence(entries: string, names: ReadonlySet<string>): string {
  const plain = plainKeys(names)
  const shown = plain.slice(0, mostKeys).map((name) => wordsForKeys[name] ?? name)
  const all = [...shown, ...(plain.length > mostKeys || plain.length < names.size ? ['more'] : [])]
  const last = all.at(-1) ?? 'metadata'
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${last}` : last
  const words = `${list.slice(0, 1).toUpperCase()}${list.slice(1)}`
  return `${words} of ${entries} ${all.length > 1 ? 'are' : 'is'} left out.`
}

/** Names keys, as far as they are names: a file may hold anything there. */
function keysOf(names: ReadonlySet<string>): string {
  const plain = plainKeys(names)
  const shown = plain.slice(0, mostKeys)
  return [...shown, ...(shown.length < names.size ? ['others'] : [])].join(', ')
}

function plainKeys(names: ReadonlySet<string>): readonly string[] {
  return [...names].filter((name) => /^[\w-]{1,40}$/.test(name))
}
