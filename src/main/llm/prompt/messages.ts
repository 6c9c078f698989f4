import type { JsonObject } from '../../../shared/model/basics/json-object'
import {
  callUserMessage,
  type Entry,
  type EntryId,
  isAnchor,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import type { ChatMessage, ChatToolCall } from '../chat/provider'
import type { TracedMessage } from '../chat/traced-message'
import type { ImagesOf } from '../request/images'
import { returnedCallFieldsOf, returnedFieldsOf } from '../request/returned-fields'
import { joinSameRole } from './join-same-role'

/** What stands before the window. */
export interface Prompt {
  /** What stands before the summary, the context's prompt above all. */
  readonly system?: string | undefined
  /** The context's summary.md. Where it is absent, the summary of the compaction that began the window. */
  readonly summary?: string | undefined
  /** What stands behind the summary: notes, and what plugins add. */
  readonly after?: string | undefined
}

const summaryHeading = '--- CONVERSATION SUMMARY ---'

/**
 * Turns the model's window into chat messages, by chibi's rules.
 *
 * A message's role decides, in its absence `to`. Consecutive tool calls are one assistant message, and as many
 * results that follow belong to it: by id, else by position under `synth_<entry id>`. Interrupted answers are sent
 * as they are. `run_error` and everything else that nobody says to the model is left out.
 *
 * Some things differ from chibi, since providers refuse a conversation otherwise: a message without text is left out, a
 * call without a result gets one that says so, a result without a call gets its call back, names are spelled as they must
 * be, and arguments that are no JSON object are sent inside of one. A person's images go with their words. Two more, since the model would not know what it said:
 * a message right before calls is one with them, and the words of `call_user`, which chibi 0.9 keeps in its arguments
 * alone, are the model's. Words of one speaker that follow each other are one message.
 *
 * @param server host and port of who is asked: what it gave with its answers, and wants back, goes there and nowhere else
 */
export function toChatMessages(
  window: readonly Entry[],
  prompt: Prompt,
  images: ImagesOf = new Map(),
  server?: string,
): readonly ChatMessage[] {
  return tracedMessages(window, prompt, images, server).map(({ message }) => message)
}

/** The same, with where each message comes from. */
export function tracedMessages(
  window: readonly Entry[],
  prompt: Prompt,
  images: ImagesOf = new Map(),
  server?: string,
): readonly TracedMessage[] {
  return joinSameRole(messagesApart(window, prompt, images, server))
}

/** The same, with a message for each entry and the calls of each answer: so requests went out before they were joined. */
export function messagesApart(
  window: readonly Entry[],
  prompt: Prompt,
  images: ImagesOf = new Map(),
  server?: string,
): readonly TracedMessage[] {
  const messages: TracedMessage[] = promptMessages(window, prompt).map((message) => ({
    message,
    entryIds: [],
  }))
  for (let at = 0; at < window.length; at++) {
    const entry = window[at]
    if (entry === undefined) break
    if (entry.entry_type === 'tool_call') {
      const calls = takeWhileType(window, at, 'tool_call')
      const results = takeWhileType(window, at + calls.length, 'tool_result').slice(0, calls.length)
      const said = saidBeside(messages.at(-1)?.message, window[at - 1])
      const before = said === undefined ? [] : (messages.pop()?.entryIds ?? [])
      messages.push(...toolTurn(calls, results, said, before, server))
      at += calls.length + results.length - 1
    } else if (entry.entry_type === 'tool_result')
      messages.push(...from(entry, orphanResult(entry)))
    else messages.push(...from(entry, spoken(entry, images, server)))
  }
  return messages
}

function from({ id }: Entry, messages: readonly ChatMessage[]): readonly TracedMessage[] {
  return messages.map((message) => ({ message, entryIds: [id] }))
}

/** What stands before the window: one message, or none. */
export function promptMessages(window: readonly Entry[], prompt: Prompt): readonly ChatMessage[] {
  const first = window[0]
  const told = first !== undefined && isAnchor(first) ? first.metadata : undefined
  const kept = told?.summary
  const summary = given(prompt.summary) ?? (typeof kept === 'string' ? kept : undefined)
  const content = promptText({ ...prompt, summary: continued(summary, told?.compaction) })
  return content === '' ? [] : [{ role: 'system', content }]
}

/** Where nothing but a summary is left of what was said, the model is told so before it. */
function continued(summary: string | undefined, compaction: unknown): string | undefined {
  if (summary === undefined || typeof compaction !== 'object' || compaction === null) return summary
  const words = 'continuation' in compaction ? compaction.continuation : undefined
  return typeof words === 'string' && words !== '' ? `${words}\n\n${summary}` : summary
}

/** A prompt as the model reads it. */
export function promptText(prompt: Prompt): string {
  const summary = given(prompt.summary)
  const parts = [
    given(prompt.system),
    summary === undefined ? undefined : `${summaryHeading}\n${summary}`,
    given(prompt.after),
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}

/** What the model said right before calls: the last message so far, when the entry before them is that. */
function saidBeside(last: ChatMessage | undefined, before: Entry | undefined) {
  if (before === undefined || speakerOf(before) !== 'agent' || before.content === '')
    return undefined
  return last?.role === 'assistant' && !('tool_calls' in last) ? last : undefined
}

function spoken(
  entry: Entry,
  images: ImagesOf,
  server: string | undefined,
): readonly ChatMessage[] {
  const toUser = callUserMessage(entry)?.words
  const beside = returnedFieldsOf(entry, server)
  const back = beside === undefined ? {} : { beside }
  if (toUser !== undefined) return [{ role: 'assistant', content: toUser, ...back }]
  const speaker = speakerOf(entry)
  const shown = speaker === 'user' ? (images.get(entry.id) ?? []) : []
  if (speaker === undefined || (entry.content === '' && shown.length === 0)) return []
  if (shown.length > 0) return [{ role: 'user', content: entry.content, images: shown }]
  if (speaker === 'agent') return [{ role: 'assistant', content: entry.content, ...back }]
  return [{ role: speaker, content: entry.content }]
}

function takeWhileType(window: readonly Entry[], from: number, type: string): readonly Entry[] {
  let end = from
  while (window[end]?.entry_type === type) end++
  return window.slice(from, end)
}

/** The calls' message comes of the words before it too, a result's of its result, where it has one, else of its call. */
function toolTurn(
  calls: readonly Entry[],
  results: readonly Entry[],
  said: { readonly content: string; readonly beside?: JsonObject } | undefined,
  before: readonly EntryId[],
  server: string | undefined,
): readonly TracedMessage[] {
  const ids = calls.map((call) => call.tool_call_id ?? synthId(call))
  const paired = new Map<string, Entry>()
  const orphans: Entry[] = []
  // Results that name their call take it first, wherever they stand; the nameless take what is left, in order.
  for (const result of results.filter((result) => result.tool_call_id !== undefined)) {
    const id = result.tool_call_id ?? ''
    if (ids.includes(id) && !paired.has(id)) paired.set(id, result)
    else orphans.push(result)
  }
  for (const result of results.filter((result) => result.tool_call_id === undefined)) {
    const id = ids.find((each) => !paired.has(each))
    if (id === undefined) orphans.push(result)
    else paired.set(id, result)
  }
  const beside = Object.assign(
    {},
    said?.beside,
    ...calls.map((call) => returnedFieldsOf(call, server)),
  )
  const asked: ChatMessage = {
    role: 'assistant',
    ...(said === undefined ? {} : { content: said.content }),
    tool_calls: calls.map((call, index) => {
      const extra = returnedCallFieldsOf(call, server)
      const wire = toolCall(ids[index] ?? '', call.to, call.content)
      return extra === undefined ? wire : { ...wire, beside: extra }
    }),
    ...(Object.keys(beside).length === 0 ? {} : { beside }),
  }
  return [
    { message: asked, entryIds: [...before, ...calls.map(({ id }) => id)] },
    ...calls.flatMap((call, index) => {
      const id = ids[index] ?? ''
      const result = paired.get(id)
      return from(result ?? call, [toolMessage(id, result?.content ?? '(no result was kept)')])
    }),
    ...orphans.flatMap((orphan) => from(orphan, orphanResult(orphan))),
  ]
}

function orphanResult(result: Entry): readonly ChatMessage[] {
  const id = result.tool_call_id ?? synthId(result)
  return [
    { role: 'assistant', tool_calls: [toolCall(id, result.from, '')] },
    toolMessage(id, result.content),
  ]
}

function synthId(entry: Entry): string {
  return `synth_${entry.id}`
}

function toolCall(id: string, name: string, argumentsJson: string): ChatToolCall {
  const spelled = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
  return { id, type: 'function', function: { name: spelled, arguments: asObject(argumentsJson) } }
}

/** Providers parse arguments, and some want an object. chibi stores "" for none. */
function asObject(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  } catch {
    // The model wrote no JSON. It sees what it wrote, beside the result that says so.
  }
  return JSON.stringify({ not_an_object: text })
}

function toolMessage(id: string, content: string): ChatMessage {
  return { role: 'tool', tool_call_id: id, content }
}
