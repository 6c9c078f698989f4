import { type Entry, isCallUser } from '../../../shared/model/conversation/entry'
import { type ExportKind, exportKindOf, isRecord } from '../parts/entry-kind'
import { lostArguments, lostHalves, lostMetadata } from '../parts/entry-losses'
import type { Exportable } from '../parts/exporter'
import type { EntryLoss } from '../parts/loss'
import { callIds, toolCall } from './chat-calls'
import { chatContent, keysInParts } from './chat-parts'

/** A message in OpenAI's shape. */
type ChatMessage = Readonly<Record<string, unknown>>

/** Makes one message of the entries of `chatGroups`. */
export function createChatMessages(
  conversation: Pick<Exportable, 'source' | 'key'>,
  options: {
    /** Writes back what cycod's reader keeps of a line (`metadata.raw_fields`). */
    readonly withRawFields: boolean
  },
): (group: readonly Entry[]) => ChatMessage {
  const { source, key } = conversation
  const idOf = callIds(source, key)
  /** The tools that were called, by id. */
  const tools = new Map<string, string>()

  function message(entry: Entry): ChatMessage {
    const said = exportKindOf(entry)
    const id = said === 'result' || source === 'cycod' ? idOf(entry, false) : undefined
    const name = said === 'result' ? resultName(entry, id) : chatName(entry, said, source)
    return {
      role: roleOf(entry, said),
      ...(id === undefined ? {} : { tool_call_id: id }),
      content: chatContent(entry, conversation),
      ...(name === undefined ? {} : { name }),
    }
  }

  /** A result is that of the tool that was called under its id; where it is not, it says so itself. */
  function resultName(entry: Entry, id: string | undefined): string | undefined {
    const called = id === undefined ? undefined : tools.get(id)
    const isTold = entry.from === (called ?? 'tool') || ['', 'tool'].includes(entry.from)
    return isTold || !canBeName(entry.from, source) ? undefined : entry.from
  }

  function calls(entries: readonly Entry[]): ChatMessage {
    if (entries.length === 0) return {}
    const members = entries.map((entry) => {
      const id = idOf(entry, true)
      if (id !== undefined) tools.set(id, entry.to)
      return toolCall(entry, id, source)
    })
    return { tool_calls: members }
  }

  return (group) => {
    const words = group.find((entry) => exportKindOf(entry) !== 'call')
    const made = calls(group.filter((entry) => exportKindOf(entry) === 'call'))
    const { role, ...said } = words === undefined ? onlyCalls : message(words)
    const [first] = group
    const raw =
      options.withRawFields && source === 'cycod' ? first?.metadata?.raw_fields : undefined
    const isCallFirst = first !== undefined && first !== words
    return withFields(
      { role, ...(isCallFirst && words !== undefined ? made : {}), ...said, ...made },
      raw,
    )
  }
}

const onlyCalls: ChatMessage = { role: 'assistant', content: '' }

/** Lists what of an entry has no place in a message. */
export function lostInChat(
  entry: Entry,
  conversation: Pick<Exportable, 'source'>,
  hasRawFields: boolean,
): readonly EntryLoss[] {
  const said = exportKindOf(entry)
  const { source } = conversation
  if (said === 'reasoning') return [{ kind: 'reasoning' }]
  if (isCallUserResult(entry) || isSilentCallUser(entry)) return [{ kind: 'tool' }]
  if (said === 'other' || (said === 'unknown' && source !== 'cycod')) return [{ kind: 'other' }]
  // A call has no parts.
  const kept = new Set(said === 'call' ? [] : keysInParts(entry, conversation))
  if (source === 'cycod') kept.add('raw_type')
  if (hasRawFields && source === 'cycod') kept.add('raw_fields')
  return [
    ...(entry.timestamp === null ? [] : [{ kind: 'time' } as const]),
    ...(hasName(entry, said) && chatName(entry, said, source) === undefined
      ? [{ kind: 'name' } as const]
      : []),
    ...lostMetadata(entry, kept),
    ...lostArguments(entry),
    ...lostHalves(entry),
  ]
}

/** Returns true for the result of a `call_user`: the call is a message here, and a message has no result. */
function isCallUserResult({ entry_type: type, from }: Entry): boolean {
  return type === 'flow_control_result' && from === 'call_user'
}

/** Returns true for a `call_user` without a text. Broken arguments may hold one, and stay. */
function isSilentCallUser(entry: Entry): boolean {
  if (!isCallUser(entry)) return false
  if (entry.content.trim() === '') return true
  try {
    const args: unknown = JSON.parse(entry.content)
    if (!isRecord(args)) return false
    const { message, ...others } = args
    const isSilent = message == null || (typeof message === 'string' && message.trim() === '')
    return isSilent && Object.keys(others).length === 0
  } catch {
    return false
  }
}

function roleOf(entry: Entry, said: ExportKind): string {
  const raw = entry.metadata?.raw_type
  switch (said) {
    case 'user':
      return 'user'
    case 'agent':
      return 'assistant'
    case 'system':
      return raw === 'developer' ? raw : 'system'
    case 'result':
      return 'tool'
    default:
      return typeof raw === 'string' ? raw : entry.from
  }
}

const usualNames: ReadonlyMap<ExportKind, string> = new Map([
  ['user', 'user'],
  ['agent', 'cycod'],
  ['system', 'system'],
])

/** Whether somebody speaks by a name of his own; a model is called after its system or context, which is none. */
function hasName({ from }: Entry, said: ExportKind): boolean {
  return said === 'user' && from !== '' && from !== 'user'
}

function chatName(entry: Entry, said: ExportKind, source: string): string | undefined {
  const { from } = entry
  const usual = usualNames.get(said)
  if (usual === undefined || from === usual || from === '') return undefined
  // Only cycod's reader gives others than persons the name that their line has.
  if (said !== 'user' && source !== 'cycod') return undefined
  return canBeName(from, source) ? from : undefined
}

/** Returns true for what OpenAI takes for a name; of a cycod line it is the one that stood there. */
function canBeName(name: string, source: string): boolean {
  return source === 'cycod' || /^[^\s<|\\/>]{1,64}$/u.test(name)
}

/** With the further fields of the line that it was; none takes the place of words. */
function withFields(message: ChatMessage, raw: unknown): ChatMessage {
  if (!isRecord(raw)) return message
  const isFree = (key: string) => !Object.hasOwn(message, key) || message[key] === ''
  return { ...message, ...Object.fromEntries(Object.entries(raw).filter(([key]) => isFree(key))) }
}
