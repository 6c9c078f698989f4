import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  withFields,
} from '../common/drafts'

/** Returns the entries of an event: none where nobody says anything, undefined for an event of an unknown type. */
export function eventEntries(type: string, data: JsonObject): readonly TimelessEntry[] | undefined {
  switch (type) {
    case 'user.message':
      return [personMessage(data)]
    case 'assistant.message':
      return assistantMessage(data)
    case 'assistant.reasoning':
      return textIn(data.content) === undefined ? [] : [thoughts(data.content)]
    case 'tool.user_requested':
      return [{ ...callOf(data.toolCallId, data.toolName, data.arguments), from: 'user' }]
    case 'tool.execution_complete':
      return [resultOf(data)]
    case 'session.compaction_complete':
      return summary(data)
    case 'system.message':
      return [systemMessage(type, textIn(data.content) ?? '')]
    case 'session.error':
    case 'session.warning':
    case 'subagent.failed':
      return notice(type, data)
    default:
      return silentCopilotEvents.has(type) ? [] : undefined
  }
}

/**
 * Events that nobody says: beginnings and ends, settings, progress, sums, and what repeats the call that a message has.
 * Those of a session's titles and context are read for them.
 */
export const silentCopilotEvents: ReadonlySet<string> = new Set([
  'session.start',
  'session.resume',
  'session.remote_steerable_changed',
  'session.idle',
  'session.info',
  'session.title_changed',
  'session.model_change',
  'session.mode_changed',
  'session.plan_changed',
  'session.permissions_changed',
  'session.workspace_file_changed',
  'session.context_changed',
  'session.context_cleared',
  'session.usage_info',
  'session.truncation',
  'session.snapshot_rewind',
  'session.handoff',
  'session.compaction_start',
  'session.task_complete',
  'session.shutdown',
  'assistant.turn_start',
  'assistant.turn_end',
  'assistant.intent',
  'assistant.usage',
  'assistant.message_start',
  'assistant.message_delta',
  'assistant.streaming_delta',
  'assistant.reasoning_delta',
  'abort',
  'tool.execution_start',
  'tool.execution_partial_result',
  'tool.execution_progress',
  'skill.invoked',
  'subagent.started',
  'subagent.completed',
  'subagent.selected',
  'subagent.deselected',
  'hook.start',
  'hook.end',
  'permission.requested',
  'permission.completed',
  'user_input.requested',
  'user_input.completed',
  'elicitation.requested',
  'elicitation.completed',
  'external_tool.requested',
  'external_tool.completed',
  'command.queued',
  'command.execute',
  'command.completed',
  'commands.changed',
  'exit_plan_mode.requested',
  'exit_plan_mode.completed',
  'pending_messages.modified',
])

const messageKeys = new Set(['content', 'transformedContent', 'attachments', 'source'])
const answerKeys = new Set([
  'messageId',
  'content',
  'toolRequests',
  'reasoningText',
  'reasoningOpaque',
  'encryptedContent',
  'outputTokens',
  'model',
])
const resultKeys = new Set(['toolCallId', 'success', 'result', 'error', 'toolTelemetry', 'model'])

/** Marks the words that a skill or another agent said in a person's name, and leaves out those that were added for the model. */
function personMessage(data: JsonObject): TimelessEntry {
  const { source, attachments } = data
  const isInjected = textIn(source) !== undefined && source !== 'user'
  return withFields(
    {
      from: 'user',
      to: 'copilot',
      content: jsonText(data.content),
      entry_type: 'message',
      role: 'user',
    },
    {
      ...(isInjected ? { injected: true } : {}),
      ...(Array.isArray(attachments) && attachments.length > 0
        ? { attachments: attachments.map(attached) }
        : {}),
      ...rawFieldsOf(
        isInjected ? { ...data, source } : data,
        isInjected ? withoutSource : messageKeys,
      ),
    },
  )
}

const withoutSource = new Set([...messageKeys].filter((key) => key !== 'source'))

/** A file is named as attachments are, with what Copilot says of it. */
function attached(one: unknown): unknown {
  if (!isJsonObject(one)) return one
  const name = textIn(one.displayName) ?? textIn(one.path) ?? textIn(one.filePath)
  return name === undefined ? one : { filename: name, ...one }
}

