import type { JsonObject } from '../../../shared/model/basics/json-object'
import { pushAll } from '../../../shared/model/basics/long-lists'
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

/** The parts of the system prompt, in their order. */
export interface Prompt {
  /** The part before the summary, with the context's prompt. */
  readonly system?: string | undefined
  /** The context's summary.md. Where it is absent, the summary of the compaction that began the window. */
  readonly summary?: string | undefined
  /** The part behind the summary: notes, and the texts of plugins. */
  readonly after?: string | undefined
}

const summaryHeading = '--- CONVERSATION SUMMARY ---'

/**
 * Turns the model's window into chat messages, by chibi's rules.
 *
 * A message's role decides, in its absence `to`. Consecutive tool calls are one assistant message, and as many
 * results that follow belong to it: by id, else by position under `synth_<entry id>`. Interrupted answers are sent
 * as they are. `run_error` and every other entry that is not for the model is left out.
 *
 * Some things differ from chibi, since providers refuse a conversation otherwise: a message without text is left
 * out, a call without a result gets one that says so, a result without a call gets its call back, names get the
 * letters that are allowed, and arguments that are no JSON object are sent inside of one. A user message has its
 * images. Two more, so that the model knows what it wrote: a message right before calls is one with them, and the
 * text of `call_user`, which chibi 0.9 keeps in its arguments alone, is the model's. Consecutive messages of one
 * role are joined.
 *
 * @param server host and port of the server that is asked: its returned fields go there and nowhere
 *   else
 */
export function toChatMessages(
  window: readonly Entry[],
  prompt: Prompt,
  images: ImagesOf = new Map(),
  server?: string,
): readonly ChatMessage[] {
  return tracedMessages(window, prompt, images, server).map(({ message }) => message)
}

/** Turns the window into chat messages as `toChatMessages` does, each with the ids of its entries. */
export function tracedMessages(
  window: readonly Entry[],
  prompt: Prompt,
  images: ImagesOf = new Map(),
  server?: string,
): readonly TracedMessage[] {
  return joinSameRole(messagesApart(window, prompt, images, server))
}

/**
 * Turns the window into chat messages without joining those of one role, as older versions sent them; each has the
 * ids of its entries.
 */
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
      const preface = prefaceOf(messages.at(-1)?.message, window[at - 1])
      const before = preface === undefined ? [] : (messages.pop()?.entryIds ?? [])
      pushAll(messages, toolTurn(calls, results, preface, before, server))
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

/** Returns the system message that comes before the window, or no message where the prompt is empty. */
export function promptMessages(window: readonly Entry[], prompt: Prompt): readonly ChatMessage[] {
  const first = window[0]
  const metadata = first !== undefined && isAnchor(first) ? first.metadata : undefined
  const kept = metadata?.summary
  const summary = given(prompt.summary) ?? (typeof kept === 'string' ? kept : undefined)
  const content = promptText({ ...prompt, summary: continued(summary, metadata?.compaction) })
  return content === '' ? [] : [{ role: 'system', content }]
}

/** Puts the continuation prompt before a summary that is all that is left of the conversation. */
function continued(summary: string | undefined, compaction: unknown): string | undefined {
  if (summary === undefined || typeof compaction !== 'object' || compaction === null) return summary
  const words = 'continuation' in compaction ? compaction.continuation : undefined
  return typeof words === 'string' && words !== '' ? `${words}\n\n${summary}` : summary
}

/** Writes the prompt as the model reads it: system, summary under its heading, and what follows. */
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

/** Returns the model's text right before calls: the last message so far, where the entry before them is that. */
function prefaceOf(last: ChatMessage | undefined, before: Entry | undefined) {
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
  const returnedFields = returnedFieldsOf(entry, server)
  const back = returnedFields === undefined ? {} : { returnedFields }
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

/**
 * Writes calls and their results. The entries of the calls' message include the text before it; those of a result's
 * message are its result, else its call.
 */
function toolTurn(
  calls: readonly Entry[],
  results: readonly Entry[],
  preface: { readonly content: string; readonly returnedFields?: JsonObject } | undefined,
  before: readonly EntryId[],
  server: string | undefined,
): readonly TracedMessage[] {
  const ids = calls.map((call) => call.tool_call_id ?? synthId(call))
  const paired = new Map<string, Entry>()
  const orphans: Entry[] = []
  // Results that name their call take it first, in any order; the nameless take the calls that are left, in order.
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
  const returnedFields = Object.assign(
    {},
    preface?.returnedFields,
    ...calls.map((call) => returnedFieldsOf(call, server)),
  )
  const asked: ChatMessage = {
    role: 'assistant',
    ...(preface === undefined ? {} : { content: preface.content }),
    tool_calls: calls.map((call, index) => {
      const extra = returnedCallFieldsOf(call, server)
      const wire = toolCall(ids[index] ?? '', call.to, call.content)
      return extra === undefined ? wire : { ...wire, returnedFields: extra }
    }),
    ...(Object.keys(returnedFields).length === 0 ? {} : { returnedFields }),
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
    // The model wrote no JSON. It sees what it wrote, and the result that says so.
  }
  return JSON.stringify({ not_an_object: text })
}

function toolMessage(id: string, content: string): ChatMessage {
  return { role: 'tool', tool_call_id: id, content }
}
