import { z } from 'zod'
import { isoSeconds } from '../../../shared/model/basics/time'
import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Entry } from '../../../shared/model/conversation/entry'
import { entryUuid } from '../parts/derived-id'
import { exportedText, exportKindOf, isRecord, nonEmptyText } from '../parts/entry-kind'
import { lostArguments, lostHalves, lostMetadata, lostUnsaid } from '../parts/entry-losses'
import { formatDecimals, formatWholeSeconds, isExportableTime } from '../parts/exact-time'
import type { Exportable, Exporter } from '../parts/exporter'
import { type EntryLoss, isLeftOut } from '../parts/loss'
import { exportedEntries } from '../parts/rows'

/**
 * A session of fluux-agent (`history.jsonl`): its header, and a line for each message of a person or the model. Tools,
 * reasoning and the system's words have no place in it.
 *
 * A conversation of another system is one with a single person, whose JID is made of the conversation's key and leads
 * nowhere (`garden@skein.invalid`).
 */
export const fluuxExporter: Exporter = {
  id: 'fluux',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  branches: 'active',
  hasBranches: false,
  hasProject: false,
  fileName: () => 'history.jsonl',
  lostOf,
  async *write(conversation, options, signal) {
    const jid = jidOf(conversation)
    let isBegun = false
    const begin = (first: number | null): string => {
      isBegun = true
      return header(jid, conversation.created, first)
    }
    for await (const { entry, conversation: owner } of exportedEntries(
      conversation,
      options,
      signal,
    )) {
      if (!isBegun) yield begin(entry.timestamp)
      if (!isLeftOut(lostOf(entry, owner))) yield messageLine(entry, owner, jid)
    }
    if (!isBegun) yield begin(null)
  },
}

const ownKeys = ['msg_id', 'sender', 'attachments', 'reaction', 'raw_ts', 'raw_fields']

function lostOf(entry: Entry, { source }: Pick<Exportable, 'source'>): readonly EntryLoss[] {
  const unsaid = lostUnsaid(entry)
  if (unsaid !== undefined) return unsaid
  const isOwn = source === 'fluux'
  const kept = isOwn ? new Set(ownKeys) : keptKeys(entry)
  const isNamed = !isOwn && exportKindOf(entry) === 'user' && !['', 'user'].includes(entry.from)
  const hasLostTime = entry.timestamp !== null && !isExportableTime(entry.timestamp)
  return [
    ...(hasLostTime ? [{ kind: 'time' } as const] : []),
    ...(isNamed ? [{ kind: 'name' } as const] : []),
    ...lostMetadata(entry, kept),
    ...lostArguments(entry),
    ...lostHalves(entry),
  ]
}

const Attachments = z
  .array(z.object({ filename: z.string(), mime_type: z.string(), size: z.string() }))
  .min(1)
const Reaction = z.object({ message_id: z.string(), emojis: z.array(z.string()) })

/** Returns the keys of another system's metadata that happen to be in fluux's own shape. */
function keptKeys({ metadata = {} }: Entry): ReadonlySet<string> {
  const { attachments, reaction } = metadata
  return new Set([
    ...(Attachments.safeParse(attachments).success ? ['attachments'] : []),
    ...(Reaction.safeParse(reaction).success ? ['reaction'] : []),
  ])
}

function header(jid: string, created: string | null, first: number | null): string {
  const began = isoSeconds(created) ?? null
  const time = isExportableTime(began) ? began : isExportableTime(first) ? first : 0
  return `${wellFormedJson({ type: 'session', version: 1, created: timeText(time), jid })}\n`
}

/** In fluux's key order; optional keys are left out, as serde does. */
function messageLine(entry: Entry, { source, key }: Exportable, jid: string): string {
  const { timestamp, metadata = {} } = entry
  const isOwn = source === 'fluux'
  const isUser = exportKindOf(entry) === 'user'
  const outbound = isUser ? undefined : entryUuid(source, key, entry.id)
  const msgId = isOwn ? metadata.msg_id : outbound
  const sender = isOwn ? metadata.sender : isUser ? jid : undefined
  const ts = isExportableTime(timestamp)
    ? timeText(timestamp)
    : isOwn
      ? nonEmptyText(metadata.raw_ts)
      : undefined
  const kept = isOwn ? new Set(ownKeys) : keptKeys(entry)
  const { attachments, reaction, raw_fields: others } = metadata
  const message = {
    type: 'message',
    role: isUser ? 'user' : 'assistant',
    content: exportedText('fluux', entry, { source }),
    ...(typeof msgId === 'string' ? { msg_id: msgId } : {}),
    ...(typeof sender === 'string' ? { sender } : {}),
    ...(ts === undefined ? {} : { ts }),
    ...(kept.has('attachments') && Array.isArray(attachments) ? { attachments } : {}),
    ...(kept.has('reaction') && isRecord(reaction) ? { reaction } : {}),
  }
  // What its reader found besides goes after all; a hostile name takes the place of nothing.
  const further = isOwn && isRecord(others) ? Object.entries(others) : []
  const free = further.filter(([name]) => !Object.hasOwn(message, name))
  return `${wellFormedJson({ ...message, ...Object.fromEntries(free) })}\n`
}

/** As chrono writes it, with nanoseconds: `2026-02-10T09:00:01.123456700+00:00`. */
function timeText(timestamp: number): string {
  return `${formatWholeSeconds(timestamp)}.${formatDecimals(timestamp, 9)}+00:00`
}

function jidOf({ source, key }: Exportable): string {
  if (source === 'fluux') return key.split('/', 1)[0] ?? key
  const name = key
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
  return `${name.slice(0, 100) || 'conversation'}@skein.invalid`
}
