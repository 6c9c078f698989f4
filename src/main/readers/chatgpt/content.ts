import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'

/** The content of a message: its words, and what is shown beside them. */
export interface MessageContent {
  readonly type: 'words' | 'reasoning' | 'unknown'
  readonly text: string
  /** The type that the export names, where that is neither words nor plain to see from the entry. */
  readonly rawType?: string
  /** Images, recordings and whatever else is no text, as the message names them. */
  readonly parts?: readonly unknown[]
  /** Its other members. */
  readonly fields: Readonly<Record<string, unknown>>
}

type RawContent = { readonly content_type: string } & Readonly<Record<string, unknown>>

const Thoughts = z.array(
  z.looseObject({ summary: z.string().nullish(), content: z.string().nullish() }),
)
/** Converts the content of a message by its `content_type`. One that is not known is kept as it is, as JSON. */
export function contentOf(raw: RawContent): MessageContent {
  const { content_type, ...fields } = raw
  switch (content_type) {
    case 'text':
    case 'multimodal_text':
      return Array.isArray(fields.parts) ? partsOf(fields) : wordsOf(fields, 'text')
    case 'code':
    case 'execution_output':
      return wordsOf(fields, 'text')
    case 'reasoning_recap':
      return { ...wordsOf(fields, 'content'), type: 'reasoning', rawType: content_type }
    case 'thoughts':
      return thoughtsOf(fields)
    case 'tether_quote':
    case 'system_error':
      return { ...wordsOf(fields, 'text'), rawType: content_type }
    case 'tether_browsing_display':
      return { ...wordsOf(fields, 'result'), rawType: content_type }
    case 'user_editable_context': {
      const { user_profile, user_instructions, ...others } = fields
      const text = [user_profile, user_instructions].filter(isText).join('\n\n')
      return { type: 'words', text, rawType: content_type, fields: told(others) }
    }
    default:
      return {
        type: 'unknown',
        text: JSON.stringify(fields),
        rawType: content_type || 'unknown',
        fields: {},
      }
  }
}

/** The words are a text under one name; the other members are kept. */
function wordsOf(fields: Readonly<Record<string, unknown>>, name: string): MessageContent {
  const { [name]: words, ...others } = fields
  if (typeof words === 'string') return { type: 'words', text: words, fields: told(others) }
  return { type: 'words', text: '', fields: told(fields) }
}

function thoughtsOf(fields: Readonly<Record<string, unknown>>): MessageContent {
  const { thoughts, ...others } = fields
  const parsed = Thoughts.safeParse(thoughts)
  if (!parsed.success) return { type: 'reasoning', text: JSON.stringify(fields), fields: {} }
  const text = parsed.data
    .map(({ summary, content }) => [summary, content].filter(isText).join('\n\n'))
    .join('\n\n')
  const { source_analysis_msg_id: _, ...further } = others
  return { type: 'reasoning', text, fields: told(further) }
}

function partsOf({ parts, ...others }: Readonly<Record<string, unknown>>): MessageContent {
  const texts: string[] = []
  const things: unknown[] = []
  for (const part of z.array(z.unknown()).parse(parts)) {
    if (typeof part === 'string') texts.push(part)
    else if (isJsonObject(part) && isText(part.text)) texts.push(part.text)
    else if (part != null) things.push(part)
  }
  const text = texts.filter((one) => one !== '').join('\n')
  return { type: 'words', text, parts: things, fields: told(others) }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function told(others: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(others).filter(
      ([key, value]) => value != null && !(key === 'language' && value === 'unknown'),
    ),
  )
}
