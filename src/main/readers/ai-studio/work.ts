import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { responseText } from '../common/content/google-parts'
import { jsonText, rawFieldsOf, type TimelessEntry, textIn, withFields } from '../common/drafts'
import { namelessTool } from '../common/tool-names'
import { type WorkKind, workKinds } from './known'

/** Returns true for a member of a chunk or of a part that is a call, or what came of one. */
export function isWork(kind: string, value: unknown): kind is WorkKind {
  return workKinds.has(kind) && value !== undefined && value !== null
}

/** Converts code that the model ran, a function that it called, or what came of either. */
export function entryOfWork(kind: WorkKind, value: unknown): TimelessEntry {
  const work = isJsonObject(value) ? value : { code: value, output: value, name: value }
  switch (kind) {
    case 'executableCode':
      return codeEntry(work)
    case 'codeExecutionResult':
      return codeResult(work)
    case 'functionCall':
      return callEntry(work)
    case 'functionResponse':
      return responseEntry(work)
  }
}

function codeEntry({ code, language: named, ...more }: JsonObject): TimelessEntry {
  const language = textIn(named)?.toLowerCase()
  const from = { from: 'ai-studio', to: 'code_execution', entry_type: 'tool_call' }
  return withFields(
    { ...from, content: jsonText(code) },
    { ...(language === undefined ? {} : { language }), ...rawFieldsOf(more, beside) },
  )
}

function codeResult({ output, outcome, ...more }: JsonObject): TimelessEntry {
  const isFailed = typeof outcome === 'string' && !/OK$/.test(outcome)
  const from = { from: 'code_execution', to: 'ai-studio', entry_type: 'tool_result' }
  return withFields(
    { ...from, content: jsonText(output) },
    { ...(isFailed ? { is_error: true } : {}), ...rawFieldsOf(more, beside) },
  )
}

function callEntry({ name, args, id, ...more }: JsonObject): TimelessEntry {
  const to = textIn(name) ?? namelessTool
  const from = { from: 'ai-studio', to, content: jsonText(args), entry_type: 'tool_call' }
  return withFields({ ...from, ...callId(id) }, rawFieldsOf(more, beside))
}

function responseEntry({ name, response, id, ...more }: JsonObject): TimelessEntry {
  const content = isJsonObject(response) ? responseText(response) : jsonText(response)
  const from = textIn(name) ?? namelessTool
  const result = { from, to: 'ai-studio', content, entry_type: 'tool_result', ...callId(id) }
  return withFields(result, rawFieldsOf(more, beside))
}

/** Stand-in for the other members, where the value is no object. */
const beside: ReadonlySet<string> = new Set(['code', 'output', 'name'])

function callId(id: unknown) {
  const own = textIn(id)
  return own === undefined ? {} : { tool_call_id: own }
}
