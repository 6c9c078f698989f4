import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Entry } from '../../../shared/model/conversation/entry'
import { formatMilliseconds } from '../parts/exact-time'
import { callArguments } from './call-arguments'
import { callToolName, looseText, sessionImages, sessionText } from './session-entry'
import { createSessionExporter, type NewSession, type SessionForm } from './session-exporter'
import { createCallIds, newSessionId, sessionTimeMs } from './session-ids'
import type { WrittenStep } from './session-steps'

/** The version whose form is written here; the newest that was seen. */
const writtenVersion = '0.154.0'

/**
 * A rollout of Codex, which finds it by the id in the file's name. By its source of August 2026; its maker says that rollouts are no
 * contract. No ordinals: the form that all versions read. Models, errors of tools, thoughts and compactions have no place.
 */
const codexForm: SessionForm = {
  id: 'codex',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  places: { reasoning: false, compaction: false },
  keepsModel: () => false,
  keepsErrors: false,
  hasArgumentsAsText: true,
  fileName() {
    const id = newSessionId()
    return `rollout-${localTime(sessionTimeMs(id))}-${id}.jsonl`
  },
  async *write(head, steps) {
    const { id, folder, title } = head
    const startedMs = sessionTimeMs(id)
    const callId = createCallIds(id)
    yield line(startedMs, 'session_meta', {
      id,
      timestamp: formatMilliseconds(startedMs),
      cwd: folder,
      originator: 'codex_cli_rs',
      cli_version: writtenVersion,
      source: 'cli',
      model_provider: 'openai',
    })
    let isBegun = false
    let lastMs = startedMs
    for await (const step of steps) {
      // Codex lists no thread without a person's words near its beginning.
      if (!isBegun && step.type !== 'other') yield line(startedMs, 'event_msg', spoken(title))
      isBegun = true
      for (const { atMs, type, payload } of recordsOf(step, head, callId)) {
        lastMs = atMs
        yield line(atMs, type, payload)
      }
    }
    if (!isBegun) yield line(startedMs, 'event_msg', spoken(title))
    yield line(lastMs, 'event_msg', {
      type: 'thread_name_updated',
      thread_id: id,
      thread_name: title,
    })
  },
}

/** Exporter of Codex's rollouts. */
export const codexExporter = createSessionExporter(codexForm)

interface Item {
  readonly atMs: number
  readonly type: 'response_item' | 'event_msg'
  readonly payload: object
}

/** Makes the lines of a record: what the model had, and the event from which Codex shows it. */
function recordsOf(
  step: WrittenStep,
  { conversation }: NewSession,
  callId: ReturnType<typeof createCallIds>,
): readonly Item[] {
  if (step.type === 'loose') return answered(step.entry.atMs, looseText(step.entry.entry))
  if (step.type === 'other') {
    const { entry, atMs } = step.entry
    const text = sessionText(entry, conversation)
    const content = [...(text === '' ? [] : [inputText(text)]), ...imagesOf(entry)]
    return [
      item(atMs, { type: 'message', role: 'user', content }),
      { atMs, type: 'event_msg', payload: spoken(text) },
    ]
  }
  const ids = step.calls.map(({ call }) => callId(call.entry.tool_call_id))
  return [
    ...step.words.flatMap(({ entry, atMs }) => answered(atMs, sessionText(entry, conversation))),
    ...step.calls.map(({ call: { entry, atMs } }, at) =>
      item(atMs, {
        type: 'function_call',
        name: callToolName(entry),
        arguments: argumentsText(entry),
        call_id: ids[at],
      }),
    ),
    ...step.calls.map(({ result: { entry, atMs } }, at) => {
      const images = imagesOf(entry)
      const text = entry.content
      const output = images.length === 0 ? text : [inputText(text), ...images]
      return item(atMs, { type: 'function_call_output', call_id: ids[at], output })
    }),
  ]
}

/** Codex has arguments as text: those that are an object stay as they are, to the letter. */
function argumentsText(entry: Entry): string {
  const { json, isWrapped } = callArguments(entry)
  return isWrapped || entry.content.trim() === '' ? json.text : entry.content
}

function answered(atMs: number, text: string): readonly Item[] {
  const content = [{ type: 'output_text', text }]
  return [
    item(atMs, { type: 'message', role: 'assistant', content }),
    { atMs, type: 'event_msg', payload: { type: 'agent_message', message: text } },
  ]
}

function spoken(message: string): object {
  return { type: 'user_message', message, images: [], local_images: [], text_elements: [] }
}

function item(atMs: number, payload: object): Item {
  return { atMs, type: 'response_item', payload }
}

function inputText(text: string): object {
  return { type: 'input_text', text }
}

function imagesOf(entry: Entry): readonly object[] {
  return (sessionImages(entry) ?? []).map(({ mime, data }) => ({
    type: 'input_image',
    image_url: `data:${mime};base64,${data}`,
  }))
}

function line(atMs: number, type: string, payload: object): string {
  return `${wellFormedJson({ timestamp: formatMilliseconds(atMs), type, payload })}\n`
}

/** In the local time zone, which Codex's names have: `2026-02-10T09-00-01`. */
function localTime(ms: number): string {
  const time = new Date(ms)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('-')}`
}
