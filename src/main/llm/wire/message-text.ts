import type { JsonObject } from '../../../shared/model/basics/json-object'
import { objectOf, toList } from './json-fields'

/** The text and the thoughts of one piece, and the field in which the thoughts came. */
export interface MessageText {
  readonly content: string
  readonly reasoning: string
  readonly thoughtsIn?: string
}

/** Fields in which servers put thoughts as text; some send the same in two of them, which counts once. */
const thoughtFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
  'thinking_content',
  'thought',
] as const

/** Reads text and thoughts from a `delta`, a `message`, or the bare text that some servers send instead. */
export function readMessageText(message: JsonObject): MessageText {
  const own = partsOf(message.content)
  const content = once([own.content, textOf(message.refusal)]).join('')
  const names = thoughtFields.filter((name) => textOf(message[name]) !== '')
  const thoughts = once(names.map((name) => textOf(message[name]))).join('')
  const [thoughtsIn] = names
  if (thoughtsIn !== undefined) return { content, reasoning: thoughts + own.reasoning, thoughtsIn }
  const details = own.reasoning === '' ? detailsText(message) : ''
  return { content, reasoning: own.reasoning + details }
}

/** Gives the texts, each once: blank space at their ends makes no other text. */
function once(texts: readonly string[]): readonly string[] {
  const isAgain = (text: string, at: number) =>
    texts.findIndex((other) => other !== '' && other.trim() === text.trim()) < at
  return texts.filter((text, at) => text !== '' && !isAgain(text, at))
}

/** Content as text, as parts, or as an object; thinking parts (Mistral) are thoughts. */
function partsOf(content: unknown): { readonly content: string; readonly reasoning: string } {
  let words = ''
  let thoughts = ''
  for (const part of toList(content)) {
    const fields = objectOf(part)
    const type = typeof fields?.type === 'string' ? fields.type : ''
    if (fields !== undefined && /think|reason|thought/.test(type))
      thoughts += firstText([fields.thinking, fields.reasoning, fields.text, fields.summary])
    else words += textOf(part)
  }
  return { content: words, reasoning: thoughts }
}

/** A text, or the text inside of parts and objects, at most some levels down. */
function textOf(value: unknown, level = 0): string {
  if (typeof value === 'string') return value
  if (level > 4) return ''
  if (Array.isArray(value)) return value.map((part) => textOf(part, level + 1)).join('')
  const fields = objectOf(value)
  if (fields === undefined) return ''
  return firstText(
    [fields.text, fields.content, fields.value, fields.thinking, fields.refusal],
    level + 1,
  )
}

function firstText(values: readonly unknown[], level = 0): string {
  for (const value of values) {
    const text = textOf(value, level)
    if (text !== '') return text
  }
  return ''
}

/** Reads OpenRouter's details, for an answer without the same as text. */
function detailsText({ reasoning_details: details, thinking_blocks: blocks }: JsonObject): string {
  return [...toList(details), ...toList(blocks)]
    .map((one) => {
      const { text, summary, thinking } = objectOf(one) ?? {}
      return [text, summary, thinking].find((words) => typeof words === 'string') ?? ''
    })
    .join('')
}
