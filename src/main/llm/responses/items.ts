import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ChatMessage, ChatToolCall } from '../chat/provider'
import { countOf, objectOf, textOrUndefined, toList } from '../wire/json-fields'
import { outputField } from './output-items'

/** One item of a request's `input`. */
export type InputItem = Readonly<Record<string, unknown>>

type AssistantMessage = Extract<ChatMessage, { readonly role: 'assistant' }>

/**
 * Converts messages to items of the Responses API: messages, calls, results, and the items that the server gave with
 * an answer (reasoning above all), in their places.
 *
 * Ids of messages and calls are left out: with `store: false` the server knows none of them.
 */
export function inputItems(messages: readonly ChatMessage[]): readonly InputItem[] {
  return messages.flatMap((message): readonly InputItem[] => {
    if (message.role === 'assistant') return answerItems(message)
    if (message.role === 'tool')
      return [
        { type: 'function_call_output', call_id: message.tool_call_id, output: message.content },
      ]
    return [messageItem(message.role, 'images' in message ? withImages(message) : message.content)]
  })
}

function messageItem(role: string, content: unknown, phase?: string): InputItem {
  return { type: 'message', role, content, ...(phase === undefined ? {} : { phase }) }
}

function withImages({ content, images }: { content: string; images: readonly string[] }) {
  const words = content === '' ? [] : [{ type: 'input_text', text: content }]
  const parts = images.map((url) => ({ type: 'input_image', image_url: url, detail: 'auto' }))
  return [...words, ...parts]
}

function answerItems(message: AssistantMessage): readonly InputItem[] {
  const { content = '', returnedFields } = message
  const calls = 'tool_calls' in message ? message.tool_calls : []
  const kept = toList(returnedFields?.[outputField]).filter(isJsonObject)
  const left = new Map(calls.map((call) => [call.id, call]))
  const texts = textsOf(content, kept)
  const items = kept.flatMap((one): readonly InputItem[] => {
    if (one.type === 'message') {
      const text = texts.shift() ?? ''
      return text === '' ? [] : [messageItem('assistant', text, textOrUndefined(one.phase))]
    }
    if (one.type !== 'function_call') return [one]
    const call = left.get(String(one.call_id))
    if (call === undefined) return []
    left.delete(call.id)
    return [callItem(call)]
  })
  const isWritten = content === '' || kept.some(({ type }) => type === 'message')
  const rest = [
    ...(isWritten ? [] : [messageItem('assistant', content)]),
    ...[...left.values()].map(callItem),
  ]
  return withoutLooseEnd([...items, ...rest])
}

/**
 * Divides the text among the messages of the answer; all of it in the last one where it is not the same text any
 * more.
 */
function textsOf(content: string, kept: readonly JsonObject[]): string[] {
  const lengths = kept.flatMap(({ type, length }) =>
    type === 'message' ? [countOf(length) ?? 0] : [],
  )
  const isSame = lengths.reduce((sum, length) => sum + length, 0) === content.length
  let at = 0
  return lengths.map((length, index) => {
    if (!isSame) return index === lengths.length - 1 ? content : ''
    at += length
    return content.slice(at - length, at)
  })
}

/** Leaves out reasoning that nothing follows, as a stopped answer leaves it: a server refuses it. */
function withoutLooseEnd(items: readonly InputItem[]): readonly InputItem[] {
  const end = items.findLastIndex(({ type }) => type !== 'reasoning')
  return items.slice(0, end + 1)
}

function callItem({ id, function: { name, arguments: given } }: ChatToolCall): InputItem {
  return { type: 'function_call', call_id: id, name, arguments: given }
}

/**
 * Converts items of a request back to messages, one for each that `inputItems` was given. An item that is no
 * message, call or result belongs to the answer before it, and is left out. Takes any value: a log may hold
 * anything.
 */
export function messagesOfItems(items: unknown): readonly ChatMessage[] {
  if (typeof items === 'string') return [{ role: 'user', content: items }]
  const messages: ChatMessage[] = []
  let answer: { content: string[]; calls: ChatToolCall[] } | undefined
  const endAnswer = () => {
    const content = answer?.content.join('') ?? ''
    const calls = answer?.calls ?? []
    if (calls.length > 0)
      messages.push({
        role: 'assistant',
        ...(content === '' ? {} : { content }),
        tool_calls: calls,
      })
    else if (answer !== undefined && content !== '') messages.push({ role: 'assistant', content })
    answer = undefined
  }
  for (const item of toList(items).map(objectOf)) {
    if (item === undefined) continue
    if (item.type === 'function_call') {
      answer ??= { content: [], calls: [] }
      answer.calls.push(callOfItem(item))
    } else if (item.type === 'function_call_output') {
      endAnswer()
      const { call_id: id, output } = item
      messages.push({ role: 'tool', tool_call_id: String(id ?? ''), content: textOf(output).text })
    } else if (item.role === 'assistant') {
      answer ??= { content: [], calls: [] }
      answer.content.push(textOf(item.content).text)
    } else if (typeof item.role === 'string') {
      endAnswer()
      messages.push(otherMessage(item.role, textOf(item.content)))
    }
  }
  endAnswer()
  return messages
}

function otherMessage(role: string, { text, images }: ReturnType<typeof textOf>): ChatMessage {
  if (role === 'system' || role === 'developer') return { role: 'system', content: text }
  return images.length === 0
    ? { role: 'user', content: text }
    : { role: 'user', content: text, images }
}

function callOfItem({ call_id: id, name, arguments: given }: JsonObject): ChatToolCall {
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? '')
  return {
    id: String(id ?? ''),
    type: 'function',
    function: { name: textOrUndefined(name) ?? '', arguments: text },
  }
}

/** Reads the text of a content, and the addresses of the images in it. */
function textOf(content: unknown): { readonly text: string; readonly images: readonly string[] } {
  if (typeof content === 'string') return { text: content, images: [] }
  const texts: string[] = []
  const images: string[] = []
  for (const part of toList(content)) {
    const fields = objectOf(part)
    if (fields?.type === 'input_image') images.push(textOrUndefined(fields.image_url) ?? '')
    else if (typeof fields?.text === 'string') texts.push(fields.text)
    else texts.push(typeof part === 'string' ? part : (JSON.stringify(part) ?? ''))
  }
  return { text: texts.join('\n'), images }
}
