import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, type TimelessEntry, textIn, withFields } from '../common/drafts'
import { namelessTool } from '../common/tool-names'
import { grokFiles } from './words'

/** Converts the beginning of a tool's use. @param input its arguments, where a later update tells them */
export function grokCallEntry(update: JsonObject, input: unknown): TimelessEntry {
  return {
    from: 'grok-build',
    to: toolOf(update),
    content: jsonText(update.rawInput ?? input),
    entry_type: 'tool_call',
    ...callId(update),
  }
}

/** Converts the end of a tool's use: what it shows, else what it gave. */
export function grokResultEntry(update: JsonObject): TimelessEntry {
  const parts: readonly unknown[] = Array.isArray(update.content) ? update.content : []
  const texts: string[] = []
  const others: unknown[] = []
  for (const part of parts) {
    const inner = isJsonObject(part) && isJsonObject(part.content) ? part.content : part
    const text = isJsonObject(inner) ? textIn(inner.text) : undefined
    const diff = diffOf(inner)
    if (text !== undefined) texts.push(text)
    else if (diff !== undefined) texts.push(diff)
    else others.push(inner)
  }
  const content = texts.length > 0 ? texts.join('\n') : jsonText(update.rawOutput)
  const failed = update.status === 'failed' ? { is_error: true } : {}
  const from = { from: namelessTool, to: 'grok-build', entry_type: 'tool_result' }
  return withFields({ ...from, content, ...callId(update) }, { ...failed, ...grokFiles(others) })
}

/** The tool's own name, else the kind of its arguments, else the words on the screen. */
function toolOf({ _meta: meta, rawInput, kind, title }: JsonObject): string {
  const tool = isJsonObject(meta) ? meta['x.ai/tool'] : undefined
  const named = isJsonObject(tool) ? (textIn(tool.name) ?? textIn(tool.kind)) : undefined
  const variant = isJsonObject(rawInput) ? textIn(rawInput.variant) : undefined
  return named ?? variant ?? textIn(kind) ?? textIn(title) ?? namelessTool
}

function callId({ toolCallId }: JsonObject) {
  const id = textIn(toolCallId)
  return id === undefined ? {} : { tool_call_id: id }
}

/** A change of a file, as its old and its new text. */
function diffOf(part: unknown): string | undefined {
  if (!isJsonObject(part) || typeof part.newText !== 'string') return undefined
  const old = typeof part.oldText === 'string' ? part.oldText : ''
  const lines = (text: string, sign: string) =>
    text === '' ? [] : text.split('\n').map((line) => `${sign}${line}`)
  return [jsonText(part.path), ...lines(old, '-'), ...lines(part.newText, '+')].join('\n')
}
