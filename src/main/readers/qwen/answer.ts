import { isJsonObject } from '../../../shared/model/basics/json-object'
import { attachmentFields } from '../common/content/attached'
import { partsOf, responseText } from '../common/content/google-parts'
import { type Fields, jsonText, type TimelessEntry, textIn, withFields } from '../common/drafts'
import { namelessTool } from '../common/tool-names'

/**
 * Converts a reply to its entries, in the order of its parts: thoughts, words and calls. At least one; the tokens are at the
 * first of its words, else at the first entry.
 */
export function qwenAnswer(record: Fields, parts: unknown): readonly TimelessEntry[] {
  const made: TimelessEntry[] = []
  for (const part of Array.isArray(parts) ? parts : []) {
    const entry = answerPart(part)
    const last = made.at(-1)
    if (last !== undefined && isStreamed(last, entry))
      made[made.length - 1] = { ...last, content: last.content + entry.content }
    else made.push(entry)
  }
  if (made.length === 0) made.push(words(''))
  const model = textIn(record.model)
  const named = model === undefined ? {} : { model }
  const usage = usageOf(record.usageMetadata)
  const at = Math.max(
    0,
    made.findIndex((entry) => entry.entry_type === 'message'),
  )
  return made.map((entry, i) => withFields(entry, i === at ? { ...named, ...usage } : named))
}

/** A reply that came in pieces. */
function isStreamed(before: TimelessEntry, entry: TimelessEntry): boolean {
  const isText = before.entry_type === 'message' || before.entry_type === 'reasoning'
  return isText && before.entry_type === entry.entry_type && [before, entry].every(isBare)
}

function isBare({ metadata }: TimelessEntry): boolean {
  return metadata === undefined
}

function words(content: string): TimelessEntry {
  return { from: 'qwen', to: 'user', content, entry_type: 'message', role: 'agent' }
}

function answerPart(part: unknown): TimelessEntry {
  const { functionCall: call, thought, text } = isJsonObject(part) ? part : {}
  if (isJsonObject(call)) {
    const id = textIn(call.id)
    return {
      from: 'qwen',
      to: textIn(call.name) ?? namelessTool,
      content: jsonText(call.args),
      entry_type: 'tool_call',
      ...(id === undefined ? {} : { tool_call_id: id }),
    }
  }
  if (thought === true && typeof text === 'string')
    return { from: 'qwen', to: 'user', content: text, entry_type: 'reasoning' }
  const { text: said, ...others } = partsOf(part)
  return withFields(words(said), attachmentFields(others))
}

/** Converts what tools answered, one entry for each; what else is in the record is of the last one. At least one. */
export function resultEntries(record: Fields, parts: unknown): readonly TimelessEntry[] {
  const made: TimelessEntry[] = []
  const rest: unknown[] = []
  for (const part of Array.isArray(parts) ? parts : [parts]) {
    const answered = isJsonObject(part) ? part.functionResponse : undefined
    if (isJsonObject(answered)) made.push(resultOf(answered))
    else rest.push(part)
  }
  const { callId, status, resultDisplay } = isJsonObject(record.toolCallResult)
    ? record.toolCallResult
    : {}
  const last = made.pop() ?? resultOf({ id: callId })
  const { text, ...others } = partsOf(rest)
  const told = [last.content, text].filter((one) => one !== '').join('\n')
  const isFailed = status === 'error' || status === 'cancelled'
  const whole = withFields(
    { ...last, content: told === '' && typeof resultDisplay === 'string' ? resultDisplay : told },
    { ...(isFailed ? { is_error: true } : {}), ...merged(last, attachmentFields(others)) },
  )
  return [...made, whole]
}

function merged({ metadata = {} }: TimelessEntry, more: Fields): Fields {
  return Object.fromEntries(
    Object.entries(more).map(([name, list]) => [name, [metadata[name] ?? [], list].flat()]),
  )
}

function resultOf({ id, name, response, parts }: Fields): TimelessEntry {
  const call = textIn(id)
  const { text, ...others } = partsOf(parts)
  const told = isJsonObject(response) ? responseText(response) : jsonText(response)
  const isFailed =
    isJsonObject(response) && response.output === undefined && textIn(response.error) !== undefined
  return withFields(
    {
      from: textIn(name) ?? namelessTool,
      to: 'qwen',
      content: [told, text].filter((one) => one !== '').join('\n'),
      entry_type: 'tool_result',
      ...(call === undefined ? {} : { tool_call_id: call }),
    },
    { ...(isFailed ? { is_error: true } : {}), ...attachmentFields(others) },
  )
}

/**
 * Reads the tokens of a reply. Whether thoughts are part of the answer's count depends on the provider; they always are of the
 * total.
 */
function usageOf(usage: unknown): Fields {
  if (!isJsonObject(usage)) return {}
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0)
  const input = count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount)
  const reasoning = count(usage.thoughtsTokenCount)
  const answered = count(usage.candidatesTokenCount)
  const output = Math.max(answered, reasoning, count(usage.totalTokenCount) - input)
  const cached = count(usage.cachedContentTokenCount)
  return input + output === 0 ? {} : { usage: { input, cached, output, reasoning } }
}
