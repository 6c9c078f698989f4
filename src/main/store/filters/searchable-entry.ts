import { undoJsonEscapes } from '../../../shared/model/basics/json-escapes'
import {
  type CallUserMessage,
  callUserMessage,
  type EntryDraft,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import { isFailedResult } from '../../../shared/model/conversation/tool-results'
import { type EntryPart, entryParts } from '../../../shared/model/query/query-fields'
import { plainEmoji, type SearchableEntry, type SearchFacts } from '../../../shared/model/search'

type Fields = Pick<
  EntryDraft,
  | 'id'
  | 'timestamp'
  | 'from'
  | 'to'
  | 'content'
  | 'entry_type'
  | 'role'
  | 'tool_call_id'
  | 'metadata'
>

/** Converts an entry for search: its texts, and the facts that fields of a query compare. */
export function toSearchableEntry(entry: Fields): SearchableEntry {
  const { entry_type: type, content } = entry
  const said = callUserMessage(entry)
  const isCall = said === undefined && (type === 'tool_call' || type === 'flow_control_call')
  const isResult = type === 'tool_result' || type === 'flow_control_result'
  const speaker = speakerOf(entry)
  const role = entry.role ?? speaker
  const facts = factsOf(entry, speaker !== undefined)
  const has = partsOf(entry, isResult, facts)
  return {
    entryId: entry.id,
    timestamp: entry.timestamp,
    field: isCall ? 'arguments' : isResult ? 'result' : 'content',
    text: isCall ? decodeArguments(content) : isResult ? content : searchedTextsOf(entry, said),
    type,
    ...(role === undefined ? {} : { role }),
    ...(isCall || said !== undefined ? { tool: entry.to } : isResult ? { tool: entry.from } : {}),
    ...(entry.to === '' ? {} : { to: entry.to }),
    ...(has.length === 0 ? {} : { has }),
    ...(facts === undefined ? {} : { facts }),
  }
}

/**
 * Converts what a damaged line has beside its records for search, with JSON's escapes undone, so that it reads as other texts. It has no
 * id of its own: this one names its line.
 */
export function searchableDamage(remains: string, line: number): SearchableEntry {
  const text = undoJsonEscapes(remains)
  return { entryId: `L${line}@damaged`, timestamp: null, field: 'damaged', text, type: 'damaged' }
}

/** The message, then its reasoning and the names of its attachments, each a paragraph of its own. */
function searchedTextsOf(
  { content, metadata: given }: Fields,
  said: CallUserMessage | undefined,
): string {
  const words = said?.words ?? content
  const metadata = recordIn(given)
  const more = [
    ...(said?.others === undefined ? [] : [decodeArguments(said.others)]),
    ...(metadata === undefined ? [] : furtherTexts(metadata)),
  ]
  return more.length === 0 ? words : [words, ...more].filter((text) => text !== '').join('\n\n')
}

function factsOf({ from, metadata: given }: Fields, isSpoken: boolean): SearchFacts | undefined {
  const { model, provider, speech, project, reaction } = recordIn(given) ?? {}
  const emojis = emojisIn(reaction)
  const found = [
    ['from', isSpoken ? from : undefined],
    ['model', model],
    ['provider', recordIn(speech)?.provider ?? provider],
    ['project', project],
    ['reaction', emojis.length === 0 ? undefined : plainEmoji(emojis.join(' '))],
  ].filter(([, value]) => typeof value === 'string' && value !== '')
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Lists what an entry has beside its text. */
function partsOf(
  entry: Fields,
  isResult: boolean,
  facts: SearchFacts | undefined,
): readonly EntryPart[] {
  const { images, attachments, reasoning } = recordIn(entry.metadata) ?? {}
  const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0
  const holds: Readonly<Record<EntryPart, boolean>> = {
    image: isFilled(images),
    attachment: isFilled(attachments),
    reasoning:
      entry.entry_type === 'reasoning' || (typeof reasoning === 'string' && reasoning !== ''),
    error: isResult && isFailedResult(entry),
    reaction: facts?.reaction !== undefined,
  }
  return entryParts.filter((part) => holds[part])
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return value as Readonly<Record<string, unknown>> // any object can be read so
}

function emojisIn(reaction: unknown): readonly string[] {
  const emojis = recordIn(reaction)?.emojis
  if (!Array.isArray(emojis)) return []
  return emojis.slice(0, mostNames).filter((one): one is string => typeof one === 'string')
}

/**
 * The texts of an entry beside its message: its reasoning, the names of its attachments and images, and the
 * emojis of a reaction.
 */
function furtherTexts(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const { reasoning, attachments, images, reaction } = metadata
  const names = [attachments, images].flatMap((list) =>
    Array.isArray(list) ? list.slice(0, mostNames).map(attachmentNameOf) : [],
  )
  return [...emojisIn(reaction), ...names, reasoning].filter(
    (text) => typeof text === 'string' && text !== '',
  ) as string[]
}

/** Of one entry; more is a flood. */
const mostNames = 100

function attachmentNameOf(one: unknown): unknown {
  if (typeof one !== 'object' || one === null) return undefined
  const { filename, name } = one as { readonly filename?: unknown; readonly name?: unknown }
  return filename ?? name
}

/**
 * The JSON text of tool arguments with its escapes undone, its punctuation left: `C:\x` and `"path":` are both found, and
 * text that is no whole JSON, as models write it, needs no other way.
 */
function decodeArguments(json: string): string {
  return json.includes('\\') ? undoJsonEscapes(json) : json
}
