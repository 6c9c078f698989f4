import { type Entry, isAnchor, speakerOf } from '../../shared/model/entry'
import type { ChatMessage, ChatToolCall } from './provider'

/** What stands before the window. */
export interface Prompt {
  /** The context's own prompt, else the home's `prompts/chibi.md`. Without either the model gets none: no text is invented. */
  readonly system?: string | undefined
  /** The context's summary.md. Where it is absent, the summary of the compaction that began the window. */
  readonly summary?: string | undefined
}

const summaryHeading = '--- CONVERSATION SUMMARY ---'

/**
 * Turns the model's window into chat messages, by chibi's rules.
 *
 * A message's role decides, in its absence `to`. Consecutive tool calls are one assistant message, and as many
 * results that follow belong to it: by id, else by position under `synth_<entry id>`. Interrupted answers are sent
 * as they are. `run_error` and everything else that nobody says to the model is left out.
 *
 * Three things differ from chibi, since providers refuse a conversation otherwise: a message without text is left
 * out, a call without a result gets one that says so, and a result without a call gets its call back.
 */
export function toChatMessages(window: readonly Entry[], prompt: Prompt): readonly ChatMessage[] {
  const messages: ChatMessage[] = [...promptMessages(window, prompt)]
  for (let at = 0; at < window.length; at++) {
    const entry = window[at]
    if (entry === undefined) break
    if (entry.entry_type === 'tool_call') {
      const calls = takeWhileType(window, at, 'tool_call')
      const results = takeWhileType(window, at + calls.length, 'tool_result').slice(0, calls.length)
      messages.push(...toolTurn(calls, results))
      at += calls.length + results.length - 1
    } else if (entry.entry_type === 'tool_result') messages.push(...orphanResult(entry))
    else messages.push(...spoken(entry))
  }
  return messages
}

function promptMessages(window: readonly Entry[], prompt: Prompt): readonly ChatMessage[] {
  const first = window[0]
  const kept = first !== undefined && isAnchor(first) ? first.metadata?.summary : undefined
  const summary = given(prompt.summary) ?? given(typeof kept === 'string' ? kept : undefined)
  const parts = [
    given(prompt.system),
    summary === undefined ? undefined : `${summaryHeading}\n${summary}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? [] : [{ role: 'system', content: parts.join('\n\n') }]
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}

function spoken(entry: Entry): readonly ChatMessage[] {
  const speaker = speakerOf(entry)
  if (speaker === undefined || entry.content === '') return []
  return [{ role: speaker === 'agent' ? 'assistant' : speaker, content: entry.content }]
}

function takeWhileType(window: readonly Entry[], from: number, type: string): readonly Entry[] {
  let end = from
  while (window[end]?.entry_type === type) end++
  return window.slice(from, end)
}

function toolTurn(calls: readonly Entry[], results: readonly Entry[]): readonly ChatMessage[] {
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
  return [
    {
      role: 'assistant',
      tool_calls: calls.map((call, index) => toolCall(ids[index] ?? '', call.to, call.content)),
    },
    ...ids.map((id) => toolMessage(id, paired.get(id)?.content ?? '(no result was kept)')),
    ...orphans.flatMap(orphanResult),
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
  // chibi stores "" for a call without arguments; providers parse it as JSON.
  return { id, type: 'function', function: { name, arguments: argumentsJson || '{}' } }
}

function toolMessage(id: string, content: string): ChatMessage {
  return { role: 'tool', tool_call_id: id, content }
}
