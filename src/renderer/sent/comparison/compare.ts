import {
  compareTexts,
  compareTimeoutMs,
  replacedText,
  type TextChange,
} from '../../../shared/model/comparison/text-diff'
import type { Sent, SentTool } from '../../../shared/model/run/sent'
import {
  comparableText,
  comparableToolText,
  conversationMessagesOf,
  systemMessagesOf,
} from '../messages/message-content'
import { type AlignedMessage, alignMessages, type MessageChange } from './align-messages'

/** Tool or parameter that only one request has, or that differs. */
export interface NamedChange {
  readonly type: 'removed' | 'added' | 'changed'
  readonly name: string
  readonly change: TextChange
}

/** Comparison of two requests, by their parts. */
export interface Comparison {
  readonly model: TextChange | undefined
  readonly system: readonly MessageChange[]
  readonly messages: readonly MessageChange[]
  /** Those that differ, by name. */
  readonly tools: readonly NamedChange[]
  readonly sameTools: number
  readonly parameters: readonly NamedChange[]
  readonly sameParameters: number
}

/** Compares two requests at once. `timeout` is in ms and bounds each step, not the whole. */
export function compareSent(before: Sent, after: Sent, timeout = compareTimeoutMs): Comparison {
  const steps = compareInSteps(before, after, timeout)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Compares two requests in steps of little more than `timeout` ms each, so that the window responds between them. */
export function* compareInSteps(
  before: Sent,
  after: Sent,
  timeout = compareTimeoutMs,
): Generator<undefined, Comparison> {
  const system = yield* changesOf(
    alignMessages(systemMessagesOf(before), systemMessagesOf(after), timeout),
    timeout,
  )
  yield undefined
  const messages = yield* changesOf(
    alignMessages(conversationMessagesOf(before), conversationMessagesOf(after), timeout),
    timeout,
  )
  const tools = yield* namedChanges(toolTexts(before.tools), toolTexts(after.tools), timeout)
  const parameters = yield* namedChanges(parameterTexts(before), parameterTexts(after), timeout)
  return {
    model:
      before.model === after.model
        ? undefined
        : replacedText(before.model ?? 'unknown', after.model ?? 'unknown'),
    system,
    messages,
    tools: tools.changes,
    sameTools: tools.same,
    parameters: parameters.changes,
    sameParameters: parameters.same,
  }
}

function* changesOf(
  aligned: readonly AlignedMessage[],
  timeout: number,
): Generator<undefined, readonly MessageChange[]> {
  const changes: MessageChange[] = []
  for (const one of aligned) {
    if (one.type !== 'changed') {
      changes.push(one)
      continue
    }
    changes.push({
      ...one,
      change: compareTexts(comparableText(one.before), comparableText(one.after), timeout),
    })
    yield undefined
  }
  return changes
}

function* namedChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  timeout: number,
): Generator<undefined, { readonly changes: readonly NamedChange[]; readonly same: number }> {
  const changes: NamedChange[] = []
  let same = 0
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(name)
    const now = after.get(name)
    if (old === now) {
      same++
      continue
    }
    const type = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
    changes.push({ type, name, change: compareValues(old ?? '', now ?? '', timeout) })
    yield undefined
  }
  return { changes, same }
}

/** Values up to this length are numbers or names and are compared as a whole. */
const shortCharacters = 40

function compareValues(before: string, after: string, timeout: number): TextChange {
  const isShort = before.length + after.length <= 2 * shortCharacters
  return isShort && !/\s/.test(before + after)
    ? replacedText(before, after)
    : compareTexts(before, after, timeout)
}

/** Texts of tools by name; a second tool of a name gets a number. */
function toolTexts(tools: readonly SentTool[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const tool of tools) {
    let name = tool.name
    for (let number = 2; texts.has(name); number++) name = `${tool.name} (${number})`
    texts.set(name, comparableToolText(tool))
  }
  return texts
}

function parameterTexts({ parameters }: Sent): ReadonlyMap<string, string> {
  return new Map(Object.entries(parameters))
}
