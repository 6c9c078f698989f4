import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import { type Entry, isCallUser, speakerOf } from '../../../shared/model/conversation/entry'
import { entryUuid, hashedUuid } from '../parts/derived-id'
import { exportKindOf } from '../parts/entry-kind'
import { lostHalves } from '../parts/entry-losses'
import { filledTimes, isExportableTime } from '../parts/exact-time'
import type { Exportable, Exporter } from '../parts/exporter'
import type { EntryLoss } from '../parts/loss'
import { exportedEntries } from '../parts/rows'

/**
 * A chibi transcript (`transcript/active.jsonl`): 0.9's lines, with the role that 0.10 added.
 *
 * Of a chibi conversation the lines are as they were, ids too. Any other one begins with chibi's anchor; its entries get
 * ids that are UUIDs, `from` and `to` as chibi has them, and whole seconds. All kinds of entries have a place: chibi
 * keeps what it does not know.
 */
export const chibiExporter: Exporter = {
  id: 'chibi',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  branches: 'active',
  hasBranches: false,
  hasProject: false,
  fileName: () => 'active.jsonl',
  lostOf,
  async *write(conversation, options, signal) {
    const { source, key, created } = conversation
    const timeOf = filledTimes(created)
    const secondsOf = (timestamp: number | null) => Math.floor(timeOf(timestamp))
    const context = contextName(key)
    let isBegun = source === 'chibi'
    for await (const { entry, conversation: owner } of exportedEntries(
      conversation,
      options,
      signal,
    )) {
      const seconds = secondsOf(entry.timestamp)
      if (!isBegun) yield anchor(conversation, context, seconds)
      isBegun = true
      yield line(source === 'chibi' ? entry : inChibi(entry, owner, context), seconds)
    }
    if (!isBegun) yield anchor(conversation, context, secondsOf(null))
  },
}

function lostOf(entry: Entry): readonly EntryLoss[] {
  const { timestamp } = entry
  const time: readonly EntryLoss[] = !isExportableTime(timestamp)
    ? [{ kind: 'no-time' }]
    : Number.isInteger(timestamp)
      ? []
      : [{ kind: 'fraction' }]
  return [...time, ...lostHalves(entry)]
}

type ChibiEntry = Pick<
  Entry,
  'from' | 'to' | 'content' | 'entry_type' | 'metadata' | 'tool_call_id' | 'role' | 'flow_control'
> & { readonly id: string }

function inChibi(entry: Entry, { source, key }: Exportable, context: string): ChibiEntry {
  const { flow_control: _, role: _role, ...kept } = entry
  return { ...kept, id: entryUuid(source, key, entry.id), ...speakersIn(entry, context) }
}

function speakersIn(entry: Entry, context: string): Pick<ChibiEntry, 'from' | 'to' | 'role'> {
  const { from, to } = entry
  // Its words are its argument, as chibi stores them.
  if (isCallUser(entry)) return { from: context, to }
  switch (exportKindOf(entry)) {
    case 'user':
      return { from: from === '' ? 'user' : from, to: context, role: 'user' }
    case 'agent':
      return { from: context, to: 'user', role: 'agent' }
    case 'system':
      return { from: 'system', to: context, role: speakerOf(entry) }
    case 'call':
      return { from: context, to }
    case 'result':
      return { from, to: context }
    case 'reasoning':
      return { from: context, to: 'user' }
    case 'unknown':
    case 'other':
      return { from, to: context }
  }
}

/** In chibi's key order. */
function line(entry: ChibiEntry, timestamp: number): string {
  const { id, from, to, content, entry_type, metadata, tool_call_id, role, flow_control } = entry
  return `${wellFormedJson({
    id,
    timestamp,
    from,
    to,
    content,
    entry_type,
    ...(metadata === undefined || Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
    ...(role === undefined ? {} : { role }),
    // chibi writes it only when true.
    ...(flow_control === true ? { flow_control } : {}),
  })}\n`
}

function anchor({ source, key }: Exportable, context: string, seconds: number): string {
  const entry = {
    id: hashedUuid(source, key, 'context_created'),
    from: 'system',
    to: context,
    content: 'Context created',
    entry_type: 'context_created',
  }
  return line(entry, seconds)
}

/** A name that chibi takes for a context. */
function contextName(key: string): string {
  const name = key.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '')
  // chibi tells a person's words from the model's by `to == "user"`.
  return /^(?:user|system)?$/i.test(name) ? 'conversation' : name.slice(0, 128)
}
