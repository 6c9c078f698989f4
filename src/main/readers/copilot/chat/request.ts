import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import {
  rawFieldsOf,
  secondsOfMs,
  type TimelessEntry,
  textIn,
  withFields,
} from '../../common/drafts'
import type { NamelessEntry } from '../../common/value-meaning'
import { attachedTo } from './attached'
import { memberList, memberObject } from './fields'
import { responseEntries } from './response'
import { toolRounds } from './rounds'
import { systemEntry } from './system-entry'

/** Members of a request that are in its entries, say nothing, or repeat what is there. */
export const chatRequestKeys: ReadonlySet<string> = new Set([
  'requestId',
  'timestamp',
  'message',
  'variableData',
  'response',
  'responseId',
  'responseMarkdownInfo',
  'result',
  'modelId',
  'modelState',
  'agent',
  'followups',
  'contentReferences',
  'codeCitations',
  'usedContext',
  'timeSpentWaiting',
  'shouldBeRemovedOnSend',
  'isHidden',
  'isCanceled',
  'editedFileEvents',
  'modeInfo',
])

/**
 * Converts a request to its entries: a person's message, then the parts of the answer in their order, and a failure last. Only
 * the message and the end of the answer have a time.
 *
 * @param isPending it was not sent yet
 */
export function requestEntries(
  request: JsonObject,
  isPending: boolean,
): readonly [NamelessEntry, ...NamelessEntry[]] {
  const message: NamelessEntry = {
    timestamp: secondsOfMs(request.timestamp) ?? null,
    ...personMessage(request, isPending),
  }
  const answer = withUsage(answerEntries(request), request)
  const ended = secondsOfMs(memberObject(request, 'modelState').completedAt) ?? null
  const timed = answer.map((entry, at) => ({
    timestamp: at === answer.length - 1 ? ended : null,
    ...entry,
  }))
  return [message, ...timed]
}

function personMessage(request: JsonObject, isPending: boolean): TimelessEntry {
  const { message } = request
  const content = typeof message === 'string' ? message : messageText(message)
  const raw = rawFieldsOf(isPending ? { ...request, isPending } : request, chatRequestKeys)
  return withFields(
    { from: 'user', to: 'copilot', content, entry_type: 'message', role: 'user' },
    { ...attachedTo(memberObject(request, 'variableData')), ...raw },
  )
}

function messageText(message: unknown): string {
  if (!isJsonObject(message)) return ''
  const { text } = message
  if (typeof text === 'string') return text
  return memberList(message, 'parts')
    .map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

function answerEntries(request: JsonObject): readonly TimelessEntry[] {
  const { response } = request
  const result = memberObject(request, 'result')
  const parts = Array.isArray(response) ? response : response == null ? [] : [response]
  const said = responseEntries(parts, toolRounds(memberObject(result, 'metadata')))
  const error = textIn(memberObject(result, 'errorDetails').message)
  return error === undefined ? said : [...said, systemEntry('error', error)]
}

/** The tokens are of all of the answer: they are at its first words, else at its first call. */
function withUsage(
  answer: readonly TimelessEntry[],
  request: JsonObject,
): readonly TimelessEntry[] {
  const about = memberObject(memberObject(request, 'result'), 'metadata')
  const model = modelOf(about, request)
  const input = countIn(about.promptTokens)
  const output = countIn(about.outputTokens)
  const isCounted = (input ?? 0) + (output ?? 0) > 0
  const words = answer.findIndex(({ role }) => role === 'agent')
  const call = answer.findIndex(({ entry_type: type }) => type === 'tool_call')
  const bearer = words === -1 ? call : words
  return answer.map((entry, at) => {
    const isOfModel = entry.role !== 'system' && entry.entry_type !== 'tool_result'
    return withFields(entry, {
      ...(isOfModel && model !== undefined ? { model } : {}),
      ...(isCounted && at === bearer ? { usage: { input, output } } : {}),
    })
  })
}

function modelOf({ resolvedModel }: JsonObject, { modelId }: JsonObject): string | undefined {
  // The vendor comes first: "copilot/gpt-5.4".
  return textIn(resolvedModel) ?? textIn(modelId)?.replace(/^copilot\//, '')
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
