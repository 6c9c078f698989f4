import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { attachmentFields } from '../common/content/attached'
import { partsOf, responseText } from '../common/content/google-parts'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  timeIn,
  withFields,
} from '../common/drafts'
import type { NamelessEntry } from '../common/value-meaning'
import { geminiOutputIn } from './saved-output'

/**
 * Converts a message to its entries: its thoughts, its words, and each call with its result. One that holds nothing is an
 * entry without words; undefined for a kind that nobody knows.
 */
export function messageEntries(
  message: JsonObject,
): readonly [NamelessEntry, ...NamelessEntry[]] | undefined {
  const { timestamp: time } = message
  const timestamp = timeIn(time) ?? null
  const drafts = draftsOf(message)
  const [first, ...further] = (drafts ?? []).map(
    (draft): NamelessEntry => ({ timestamp, ...draft }),
  )
  return first === undefined ? undefined : [first, ...further]
}

/** Fields of a message that are in its entries. */
export const geminiMessageKeys: ReadonlySet<string> = new Set([
  'id',
  'timestamp',
  'type',
  'content',
  'toolCalls',
  'thoughts',
  'tokens',
  'model',
])
/** Fields of a call that are in its entries, or say nothing that is not there. */
export const geminiCallKeys: ReadonlySet<string> = new Set([
  'id',
  'name',
  'args',
  'result',
  'status',
  'timestamp',
  'displayName',
  'description',
  'resultDisplay',
  'renderOutputAsMarkdown',
])

/** Undefined for an unknown kind. */
function draftsOf(message: JsonObject): readonly TimelessEntry[] | undefined {
  switch (message.type) {
    case 'user':
      return [personMessage(message)]
    case 'gemini':
      return answer(message)
    case 'info':
    case 'warning':
    case 'error':
      return [notice(message, message.type)]
    default:
      return undefined
  }
}

/** Words that Gemini CLI tells the model about the folder, in a person's name. */
const injectedText =
  /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context)/

function personMessage(message: JsonObject): TimelessEntry {
  const { text, images, others } = partsOf(message.content)
  return withFields(
    { from: 'user', to: 'gemini', content: text, entry_type: 'message', role: 'user' },
    {
      ...(injectedText.test(text) ? { injected: true } : {}),
      ...attachmentFields({ images, others }),
      ...rawFieldsOf(message, geminiMessageKeys),
    },
  )
}

function answer(message: JsonObject): readonly TimelessEntry[] {
  const { text, images, others } = partsOf(message.content)
  const calls = (Array.isArray(message.toolCalls) ? message.toolCalls : []).flatMap(callEntries)
  const thoughts = thoughtsOf(message.thoughts)
  const isSilent = text === '' && images.length === 0 && others.length === 0
  const words: TimelessEntry = {
    from: 'gemini',
    to: 'user',
    content: text,
    entry_type: 'message',
    role: 'agent',
  }
  const isWordless = isSilent && (calls.length > 0 || thoughts !== undefined)
  const said = isWordless
    ? calls
    : [withFields(words, attachmentFields({ images, others })), ...calls]
  const entries = thoughts === undefined ? said : [thoughts, ...said]
  const model = textIn(message.model)
  const named = model === undefined ? {} : { model }
  // The tokens are of all of it: they are at what people take for the answer.
  const at = thoughts !== undefined && said.length > 0 ? 1 : 0
  const own = { ...usageOf(message.tokens), ...rawFieldsOf(message, geminiMessageKeys) }
  return entries.map((entry, i) =>
    entry.entry_type === 'tool_result'
      ? entry
      : withFields(entry, i === at ? { ...named, ...own } : named),
  )
}

function thoughtsOf(thoughts: unknown): TimelessEntry | undefined {
  const texts = (Array.isArray(thoughts) ? thoughts : []).flatMap((thought: unknown) => {
    if (!isJsonObject(thought)) return textIn(thought) ?? []
    return [textIn(thought.subject), textIn(thought.description)].filter(
      (text) => text !== undefined,
    )
  })
  if (texts.length === 0) return undefined
  return { from: 'gemini', to: 'user', content: texts.join('\n\n'), entry_type: 'reasoning' }
}

/** A call, and its result once there is one. */
function callEntries(call: unknown): readonly TimelessEntry[] {
  if (!isJsonObject(call))
    return [{ from: 'gemini', to: 'tool', content: jsonText(call), entry_type: 'tool_call' }]
  const tool = textIn(call.name) ?? 'tool'
  const id = textIn(call.id)
  const known = id === undefined ? {} : { tool_call_id: id }
  const made = withFields(
    { from: 'gemini', to: tool, content: jsonText(call.args), entry_type: 'tool_call', ...known },
    rawFieldsOf(call, geminiCallKeys),
  )
  const { text, images } = resultOf(call)
  if (text === '' && images.length === 0 && call.result == null) return [made]
  const isFailed = call.status === 'error' || call.status === 'cancelled'
  const answered: TimelessEntry = {
    from: tool,
    to: 'gemini',
    content: text,
    entry_type: 'tool_result',
    ...known,
  }
  const saved = geminiOutputIn(text)
  return [
    made,
    withFields(answered, {
      ...(isFailed ? { is_error: true } : {}),
      ...(saved === undefined ? {} : { saved_output: saved }),
      ...attachmentFields({ images, others: [] }),
    }),
  ]
}

/** Reads the tool's answer to the model; where there is none, the one that was shown to the person. */
function resultOf({ result, resultDisplay }: JsonObject) {
  const texts: string[] = []
  const images: { url: string }[] = []
  for (const part of Array.isArray(result) ? result : [result]) {
    const answered = isJsonObject(part) ? part.functionResponse : undefined
    const response = isJsonObject(answered) ? answered.response : undefined
    if (isJsonObject(response)) texts.push(responseText(response))
    else if (part != null) {
      const { text, images: own } = partsOf(part)
      if (text !== '') texts.push(text)
      pushAll(images, own)
    }
  }
  const text = texts.join('\n')
  return { text: text === '' && typeof resultDisplay === 'string' ? resultDisplay : text, images }
}

/** Thoughts and what tools took are counted apart by Gemini. */
function usageOf(tokens: unknown): Fields {
  if (!isJsonObject(tokens)) return {}
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0)
  const reasoning = count(tokens.thoughts)
  const usage = {
    input: count(tokens.input) + count(tokens.tool),
    cached: count(tokens.cached),
    output: count(tokens.output) + reasoning,
    reasoning,
  }
  return usage.input + usage.output === 0 ? {} : { usage }
}

function notice(message: JsonObject, type: string): TimelessEntry {
  const { text } = partsOf(message.content)
  const from = { from: 'system', to: 'user', role: 'system', entry_type: 'message' } as const
  return withFields(
    { ...from, content: text, metadata: { raw_type: type } },
    rawFieldsOf(message, geminiMessageKeys),
  )
}
