import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { Adaptation } from '../../../shared/model/run/adaptations'
import { adaptations } from '../../../shared/model/run/adaptations'

/** A message of the wire, and the entries that it was made of. */
export interface TracedJson {
  readonly message: object
  readonly entryIds: readonly EntryId[]
}

type Change = (messages: readonly TracedJson[]) => readonly TracedJson[]

const firstLine = '(The conversation began earlier.)'
const lastLine = '(Go on.)'
const noWords = '(no words)'

const changes: Readonly<Record<Adaptation, Change>> = {
  'calls-as-words': callsAsWords,
  'short-call-ids': shortCallIds,
  'system-as-developer': (messages) =>
    roleOf(messages[0]) === 'system' ? changedAt(messages, 0, { role: 'developer' }) : messages,
  'system-as-user': systemAsUser,
  'user-first': userFirst,
  'user-last': (messages) => {
    const last = messages.at(-1)
    const isEnd = roleOf(last) === 'assistant' && !('tool_calls' in (last?.message ?? {}))
    return isEnd ? [...messages, own(lastLine)] : messages
  },
  'no-null-content': (messages) =>
    changedEach(messages, (message) =>
      message.content === null ? { ...message, content: '' } : message,
    ),
  'no-empty-content': (messages) => changedEach(messages, withWords),
}

/**
 * Changes the messages of a request for a server that refuses them as they are. Returns the same list where no
 * adaptation changes anything.
 */
export function adaptTracedMessages(
  messages: readonly TracedJson[],
  ways: readonly Adaptation[],
): readonly TracedJson[] {
  return inForce(ways).reduce((changed, way) => changes[way](changed), messages)
}

/** Puts the ways in their order. A prompt that goes as the user's words needs no other role first. */
function inForce(ways: readonly Adaptation[]): readonly Adaptation[] {
  const isUsers = ways.includes('system-as-user')
  return adaptations.filter(
    (way) => ways.includes(way) && !(isUsers && way === 'system-as-developer'),
  )
}

/** Changes messages as `adaptTracedMessages` does, without the entries that they were made of. */
export function adaptMessages(
  messages: readonly object[],
  ways: readonly Adaptation[],
): readonly object[] {
  if (ways.length === 0) return messages
  const traced = messages.map((message) => ({ message, entryIds: [] }))
  const changed = adaptTracedMessages(traced, ways)
  return changed === traced ? messages : changed.map(({ message }) => message)
}

/** Picks the adaptations that change something of these messages, in the order in which they are applied. */
export function effectiveAdaptations(
  messages: readonly object[],
  ways: readonly Adaptation[],
): readonly Adaptation[] {
  let traced: readonly TracedJson[] = messages.map((message) => ({ message, entryIds: [] }))
  return inForce(ways).filter((way) => {
    const before = traced
    traced = changes[way](traced)
    return traced !== before
  })
}

/** Turns calls and results into text of the model and the user, for a model that knows no other role. */
function callsAsWords(messages: readonly TracedJson[]): readonly TracedJson[] {
  const plain = changedEach(messages, (message) => {
    const { role, content } = message
    if (role === 'tool')
      return { role: 'user', content: `(Result of the tool)\n${textOf(content)}` }
    if (!Array.isArray(message.tool_calls)) return message
    const calls = message.tool_calls.map((call: unknown) => {
      const callee = isJsonObject(call) && isJsonObject(call.function) ? call.function : {}
      return `(Called the tool ${String(callee.name)} with ${String(callee.arguments)})`
    })
    return { role, content: [textOf(content), ...calls].filter((text) => text !== '').join('\n') }
  })
  return plain === messages ? messages : joined(plain)
}

/** Joins consecutive messages of one role, so that former calls and results alternate again. */
function joined(messages: readonly TracedJson[]): readonly TracedJson[] {
  const groups: TracedJson[][] = []
  for (const next of messages) {
    const role = roleOf(next)
    const isSame = role === roleOf(groups.at(-1)?.at(-1))
    if (isSame && (role === 'user' || role === 'assistant')) groups.at(-1)?.push(next)
    else groups.push([next])
  }
  return groups.flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length === 1) return group
    const contents = group.map(({ message }) => ('content' in message ? message.content : ''))
    const content = contents.some(Array.isArray)
      ? contents.flatMap((one) => (Array.isArray(one) ? one : textPart(textOf(one))))
      : contents
          .map(textOf)
          .filter((text) => text !== '')
          .join('\n\n')
    const message = { ...first.message, content }
    return [{ message, entryIds: group.flatMap(({ entryIds }) => entryIds) }]
  })
}

