import { hashedLetters } from '../parts/derived-id'
import { formatMilliseconds } from '../parts/exact-time'
import { callArguments } from './call-arguments'
import { callToolName, looseText, sessionImages, sessionText } from './session-entry'
import { createSessionExporter, type NewSession, type SessionForm } from './session-exporter'
import { createCallIds, createRecordIds, newSessionId, sessionTimeMs } from './session-ids'
import { sessionJson } from './session-json'
import { modelNamed } from './session-model'
import type { TimedEntry, WrittenStep } from './session-steps'

/** The version whose form is written here; the newest that was seen. */
const writtenVersion = '2.1.251'
/** The name that Claude Code writes where no model was asked. */
const noModel = '<synthetic>'

/**
 * A session of Claude Code, which it resumes by the id in the file's name, in the folder that every line names. No specification is
 * published: observed in files up to 2.1.251. Thoughts are left out, since their signatures are, and compactions.
 */
const claudeCodeForm: SessionForm = {
  id: 'claude-code',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  places: { reasoning: false, compaction: false },
  // The name of another maker's model would be asked for again.
  keepsModel: (model) => model.startsWith('claude-'),
  keepsErrors: true,
  fileName: () => `${newSessionId()}.jsonl`,
  async *write(head, steps) {
    const line = createLines(head)
    const callId = createCallIds(head.id)
    let lastMs = sessionTimeMs(head.id)
    for await (const step of steps)
      for (const { atMs, type, message } of messagesOf(step, head, callId)) {
        lastMs = atMs
        yield line(type, atMs, message)
      }
    const title = { type: 'custom-title', customTitle: head.title, sessionId: head.id }
    yield `${sessionJson({ ...title, timestamp: formatMilliseconds(lastMs) })}\n`
  },
}

/** Exporter of Claude Code's sessions. */
export const claudeCodeExporter = createSessionExporter(claudeCodeForm)

interface Message {
  readonly type: 'user' | 'assistant'
  readonly atMs: number
  readonly message: object
}

/** Makes a function that writes lines, each the child of the one before. */
function createLines({
  id: sessionId,
  folder,
}: NewSession): (type: Message['type'], atMs: number, message: object) => string {
  const nextId = createRecordIds(sessionId)
  let parentUuid: string | null = null
  return (type, atMs, message) => {
    const uuid = nextId()
    const line = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: folder,
      sessionId,
      version: writtenVersion,
      gitBranch: '',
      type,
      message:
        type === 'user' ? message : { id: `msg_${hashedLetters(24, sessionId, uuid)}`, ...message },
      uuid,
      timestamp: formatMilliseconds(atMs),
    }
    parentUuid = uuid
    return `${sessionJson(line)}\n`
  }
}

/** A person's message, or an answer and the results of its calls, which are one message behind it. */
function messagesOf(
  step: WrittenStep,
  { conversation }: NewSession,
  callId: ReturnType<typeof createCallIds>,
): readonly Message[] {
  if (step.type === 'loose')
    return [answer(step.entry.atMs, [textBlock(looseText(step.entry.entry))], undefined)]
  if (step.type === 'other') {
    const { entry, atMs } = step.entry
    const content = contentOf(sessionText(entry, conversation), step.entry)
    return [{ type: 'user', atMs, message: { role: 'user', content } }]
  }
  const { words, calls } = step
  const said = [...words, ...calls.map(({ call }) => call)]
  const ids = calls.map(({ call }) => callId(call.entry.tool_call_id))
  const blocks = [
    ...words.map(({ entry }) => textBlock(sessionText(entry, conversation))),
    ...calls.map(({ call: { entry } }, at) => ({
      type: 'tool_use',
      id: ids[at],
      name: callToolName(entry),
      input: callArguments(entry).json,
    })),
  ]
  const asked = answer(
    said.at(-1)?.atMs ?? 0,
    blocks,
    modelNamed(said.map(({ entry }) => entry)),
    calls.length > 0 ? 'tool_use' : 'end_turn',
  )
  if (calls.length === 0) return [asked]
  const results = calls.map(({ result }, at) => ({
    tool_use_id: ids[at],
    type: 'tool_result',
    content: contentOf(result.entry.content, result),
    ...(result.entry.metadata?.is_error === true ? { is_error: true } : {}),
  }))
  const answered: Message = {
    type: 'user',
    atMs: calls.at(-1)?.result.atMs ?? 0,
    message: { role: 'user', content: results },
  }
  return [asked, answered]
}

function answer(
  atMs: number,
  content: readonly object[],
  model: string | undefined,
  stopReason: 'end_turn' | 'tool_use' = 'end_turn',
): Message {
  const isKept = model !== undefined && claudeCodeForm.keepsModel(model)
  const message = {
    type: 'message',
    role: 'assistant',
    model: isKept ? model : noModel,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: {
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    },
  }
  return { type: 'assistant', atMs, message }
}

/** A text alone is written as Claude Code writes it: without blocks. */
function contentOf(text: string, { entry }: TimedEntry): string | readonly object[] {
  const images = sessionImages(entry)
  if (images === undefined) return text
  return [
    ...(text === '' ? [] : [textBlock(text)]),
    ...images.map(({ mime, data }) => ({
      type: 'image',
      source: { type: 'base64', media_type: mime, data },
    })),
  ]
}

function textBlock(text: string): object {
  return { type: 'text', text }
}
