import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, type TimelessEntry, textIn, withFields } from '../common/drafts'
import { namelessTool } from '../common/tool-names'
import { hasAnything } from './calls'
import { shownParts } from './parts'
import { grokFiles } from './words'

/**
 * Converts the beginning of a tool's use. @param input its arguments, where other updates tell them. Of a call without arguments its
 * title and its places say what it does
 */
export function grokCallEntry(update: JsonObject, input: unknown): TimelessEntry {
  const { title, locations, rawInput } = update
  const args = [input, rawInput].find(hasAnything)
  const words = textIn(title) === undefined ? {} : { title }
  const shown = { ...words, ...(hasAnything(locations) ? { locations } : {}) }
  return {
    from: 'grok-build',
    to: toolOf(update, input),
    content: jsonText(args ?? (Object.keys(shown).length > 0 ? shown : rawInput)),
    entry_type: 'tool_call',
    ...callId(update),
  }
}

/** Converts arguments that came in pieces, and whose call did not come. */
export function grokPiecesEntry(update: JsonObject, input: unknown): TimelessEntry {
  const id = textIn(update.tool_call_id)
  const to = textIn(update.name) ?? namelessTool
  const made = { from: 'grok-build', to, content: jsonText(input), entry_type: 'tool_call' }
  return id === undefined ? made : { ...made, tool_call_id: id }
}

/**
 * Converts the end of a tool's use: what it shows, else what it gave. What it gave besides is kept as it is.
 *
 * @param shown what other updates tell of it, which counts before its own
 */
export function grokResultEntry(update: JsonObject, shown: JsonObject): TimelessEntry {
  const { status } = update
  const content: unknown = shown.content ?? update.content
  const rawOutput: unknown = shown.rawOutput ?? update.rawOutput
  const parts = shownParts(content)
  const texts = parts.flatMap((part) => (part.type === 'other' ? [] : [part.text]))
  const others = parts.flatMap((part) => (part.type === 'other' ? [part.value] : []))
  const words = texts.join('\n')
  const isShown = words.trim() !== ''
  const given = isShown ? outputBeside(words, rawOutput) : undefined
  const raw = {
    ...(hasAnything(given) ? { rawOutput: given } : {}),
    ...(shown.status === undefined ? {} : { status: shown.status }),
  }
  const failed = status === 'failed' ? { is_error: true } : {}
  const kept = Object.keys(raw).length > 0 ? { raw_fields: raw } : {}
  const from = { from: namelessTool, to: 'grok-build', entry_type: 'tool_result' }
  return withFields(
    { ...from, content: isShown ? words : jsonText(rawOutput), ...callId(update) },
    { ...failed, ...grokFiles(others), ...kept },
  )
}

/** What a tool gave, without the texts that are shown. */
function outputBeside(words: string, given: unknown): unknown {
  if (typeof given === 'string') return words.includes(given.trim()) ? undefined : given
  if (!isJsonObject(given)) return given
  const isNew = ([, value]: readonly [string, unknown]) =>
    typeof value !== 'string' || !words.includes(value.trim())
  const others = Object.entries(given).filter(isNew)
  return others.some(([name]) => name !== 'type') ? Object.fromEntries(others) : undefined
}

/** The tool's own name, else the kind of its arguments, else the words on the screen. */
function toolOf({ _meta: meta, rawInput, kind, title }: JsonObject, input: unknown): string {
  const tool = isJsonObject(meta) ? meta['x.ai/tool'] : undefined
  const named = isJsonObject(tool) ? (textIn(tool.name) ?? textIn(tool.kind)) : undefined
  const variant = [rawInput, input]
    .map((args) => (isJsonObject(args) ? textIn(args.variant) : undefined))
    .find((one) => one !== undefined)
  return named ?? variant ?? textIn(kind) ?? textIn(title) ?? namelessTool
}

function callId({ toolCallId }: JsonObject) {
  const id = textIn(toolCallId)
  return id === undefined ? {} : { tool_call_id: id }
}
