import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import type { ConversationHead } from '../common/document-conversations'
import {
  type Fields,
  rawFieldsOf,
  secondsOfMs,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import type { NamelessEntry } from '../common/value-meaning'
import { answerEntries, summaryEntries, userEntries } from './content'
import { countIn } from './screen'
import { folderIn } from './wrappers'

/** Converts one line of a task's record file (`records`). Uses nothing but this line, so results come from "tool". */
export function taskLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  // Whole messages of a document that ends early have lines of their own.
  if (position !== 'line') return 'a part of a message'
  if (isJsonObject(line.session)) return { type: 'control', head: sessionHead(line.session) }
  const { message, notice } = line
  if (isJsonObject(notice)) return noticeLine(notice)
  if (!isJsonObject(message))
    return entriesLine(null, [unknownEntry('cline', 'message', jsonOf(message, text))])
  const timestamp = secondsOfMs(message.ts) ?? secondsOfMs(line.at)
  const entries = messageEntries(message, isJsonObject(line.usage) ? line.usage : usageOf(message))
  const project = projectOf(message)
  const head = project === undefined ? {} : { head: { ...noHead, project } }
  return { ...entriesLine(timestamp ?? null, entries), ...head }
}

/** Fields of a message that are in its entries, or say nothing that is not there. */
export const clineMessageKeys: ReadonlySet<string> = new Set([
  'role',
  'content',
  'ts',
  'id',
  'modelInfo',
  'metrics',
  'isSummary',
  'condenseId',
  'condenseParent',
  'encrypted_content',
  'reasoning_details',
  'type',
  'summary',
  'text',
])

function messageEntries(message: JsonObject, usage: Fields | undefined): readonly TimelessEntry[] {
  const { role, content, isSummary, type } = message
  const raw = rawFieldsOf(message, clineMessageKeys)
  if (type === 'reasoning') return reasoningItem(message)
  if (isSummary === true) return withFirst(summaryEntries(content), raw)
  if (role === 'user') return withFirst(userEntries(content), raw)
  if (role !== 'assistant')
    return [unknownEntry('cline', typeof role === 'string' ? role : '', JSON.stringify(message))]
  const thought = textIn(message.reasoning_content)
  const own: TimelessEntry | undefined =
    thought === undefined
      ? undefined
      : { from: 'cline', to: 'user', content: thought, entry_type: 'reasoning' }
  const { reasoning_content: _, ...others } = message
  const model = isJsonObject(message.modelInfo)
    ? (textIn(message.modelInfo.modelId) ?? textIn(message.modelInfo.id))
    : undefined
  const entries = [...(own === undefined ? [] : [own]), ...answerEntries(content)].map((entry) =>
    model === undefined ? entry : withFields(entry, { model }),
  )
  return withUsage(withFirst(entries, rawFieldsOf(others, clineMessageKeys)), usage)
}

/** Thoughts that a model's maker keeps apart; often they are encrypted. */
function reasoningItem({ summary, text }: JsonObject): readonly TimelessEntry[] {
  const parts = (Array.isArray(summary) ? summary : []).flatMap((part: unknown) =>
    isJsonObject(part) ? (textIn(part.text) ?? []) : [],
  )
  const content = textIn(text) ?? parts.join('\n\n')
  return content === '' ? [] : [{ from: 'cline', to: 'user', content, entry_type: 'reasoning' }]
}

function withFirst(entries: readonly TimelessEntry[], fields: Fields): readonly TimelessEntry[] {
  return entries.map((entry, at) => (at === 0 ? withFields(entry, fields) : entry))
}

/** The tokens are of all of an answer: they are at its first words, else at its first call. */
function withUsage(
  entries: readonly TimelessEntry[],
  usage: Fields | undefined,
): readonly TimelessEntry[] {
  if (usage === undefined) return entries
  const words = entries.findIndex(({ role }) => role === 'agent')
  const call = entries.findIndex(({ entry_type: type }) => type === 'tool_call')
  const bearer = words === -1 ? call : words
  return entries.map((entry, at) => (at === bearer ? withFields(entry, { usage }) : entry))
}

/** Of a session of Cline CLI, whose messages have their own. */
function usageOf({ metrics }: JsonObject): Fields | undefined {
  if (!isJsonObject(metrics)) return undefined
  const tokens = isJsonObject(metrics.tokens) ? metrics.tokens : {}
  const cached = countIn(metrics.cacheReadTokens ?? tokens.cached)
  const sent = countIn(metrics.inputTokens ?? tokens.prompt)
  const output = countIn(metrics.outputTokens ?? tokens.completion)
  const input = sent + cached + countIn(metrics.cacheWriteTokens)
  if (input + output === 0) return undefined
  const cost = metrics.cost ?? metrics.totalCost
  return { input, output, cached, ...(typeof cost === 'number' ? { cost } : {}) }
}

function noticeLine({ at, kind, text }: JsonObject): DocumentLine {
  const content = typeof text === 'string' ? text : ''
  const metadata = { raw_type: typeof kind === 'string' ? kind : '' }
  const entry: TimelessEntry = {
    from: 'system',
    to: 'user',
    content,
    entry_type: 'message',
    role: 'system',
    metadata,
  }
  return entriesLine(secondsOfMs(at) ?? null, [entry])
}

function entriesLine(timestamp: number | null, drafts: readonly TimelessEntry[]): DocumentLine {
  const [first, ...further] = drafts.map((draft): NamelessEntry => ({ timestamp, ...draft }))
  return first === undefined
    ? { type: 'control' }
    : { type: 'entries', entries: [first, ...further] }
}

const noHead: ConversationHead = {
  id: undefined,
  title: '',
  project: null,
  createdAt: undefined,
  updatedAt: undefined,
  model: undefined,
}

/** The members of a session besides its messages; its title is in a file beside it. */
function sessionHead({ cwd }: JsonObject): ConversationHead {
  return { ...noHead, project: textIn(cwd) ?? null }
}

/** The program tells the model the folder with a person's first message. */
function projectOf({ role, content }: JsonObject): string | undefined {
  if (role !== 'user' || !Array.isArray(content)) return undefined
  for (const block of content) {
    const text: unknown = isJsonObject(block) ? block.text : undefined
    const folder = typeof text === 'string' ? folderIn(text) : undefined
    if (folder !== undefined) return folder
  }
  return undefined
}

function jsonOf(value: unknown, text: string): string {
  return value === undefined ? text : JSON.stringify(value)
}
