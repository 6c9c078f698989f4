import type { EntryId } from '../../../shared/model/conversation/entry'
import { exportKindOf } from '../parts/entry-kind'
import { formatMilliseconds } from '../parts/exact-time'
import { entriesOfStep, type TreeStep } from './branched-steps'
import { callArguments } from './call-arguments'
import type { PairedCall } from './call-pairing'
import {
  callToolName,
  compactionSummary,
  looseText,
  sessionImages,
  sessionText,
} from './session-entry'
import { createSessionExporter, type NewSession, type SessionForm } from './session-exporter'
import { createCallIds, newSessionId, sessionTimeMs } from './session-ids'
import { sessionJson } from './session-json'
import { modelNamed, providerNamed } from './session-model'
import type { TimedEntry, WrittenStep } from './session-steps'

/** pi looks for the header in so many bytes, and empties a file in which it finds none. */
const headerBytes = 512

/**
 * A session of pi: version 3 of its format, by its specification and source of August 2026. Records are the children of the ones before;
 * with every branch a tree, in which each entry is once, and the last record says where the conversation is now. Thoughts and compactions have a place; usage is written as zeros, which pi takes for "not known".
 */
const piForm: SessionForm = {
  id: 'pi',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  places: { reasoning: true, compaction: true },
  keepsModel: () => true,
  keepsErrors: true,
  keepsFolder: (folder) => Buffer.byteLength(header(newSessionId(), folder)) < headerBytes,
  fileName() {
    const id = newSessionId()
    return `${formatMilliseconds(sessionTimeMs(id)).replace(/[:.]/g, '-')}_${id}.jsonl`
  },
  write: writeRecords,
  writeTree: writeRecords,
}

async function* writeRecords(
  head: NewSession,
  steps: AsyncIterable<TreeStep>,
): AsyncGenerator<string> {
  const records = new Records()
  const callId = createCallIds(head.id)
  const name = { name: head.title }
  const beganMs = sessionTimeMs(head.id)
  /** The last record of the step that an entry is in: from there the tree goes on, with every call answered. */
  const recordOf = new Map<EntryId, string>()
  yield header(head.id, head.folder)
  yield records.line('session_info', beganMs, name)
  const first = records.last
  let lastMs = beganMs
  for await (const step of steps) {
    if (step.type === 'branch') {
      records.last = (step.from === null ? undefined : recordOf.get(step.from)) ?? first
      continue
    }
    if (step.type === 'leaf') {
      const at = (step.at === null ? undefined : recordOf.get(step.at)) ?? first
      if (at === records.last) continue
      records.last = at
      // pi is where the last record of the file is.
      yield records.line('session_info', lastMs, name)
      continue
    }
    for (const [atMs, { type, ...fields }] of recordsOf(step, head, callId)) {
      yield records.line(type, atMs, fields)
      lastMs = atMs
    }
    if (records.last !== null)
      for (const { entry } of entriesOfStep(step)) recordOf.set(entry.id, records.last)
  }
}

/** Exporter of pi's sessions. */
export const piExporter = createSessionExporter(piForm)

function header(id: string, cwd: string): string {
  const timestamp = formatMilliseconds(sessionTimeMs(id))
  return `${sessionJson({ type: 'session', version: 3, id, timestamp, cwd })}\n`
}

/** A record's fields, besides its id and parent. */
type RecordFields = Readonly<Record<string, unknown>> & { readonly type: string }
type Timed = readonly [atMs: number, fields: RecordFields]

/** Records of a session, each the child of `last`. */
class Records {
  last: string | null = null
  private count = 0

  line(type: string, atMs: number, fields: object): string {
    this.count += 1
    const id = this.count.toString(16).padStart(8, '0')
    // Its own id: nothing before a summary is kept beside it.
    const first = type === 'compaction' ? { firstKeptEntryId: id } : {}
    const timestamp = formatMilliseconds(atMs)
    const line = { type, id, parentId: this.last, timestamp, ...fields, ...first }
    this.last = id
    return `${sessionJson(line)}\n`
  }
}

function recordsOf(
  step: WrittenStep,
  { conversation }: NewSession,
  callId: ReturnType<typeof createCallIds>,
): readonly Timed[] {
  if (step.type === 'loose')
    return [answer(step.entry.atMs, [textPart(looseText(step.entry.entry))], undefined, 'stop')]
  if (step.type === 'other') {
    const { entry, atMs } = step.entry
    const summary = compactionSummary(entry)
    if (summary !== undefined) return [[atMs, { type: 'compaction', summary, tokensBefore: 0 }]]
    const content = contentOf(sessionText(entry, conversation), step.entry)
    return [message(atMs, { role: 'user', content, timestamp: atMs })]
  }
  const { words, calls } = step
  const said = [...words, ...calls.map(({ call }) => call)]
  const ids = calls.map(({ call }) => callId(call.entry.tool_call_id))
  const parts = [
    ...words.map(({ entry }) =>
      exportKindOf(entry) === 'reasoning'
        ? { type: 'thinking', thinking: entry.content }
        : textPart(sessionText(entry, conversation)),
    ),
    ...calls.map(({ call: { entry } }, at) => ({
      type: 'toolCall',
      id: ids[at],
      name: callToolName(entry),
      arguments: callArguments(entry).json,
    })),
  ]
  const model = modelNamed(said.map(({ entry }) => entry))
  const atMs = said.at(-1)?.atMs ?? 0
  return [
    answer(atMs, parts, model, calls.length > 0 ? 'toolUse' : 'stop'),
    ...calls.map((pair, at) => resultOf(pair, ids[at])),
  ]
}

function resultOf({ call, result }: PairedCall<TimedEntry>, id: string | undefined): Timed {
  return message(result.atMs, {
    role: 'toolResult',
    toolCallId: id,
    toolName: callToolName(call.entry),
    content: contentOf(result.entry.content, result),
    isError: result.entry.metadata?.is_error === true,
    timestamp: result.atMs,
  })
}

function message(atMs: number, fields: object): Timed {
  return [atMs, { type: 'message', message: fields }]
}

function answer(
  atMs: number,
  content: readonly object[],
  model: string | undefined,
  stopReason: 'stop' | 'toolUse',
): Timed {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  return message(atMs, {
    role: 'assistant',
    content,
    ...providerOf(model ?? 'unknown'),
    usage: { ...usage, totalTokens: 0, cost: { ...usage, total: 0 } },
    stopReason,
    timestamp: atMs,
  })
}

function contentOf(text: string, { entry }: TimedEntry): readonly object[] {
  const images = sessionImages(entry) ?? []
  return [
    ...(text === '' && images.length > 0 ? [] : [textPart(text)]),
    ...images.map(({ mime, data }) => ({ type: 'image', data, mimeType: mime })),
  ]
}

function textPart(text: string): object {
  return { type: 'text', text }
}

/** The interfaces by which pi asks providers. */
const interfaces: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  google: 'google-generative-ai',
}

/** Where pi asks a model. One that it does not find there, it replaces by its own, and says so. */
function providerOf(model: string): Readonly<Record<'api' | 'provider' | 'model', string>> {
  const provider = providerNamed(model)
  return { api: interfaces[provider] ?? 'openai-completions', provider, model }
}
