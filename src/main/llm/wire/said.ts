import type { JsonObject } from '../../../shared/model/json-object'
import { listOf, objectOf } from './json'

/** The words and the thoughts of one piece, and the field in which the thoughts came. */
export interface SaidText {
  readonly content: string
  readonly reasoning: string
  readonly thoughtsIn?: string
}

/** Where servers put thoughts as text; the first that has any counts, since some send the same twice. */
const thoughtFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
  'thinking_content',
  'thought',
] as const

/** Reads words and thoughts from a `delta`, a `message`, or the bare text that some servers send instead. */
export function saidText(said: JsonObject): SaidText {
  const own = partsOf(said.content)
  const content = own.content !== '' ? own.content : textOf(said.refusal)
  for (const name of thoughtFields) {
    const thoughts = textOf(said[name])
    if (thoughts !== '') return { content, reasoning: thoughts + own.reasoning, thoughtsIn: name }
  }
  const details = own.reasoning === '' ? detailsText(said) : ''
  return { content, reasoning: own.reasoning + details }
}

/** Content as text, as parts, or as an object; thinking parts (Mistral) are thoughts. */
function partsOf(content: unknown): { readonly content: string; readonly reasoning: string } {
  let words = ''
  let thoughts = ''
  for (const part of listOf(content)) {
    const fields = objectOf(part)
    const type = typeof fields?.type === 'string' ? fields.type : ''
    if (fields !== undefined && /think|reason|thought/.test(type))
      thoughts += textOf(fields.thinking ?? fields.reasoning ?? fields.text ?? fields.summary)
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
  return textOf(fields.text ?? fields.content ?? fields.value ?? fields.thinking, level + 1)
}

/** OpenRouter's details, where the same is not told as text. */
function detailsText({ reasoning_details: details, thinking_blocks: blocks }: JsonObject): string {
  return [...listOf(details), ...listOf(blocks)]
    .map((one) => {
      const { text, summary, thinking } = objectOf(one) ?? {}
      return [text, summary, thinking].find((words) => typeof words === 'string') ?? ''
    })
    .join('')
}
