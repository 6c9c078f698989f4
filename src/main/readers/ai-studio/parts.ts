import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { attachmentFields } from '../common/content/attached'
import { partsOf } from '../common/content/google-parts'
import { jsonText, type TimelessEntry, textIn, withFields } from '../common/drafts'

/** Kinds of files that a chunk names: they lie in the Drive, or elsewhere. */
const fileKinds = ['driveImage', 'driveDocument', 'driveVideo', 'driveAudio', 'youtubeVideo']
const inlineKinds = ['inlineImage', 'inlineFile', 'inlineData']

/**
 * Converts a chunk to entries: thoughts, words with their pictures and files, code that the model ran, and its result; at least one. The
 * `parts` of a chunk repeat its `text`: they count where they tell thoughts and words apart.
 */
export function chunkEntries(chunk: JsonObject, isModel: boolean): readonly TimelessEntry[] {
  const { executableCode, codeExecutionResult, isThought } = chunk
  const parts = Array.isArray(chunk.parts) ? chunk.parts.filter(isJsonObject) : []
  const text = textIn(chunk.text)
  const thoughts = parts.filter((part) => part.thought === true)
  const isMixed = thoughts.length > 0 && isThought !== true
  const said = isMixed
    ? joined(parts.filter((part) => part.thought !== true))
    : (text ?? joined(parts))
  const files = filesOf(chunk, parts)
  const entries: TimelessEntry[] = []
  if (isMixed) entries.push(thoughtOf(joined(thoughts)))
  if (isThought === true) entries.push(thoughtOf(said))
  else if (said !== '' || Object.keys(files).length > 0)
    entries.push(withFields(words(said, isModel), files))
  const code = [executableCode, ...parts.map((part) => part.executableCode)].find(isJsonObject)
  if (code !== undefined) entries.push(codeEntry(code))
  const result = [codeExecutionResult, ...parts.map((part) => part.codeExecutionResult)].find(
    isJsonObject,
  )
  if (result !== undefined) entries.push(resultEntry(result))
  return entries.length > 0 ? entries : [words('', isModel)]
}

function joined(parts: readonly JsonObject[]): string {
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
}

function words(content: string, isModel: boolean): TimelessEntry {
  return isModel
    ? { from: 'ai-studio', to: 'user', content, entry_type: 'message', role: 'agent' }
    : { from: 'user', to: 'ai-studio', content, entry_type: 'message', role: 'user' }
}

function thoughtOf(content: string): TimelessEntry {
  return { from: 'ai-studio', to: 'user', content, entry_type: 'reasoning' }
}

function codeEntry({ code, ...more }: JsonObject): TimelessEntry {
  const language = textIn(more.language)?.toLowerCase()
  const metadata = language === undefined ? {} : { metadata: { language } }
  const entry = { from: 'ai-studio', to: 'code_execution', entry_type: 'tool_call' }
  return { ...entry, content: jsonText(code), ...metadata }
}

function resultEntry({ output, outcome }: JsonObject): TimelessEntry {
  const isFailed = typeof outcome === 'string' && !/OK$/.test(outcome)
  const entry = { from: 'code_execution', to: 'ai-studio', entry_type: 'tool_result' }
  return {
    ...entry,
    content: jsonText(output),
    ...(isFailed ? { metadata: { is_error: true } } : {}),
  }
}

function filesOf(chunk: JsonObject, parts: readonly JsonObject[]) {
  const inline = inlineKinds.flatMap((kind) => (isJsonObject(chunk[kind]) ? [chunk[kind]] : []))
  const own = [...inline, ...parts.flatMap(({ inlineData }) => inlineData ?? [])]
  const { images, others } = partsOf(own.map((one) => ({ inlineData: one })))
  const named = fileKinds.flatMap((kind) => {
    const file = chunk[kind]
    return isJsonObject(file) ? [{ type: kind, ...file }] : []
  })
  return attachmentFields({ images, others: [...others, ...named] })
}
