import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'

/** Converts a version of a message to its entries, in the order of its steps; none for one that is empty. */
export function versionEntries(version: JsonObject): readonly TimelessEntry[] {
  switch (version.type) {
    case 'singleStep':
      return singleStep(version)
    case 'multiStep': {
      const sender = isJsonObject(version.senderInfo) ? version.senderInfo : {}
      const steps = Array.isArray(version.steps) ? version.steps : []
      const entries = steps.flatMap((step: unknown) => stepEntries(step, textIn(sender.senderName)))
      return withFirst(entries, rawFieldsOf(version, multiStepKeys))
    }
    default: {
      const type = typeof version.type === 'string' ? version.type : 'version'
      return [unknownEntry('lm-studio', type, JSON.stringify(version))]
    }
  }
}

const singleStepKeys: ReadonlySet<string> = new Set([
  'type',
  'role',
  'content',
  'preprocessed',
  'senderInfo',
])
const multiStepKeys: ReadonlySet<string> = new Set(['type', 'role', 'steps', 'senderInfo'])

function singleStep(version: JsonObject): readonly TimelessEntry[] {
  const { role, content } = version
  const entries = contentEntries(content, role === 'assistant' ? undefined : role)
  return withFirst(entries, rawFieldsOf(version, singleStepKeys))
}

/** A step that only shows the state of a tool, or how an answer ended, is none of a conversation. */
export const silentStudioSteps: ReadonlySet<unknown> = new Set(['debugInfoBlock', 'toolStatus'])

function stepEntries(step: unknown, sender: string | undefined): readonly TimelessEntry[] {
  if (!isJsonObject(step)) return [unknownEntry('lm-studio', 'step', JSON.stringify(step ?? null))]
  if (silentStudioSteps.has(step.type)) return []
  if (step.type !== 'contentBlock') {
    const type = typeof step.type === 'string' ? step.type : 'step'
    return [unknownEntry('lm-studio', type, JSON.stringify(step))]
  }
  const { content, style, genInfo } = step
  const isThought = isJsonObject(style) && style.type === 'thinking'
  const made = isJsonObject(genInfo) ? genInfo : {}
  const model = textIn(made.identifier) ?? textIn(made.indexedModelIdentifier) ?? sender
  const entries = contentEntries(content, undefined).map((entry) => {
    const own: TimelessEntry =
      isThought && entry.role === 'agent'
        ? { from: 'lm-studio', to: 'user', content: entry.content, entry_type: 'reasoning' }
        : entry
    const isOfModel = own.entry_type !== 'tool_result' && model !== undefined
    return isOfModel ? withFields(own, { model }) : own
  })
  const usage = usageOf(made.stats)
  return usage === undefined ? entries : withFirst(entries, { usage })
}

/**
 * Converts content: texts that follow each other are one entry, calls and results are others.
 *
 * @param role undefined for a model
 */
function contentEntries(content: unknown, role: unknown): readonly TimelessEntry[] {
  const entries: TimelessEntry[] = []
  let words = ''
  const attachments: Fields[] = []
  const endWords = () => {
    if (words.trim() !== '') entries.push(wordsEntry(words, role))
    words = ''
  }
  for (const part of Array.isArray(content) ? content : [content]) {
    if (part == null) continue
    const text = typeof part === 'string' ? part : isJsonObject(part) ? textOf(part) : undefined
    if (text !== undefined) {
      words += text
      continue
    }
    if (isJsonObject(part) && part.type === 'file') {
      attachments.push(attachmentOf(part))
      continue
    }
    endWords()
    entries.push(partEntry(part))
  }
  endWords()
  if (attachments.length === 0) return entries
  const said = entries.findIndex(({ entry_type: type }) => type === 'message')
  if (said === -1) return [withFields(wordsEntry('', role), { attachments }), ...entries]
  return entries.map((entry, at) => (at === said ? withFields(entry, { attachments }) : entry))
}

function textOf({ type, text }: JsonObject): string | undefined {
  return type === 'text' && typeof text === 'string' ? text : undefined
}

function wordsEntry(content: string, role: unknown): TimelessEntry {
  if (role === undefined)
    return { from: 'lm-studio', to: 'user', content, entry_type: 'message', role: 'agent' }
  if (role === 'user')
    return { from: 'user', to: 'lm-studio', content, entry_type: 'message', role: 'user' }
  if (role === 'system')
    return { from: 'system', to: 'lm-studio', content, entry_type: 'message', role: 'system' }
  return unknownEntry('lm-studio', typeof role === 'string' ? role : jsonText(role), content)
}

/** Names of the fields differ between versions of the program. */
function partEntry(part: unknown): TimelessEntry {
  if (!isJsonObject(part)) return unknownEntry('lm-studio', 'content', JSON.stringify(part))
  const nested = isJsonObject(part.toolCallRequest) ? part.toolCallRequest : {}
  const { name, parameters, arguments: args, content } = { ...nested, ...part }
  const id =
    textIn(part.toolCallRequestId) ??
    textIn(part.callId) ??
    textIn(part.toolCallId) ??
    textIn(nested.id)
  const known = id === undefined ? {} : { tool_call_id: id }
  if (part.type === 'toolCallRequest')
    return {
      from: 'lm-studio',
      to: textIn(name) ?? 'tool',
      content: jsonText(parameters ?? args ?? {}),
      entry_type: 'tool_call',
      ...known,
    }
  if (part.type === 'toolCallResult')
    return {
      from: textIn(name) ?? 'tool',
      to: 'lm-studio',
      content: jsonText(content),
      entry_type: 'tool_result',
      ...known,
    }
  const type = typeof part.type === 'string' ? part.type : 'content'
  return unknownEntry('lm-studio', type, JSON.stringify(part))
}

function attachmentOf({ fileIdentifier, fileType }: JsonObject): Fields {
  return {
    filename: textIn(fileIdentifier) ?? 'file',
    ...(typeof fileType === 'string' ? { kind: fileType } : {}),
  }
}

function usageOf(stats: unknown): Fields | undefined {
  if (!isJsonObject(stats)) return undefined
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0)
  const usage = { input: count(stats.promptTokensCount), output: count(stats.predictedTokensCount) }
  return usage.input + usage.output === 0 ? undefined : usage
}

/** On the first words, else the first call, else the first entry. */
function withFirst(entries: readonly TimelessEntry[], fields: Fields): readonly TimelessEntry[] {
  const words = entries.findIndex(({ entry_type: type }) => type === 'message')
  const call = entries.findIndex(({ entry_type: type }) => type === 'tool_call')
  const bearer = words === -1 ? Math.max(call, 0) : words
  return entries.map((entry, at) => (at === bearer ? withFields(entry, fields) : entry))
}