/** Words, calls, or both; thoughts are kept with the first of them. */
function assistantMessage(data: JsonObject): readonly TimelessEntry[] {
  const { content, toolRequests, reasoningText, outputTokens, model } = data
  const calls = (Array.isArray(toolRequests) ? toolRequests : []).map((one: unknown) =>
    isJsonObject(one)
      ? callOf(one.toolCallId, one.name, one.arguments)
      : { from: 'copilot', to: 'tool', content: jsonText(one), entry_type: 'tool_call' },
  )
  const words = jsonText(content)
  const message: TimelessEntry = {
    from: 'copilot',
    to: 'user',
    content: words,
    entry_type: 'message',
    role: 'agent',
  }
  const thought = textIn(reasoningText)
  if (words === '' && calls.length === 0 && thought === undefined) return []
  const isApart = words === '' && thought !== undefined
  const said = words === '' ? calls : [message, ...calls]
  const entries = isApart ? [thoughts(thought), ...said] : said
  const named = typeof model === 'string' && model !== '' ? { model } : {}
  const isCounted = typeof outputTokens === 'number' && outputTokens > 0
  const own: Fields = {
    ...(!isApart && thought !== undefined ? { reasoning: thought } : {}),
    ...(isCounted ? { usage: { output: outputTokens } } : {}),
    ...rawFieldsOf(data, answerKeys),
  }
  const first = isApart && entries.length > 1 ? 1 : 0
  return entries.map((entry, at) => withFields(entry, at === first ? { ...named, ...own } : named))
}

function thoughts(content: unknown): TimelessEntry {
  return { from: 'copilot', to: 'user', content: jsonText(content), entry_type: 'reasoning' }
}

function callOf(id: unknown, name: unknown, args: unknown): TimelessEntry {
  const call = textIn(id)
  return {
    from: 'copilot',
    to: textIn(name) ?? 'tool',
    content: jsonText(args),
    entry_type: 'tool_call',
    ...(call === undefined ? {} : { tool_call_id: call }),
  }
}

/** It comes from "tool": the line does not name the tool. */
function resultOf(data: JsonObject): TimelessEntry {
  const { toolCallId, success, result, error } = data
  const shown = isJsonObject(result) ? result : {}
  const { content, detailedContent, ...others } = shown
  const words = textIn(content) ?? textIn(detailedContent) ?? errorWords(error) ?? jsonText(content)
  const isMore = textIn(detailedContent) !== undefined && detailedContent !== words
  const further = { ...others, ...(isMore ? { detailedContent } : {}) }
  const raw = {
    ...(Object.keys(further).length === 0 ? {} : { result: further }),
    ...(words !== errorWords(error) && error != null ? { error } : {}),
    ...rawFieldsOf(data, resultKeys).raw_fields,
  }
  const id = textIn(toolCallId)
  return withFields(
    {
      from: 'tool',
      to: 'copilot',
      content: words,
      entry_type: 'tool_result',
      ...(id === undefined ? {} : { tool_call_id: id }),
    },
    {
      ...(success === false ? { is_error: true } : {}),
      ...(Object.keys(raw).length === 0 ? {} : { raw_fields: raw }),
    },
  )
}

function errorWords(error: unknown): string | undefined {
  return isJsonObject(error) ? textIn(error.message) : textIn(error)
}

/** A summary in the place of what came before; none where it failed. */
function summary({ summaryContent }: JsonObject): readonly TimelessEntry[] {
  const content = textIn(summaryContent)
  if (content === undefined) return []
  const metadata = { summary: content }
  return [{ from: 'copilot', to: 'copilot', content, entry_type: 'compaction', metadata }]
}

/** Undefined where it has no words: then all of it is shown. */
function notice(type: string, data: JsonObject): readonly TimelessEntry[] | undefined {
  const words = textIn(data.message) ?? errorWords(data.error)
  return words === undefined ? undefined : [systemMessage(type, words)]
}

function systemMessage(type: string, content: string): TimelessEntry {
  const metadata = { raw_type: type }
  return { from: 'system', to: 'user', content, entry_type: 'message', role: 'system', metadata }
}
