import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { type Fields, timeIn } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../common/value-meaning'
import { attachmentParts } from './attachment'
import { type ClaudePart, partsOfContent } from './content'
import { silentTypes } from './known'
import { savedOutputIn } from './saved-output'
import { usageOf } from './usage'

/** The name that a tool's result is from, since its line does not name the tool. */
export const unnamedTool = 'tool'

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
function partsOf(value: Fields, text: string): readonly ClaudePart[] | undefined {
  const { type, message } = value
  if ((type === 'user' || type === 'assistant') && isJsonObject(message))
    return partsOfContent(message.content, {
      isAssistant: type === 'assistant',
      injectedAs: injectedAs(value),
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

function systemParts({ subtype, content }: Fields): readonly ClaudePart[] | undefined {
  const rawType = typeof subtype === 'string' ? subtype : ''
  const words = typeof content === 'string' ? content : ''
  if (subtype === 'compact_boundary') return [{ type: 'boundary', content: words, rawType }]
  return words.trim() === '' ? undefined : [{ type: 'system', content: words, rawType }]
}

function entriesOf(value: Fields, parts: readonly ClaudePart[]): readonly NamelessEntry[] {
  const { timestamp, isSidechain, agentId } = value
  const time = timeIn(timestamp) ?? null
  const side =
    isSidechain === true ? { subagent: typeof agentId === 'string' ? agentId : '' } : undefined
  // One reply is several records with the same usage: it is told once for each.
  const told = value.type === 'assistant' ? usageOf(value) : undefined
  const saved = savedIn(value, parts)
  return parts.map((part, at): NamelessEntry => {
    const { metadata, ...entry } = entryOf(part)
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
function savedIn({ toolUseResult }: Fields, parts: readonly ClaudePart[]): unknown {
  const results = parts.filter(({ type }) => type === 'result').length
  return isJsonObject(toolUseResult) && results === 1
    ? toolUseResult.persistedOutputPath
    : undefined
}

function modelIn(told: Readonly<Record<string, unknown>> | undefined) {
  return told?.model === undefined ? {} : { model: told.model }
}

function entryOf(part: ClaudePart): Omit<NamelessEntry, 'timestamp'> {
  const { content } = part
  switch (part.type) {
    case 'words': {
      const { injectedAs: rawType, images, attachments } = part
      // Nobody's words but the program's, or those of the model that called a subagent.
      const from =
        rawType === undefined ? 'user' : rawType === 'sidechain' ? 'claude' : 'claude-code'
      const who = part.isAssistant
        ? ({ from: 'claude', to: 'user', role: 'agent' } as const)
        : ({ from, to: 'claude', role: 'user' } as const)
      const metadata = {
        ...(rawType === undefined ? {} : { injected: true, raw_type: rawType }),
        ...(images.length === 0 ? {} : { images }),
        ...(attachments.length === 0 ? {} : { attachments }),
      }
      return { ...who, content, entry_type: 'message', metadata }
    }
    case 'thought':
      return {
        from: 'claude',
        to: 'user',
        content,
        entry_type: 'reasoning',
        ...(part.isRedacted ? { metadata: { raw_type: 'redacted_thinking' } } : {}),
      }
    case 'call':
      return {
        from: 'claude',
        to: part.name || unnamedTool,
        content,
        entry_type: 'tool_call',
        ...(part.id === undefined ? {} : { tool_call_id: part.id }),
        ...(part.rawType === undefined ? {} : { metadata: { raw_type: part.rawType } }),
      }
    case 'result': {
      const { images, attachments, isError, rawType } = part
      return {
        from: unnamedTool,
        to: 'claude',
        content,
        entry_type: 'tool_result',
        ...(part.id === undefined ? {} : { tool_call_id: part.id }),
        metadata: {
          ...(isError ? { is_error: true } : {}),
          ...(rawType === undefined ? {} : { raw_type: rawType }),
          ...(images.length === 0 ? {} : { images }),
          ...(attachments.length === 0 ? {} : { attachments }),
        },
      }
    }
    case 'system':
      return {
        from: 'claude',
        to: 'user',
        content,
        entry_type: 'message',
        role: 'system',
        metadata: { raw_type: part.rawType },
      }
    case 'boundary':
      return {
        from: 'claude',
        to: 'user',
        content,
        entry_type: 'compaction',
        metadata: { raw_type: part.rawType },
      }
    case 'unknown':
      return {
        from: 'claude',
        to: 'user',
        content,
        entry_type: 'unknown',
        metadata: { raw_type: part.rawType },
      }
  }
}
