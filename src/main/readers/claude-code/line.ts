import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { entryOfPart, type PartSpeakers } from '../common/content/block-entries'
import { type BlockPart, partsOfContent } from '../common/content/blocks'
import { type Fields, timeIn } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../common/value-meaning'
import { attachmentParts } from './attachment'
import { silentTypes } from './known'
import { savedOutputIn } from './saved-output'
import { usageOf } from './usage'
import { splitWrappers } from './wrappers'

const speakers: PartSpeakers = { model: 'claude', program: 'claude-code' }

/**
 * Converts one line, by itself. A record's parts are entries in their order; a result comes from "tool", since the line
 * does not name it.
 */
export function claudeCodeLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  // Inputs and results of tools may look like records.
  if (position === 'inside-torn') return 'a part of a torn record'
  if (position === 'recovered' && !isRecord(record)) return 'not a record'
  const link = linkOf(record)
  const linked = link === undefined ? {} : { link }
  const parts = partsOf(record, text)
  if (parts === undefined) return { type: 'control', ...linked }
  return { type: 'entries', entries: entriesOf(record, parts), ...linked }
}

/** Says whether a line has a kind, and a place in a session. */
function isRecord({ type, uuid, sessionId }: Fields): boolean {
  return typeof type === 'string' && (typeof uuid === 'string' || typeof sessionId === 'string')
}

function linkOf({
  type,
  uuid,
  parentUuid,
  logicalParentUuid,
  leafUuid,
}: Fields): RecordLink | undefined {
  if (type === 'last-prompt' && isId(leafUuid)) return { leaf: leafUuid }
  if (!isId(uuid)) return undefined
  // A compaction begins anew, and names what it goes on from.
  const parent = [parentUuid, logicalParentUuid].find(isId) ?? null
  return { id: uuid, parent }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Undefined for a record without words. */
function partsOf(value: Fields, text: string): readonly BlockPart[] | undefined {
  const { type, message } = value
  if ((type === 'user' || type === 'assistant') && isJsonObject(message))
    return partsOfContent(message.content, {
      isAssistant: type === 'assistant',
      injectedAs: injectedAs(value),
      splitWords: splitWrappers,
    })
  if (type === 'system') return systemParts(value)
  if (type === 'attachment') return attachmentParts(value.attachment, text)
  if (silentTypes.has(type)) return undefined
  return [{ type: 'unknown', content: text.trim(), rawType: typeof type === 'string' ? type : '' }]
}

/** Why a record of a person is none: set by the program, or said by the one who called a subagent. */
function injectedAs({ type, isMeta, isCompactSummary, isSidechain }: Fields): string | undefined {
  if (type !== 'user') return undefined
  if (isCompactSummary === true) return 'compact_summary'
  if (isMeta === true) return 'meta'
  return isSidechain === true ? 'sidechain' : undefined
}

function systemParts({ subtype, content }: Fields): readonly BlockPart[] | undefined {
  const rawType = typeof subtype === 'string' ? subtype : ''
  const words = typeof content === 'string' ? content : ''
  if (subtype === 'compact_boundary') return [{ type: 'boundary', content: words, rawType }]
  return words.trim() === '' ? undefined : [{ type: 'system', content: words, rawType }]
}

function entriesOf(value: Fields, parts: readonly BlockPart[]): readonly NamelessEntry[] {
  const { timestamp, isSidechain, agentId } = value
  const time = timeIn(timestamp) ?? null
  const side =
    isSidechain === true ? { subagent: typeof agentId === 'string' ? agentId : '' } : undefined
  // One reply is several records with the same usage: it is told once for each.
  const told = value.type === 'assistant' ? usageOf(value) : undefined
  const saved = savedIn(value, parts)
  return parts.map((part, at): NamelessEntry => {
    const { metadata, ...entry } = entryOfPart(part, speakers)
    const output = part.type === 'result' ? savedOutputIn(part.content, saved) : undefined
    const more = {
      ...metadata,
      ...(at === 0 ? told : modelIn(told)),
      ...side,
      ...(value.isApiErrorMessage === true ? { error: true } : {}),
      ...(output === undefined ? {} : { saved_output: output }),
    }
    const kept = Object.keys(more).length === 0 ? {} : { metadata: more }
    return { timestamp: time, ...entry, ...kept }
  })
}

/** The path that the record has for its result; of several results it does not say which one it means. */
function savedIn({ toolUseResult }: Fields, parts: readonly BlockPart[]): unknown {
  const results = parts.filter(({ type }) => type === 'result').length
  return isJsonObject(toolUseResult) && results === 1
    ? toolUseResult.persistedOutputPath
    : undefined
}

function modelIn(told: Readonly<Record<string, unknown>> | undefined) {
  return told?.model === undefined ? {} : { model: told.model }
}
