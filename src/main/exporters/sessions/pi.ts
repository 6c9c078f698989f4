import { exportKindOf } from '../parts/entry-kind'
import { formatMilliseconds } from '../parts/exact-time'
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
 * A session of pi: version 3 of its format, by its specification and source of August 2026. One path of records, each the child of
 * the one before. Thoughts and compactions have a place; usage is written as zeros, which pi takes for "not known".
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
  async *write(head, steps) {
    const record = createRecords()
    const callId = createCallIds(head.id)
    yield header(head.id, head.folder)
    yield record('session_info', sessionTimeMs(head.id), { name: head.title })
    for await (const step of steps)
      for (const [atMs, fields] of recordsOf(step, head, callId)) {
        const { type, ...rest } = fields
        yield record(type, atMs, rest)
      }
  },
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

/** Makes a function that writes records, each the child of the one before. */
function createRecords(): (type: string, atMs: number, fields: object) => string {
  let count = 0
  let parentId: string | null = null
  return (type, atMs, fields) => {
    count += 1
    const id = count.toString(16).padStart(8, '0')
    // Its own id: nothing before a summary is kept beside it.
    const first = type === 'compaction' ? { firstKeptEntryId: id } : {}
    const line = { type, id, parentId, timestamp: formatMilliseconds(atMs), ...fields, ...first }
    parentId = id
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
