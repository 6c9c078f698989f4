import type { JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  withFields,
} from '../common/drafts'
import { isInjectedText } from './injected'
import { agentMessageKeys, callKeys, messageKeys, resultKeys, silentItems } from './known'
import { outputOf } from './outputs'
import { attachedFields, type PartedText, partedText } from './parts'

/** The meaning of an item: its entries, none where it holds nothing to read, undefined for an unknown kind. */
type ItemEntries = readonly TimelessEntry[] | undefined

/**
 * Converts a `response_item`: what was sent to the model, or came from it. An item without a text, such as thoughts that
 * are encrypted, gives none; undefined for a kind that nobody knows.
 */
export function itemEntries(item: JsonObject): ItemEntries {
  switch (item.type) {
    case 'message':
      return messageEntries(item)
    case 'agent_message':
      return agentMessage(item)
    case 'reasoning':
      return reasoning(item)
    case 'function_call':
      return [call(item, textOr(item.name, 'tool'), jsonText(item.arguments))]
    case 'custom_tool_call':
      return [call(item, textOr(item.name, 'tool'), JSON.stringify({ input: item.input ?? null }))]
    case 'local_shell_call':
      return [call(item, 'local_shell', jsonText(item.action))]
    case 'web_search_call':
      return [call(item, 'web_search', jsonText(item.action))]
    case 'tool_search_call':
      return [call(item, 'tool_search', jsonText(item.arguments))]
    case 'image_generation_call':
      return imageCall(item)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [result(item, item.output)]
    case 'tool_search_output':
      return [result(item, item.tools)]
    default:
      return silentItems.has(item.type) ? [] : undefined
  }
}

/** One entry; two where Codex put its own texts into the same message as a person's words. */
function messageEntries(item: JsonObject): readonly TimelessEntry[] {
  const speaker = speakerOf(item.role)
  const parted = partedText(item.content)
  const rest = rawFieldsOf(item, messageKeys)
  if (item.role !== 'user') return [drafted(speaker, parted, rest)]
  const told = parted.texts.filter(isInjectedText)
  const own = { ...parted, texts: parted.texts.filter((text) => !isInjectedText(text)) }
  const isAllTold = told.length > 0 && own.texts.length === 0 && own.images.length === 0
  const injected = (of: PartedText, raw: Fields) => drafted(speaker, of, raw, { injected: true })
  if (isAllTold) return [injected(parted, rest)]
  if (told.length === 0) return [drafted(speaker, parted, rest)]
  const toldAlone = { texts: told, images: [], others: [] }
  return [injected(toldAlone, {}), drafted(speaker, own, rest)]
}

type Speaker = Pick<TimelessEntry, 'from' | 'to' | 'entry_type' | 'role' | 'metadata'>

function speakerOf(role: unknown): Speaker {
  const message = { entry_type: 'message' } as const
  if (role === 'user') return { from: 'user', to: 'codex', ...message, role: 'user' }
  if (role === 'assistant') return { from: 'codex', to: 'user', ...message, role: 'agent' }
  const system = { from: 'system', to: 'codex', ...message, role: 'system' } as const
  if (role === 'system') return system
  if (role === 'developer') return { ...system, metadata: { raw_type: 'developer' } }
  const raw = jsonText(role)
  return { from: raw, to: 'codex', entry_type: 'unknown', metadata: { raw_type: raw } }
}

function drafted(
  speaker: Speaker,
  parted: PartedText,
  rest: Fields,
  more: Fields = {},
): TimelessEntry {
  const metadata = { ...speaker.metadata, ...more, ...attachedFields(parted), ...rest }
  return withFields({ ...speaker, content: parted.texts.join('\n') }, metadata)
}

/** Makes an entry of the words of one agent to another. */
function agentMessage(item: JsonObject): readonly TimelessEntry[] {
  const parted = partedText(item.content)
  const speaker = {
    from: textOr(item.author, 'codex'),
    to: textOr(item.recipient, 'codex'),
    entry_type: 'message',
    role: 'agent',
  } as const
  const rest = rawFieldsOf(item, agentMessageKeys)
  return [drafted(speaker, parted, rest)]
}

/** The summary, and the thoughts themselves where they were kept; none where both are encrypted. */
function reasoning({ summary, content }: JsonObject): readonly TimelessEntry[] {
  const texts = [...partedText(summary).texts, ...partedText(content).texts]
  if (texts.length === 0) return []
  return [{ from: 'codex', to: 'user', entry_type: 'reasoning', content: texts.join('\n\n') }]
}

function call(item: JsonObject, tool: string, content: string): TimelessEntry {
  const id = textIn(item.call_id) ?? textIn(item.id)
  return withFields(
    {
      from: 'codex',
      to: tool,
      entry_type: 'tool_call',
      content,
      ...(id === undefined ? {} : { tool_call_id: id }),
    },
    rawFieldsOf(item, callKeys),
  )
}

/** It comes from "tool": the line does not name the tool. */
function result(item: JsonObject, output: unknown): TimelessEntry {
  const { parted, isError, others } = outputOf(output)
  const id = textIn(item.call_id)
  const fields = { ...others, ...rawFieldsOf(item, resultKeys).raw_fields }
  return withFields(
    {
      from: 'tool',
      to: 'codex',
      entry_type: 'tool_result',
      content: parted.texts.join('\n'),
      ...(id === undefined ? {} : { tool_call_id: id }),
    },
    {
      ...(isError ? { is_error: true } : {}),
      ...attachedFields(parted),
      ...(Object.keys(fields).length === 0 ? {} : { raw_fields: fields }),
    },
  )
}

/** A picture that the model made: a call, and where it is in the line its result. */
function imageCall(item: JsonObject): readonly TimelessEntry[] {
  const { revised_prompt: prompt, result: image, ...others } = item
  const made = call(others, 'image_generation', JSON.stringify({ revised_prompt: prompt ?? null }))
  if (typeof image !== 'string' || image === '') return [made]
  const { tool_call_id: id } = made
  const images = [{ url: image.startsWith('data:') ? image : `data:image/png;base64,${image}` }]
  return [
    made,
    {
      from: 'image_generation',
      to: 'codex',
      entry_type: 'tool_result',
      content: '',
      ...(id === undefined ? {} : { tool_call_id: id }),
      metadata: { images },
    },
  ]
}

function textOr(value: unknown, other: string): string {
  return textIn(value) ?? other
}