/** Makes ids nine letters and digits, as Mistral wants them; the same id gives the same. */
function shortCallIds(messages: readonly TracedJson[]): readonly TracedJson[] {
  const short = (id: unknown) =>
    typeof id !== 'string' || /^[A-Za-z0-9]{9}$/.test(id)
      ? id
      : createHash('sha256').update(id).digest('hex').slice(0, 9)
  return changedEach(messages, (message) => {
    if (message.role === 'tool') {
      const id = short(message.tool_call_id)
      return id === message.tool_call_id ? message : { ...message, tool_call_id: id }
    }
    if (!Array.isArray(message.tool_calls)) return message
    const calls = message.tool_calls.map((call: unknown) =>
      isJsonObject(call) ? { ...call, id: short(call.id) } : call,
    )
    const isSame = message.tool_calls.every(
      (call: unknown) => isJsonObject(call) && short(call.id) === call.id,
    )
    return isSame ? message : { ...message, tool_calls: calls }
  })
}

/** Puts the prompt before the first words of the user, or makes it words of its own where another speaks first. */
function systemAsUser(messages: readonly TracedJson[]): readonly TracedJson[] {
  const [head, first, ...rest] = messages
  const role = roleOf(head)
  if (head === undefined || (role !== 'system' && role !== 'developer')) return messages
  if (first === undefined || roleOf(first) !== 'user')
    return changedAt(messages, 0, { role: 'user' })
  const prompt = contentOf(head)
  const words = contentOf(first)
  const content = Array.isArray(words)
    ? [...textPart(textOf(prompt)), ...words]
    : `${textOf(prompt)}\n\n${textOf(words)}`
  return [
    {
      message: { ...first.message, content },
      entryIds: [...head.entryIds, ...first.entryIds],
    },
    ...rest,
  ]
}

function userFirst(messages: readonly TracedJson[]): readonly TracedJson[] {
  const role = roleOf(messages[0])
  const at = role === 'system' || role === 'developer' ? 1 : 0
  const first = messages[at]
  if (first === undefined || roleOf(first) === 'user') return messages
  return [...messages.slice(0, at), own(firstLine), ...messages.slice(at)]
}

/** Gives a blank message the text "(no words)". */
function withWords(message: JsonObject): JsonObject {
  const { content } = message
  if (Array.isArray(content)) {
    const full = content.filter((part) => !isJsonObject(part) || !isBlank(part.text ?? part.type))
    if (full.length === content.length) return message
    return { ...message, content: full.length === 0 ? noWords : full }
  }
  return 'content' in message && isBlank(content) ? { ...message, content: noWords } : message
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '')
}

/** Makes a message of ours, of no entry. */
function own(content: string): TracedJson {
  return { message: { role: 'user', content }, entryIds: [] }
}

function changedAt(messages: readonly TracedJson[], at: number, change: object) {
  return messages.map((one, index) =>
    index === at ? { ...one, message: { ...one.message, ...change } } : one,
  )
}

/** Changes each message; gives the same list where nothing is changed. */
function changedEach(
  messages: readonly TracedJson[],
  change: (message: JsonObject) => object,
): readonly TracedJson[] {
  let isChanged = false
  const all = messages.map((one) => {
    if (!isJsonObject(one.message)) return one
    const message = change(one.message)
    if (message === one.message) return one
    isChanged = true
    return { ...one, message }
  })
  return isChanged ? all : messages
}

function roleOf(one: TracedJson | undefined): unknown {
  return one !== undefined && 'role' in one.message ? one.message.role : undefined
}

function contentOf({ message }: TracedJson): unknown {
  return 'content' in message ? message.content : undefined
}

/** Reads the text of a content; of parts, those that are text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n')
}

function textPart(text: string): readonly object[] {
  return text === '' ? [] : [{ type: 'text', text }]
}
