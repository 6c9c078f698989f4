import { isJsonObject } from '../../../shared/model/basics/json-object'
import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'
import { chatKnown } from './chat/known'
import { isChatLine } from './chat/line'
import { silentCopilotEvents } from './events'

const call = knownObject([
  ...['toolCallId', 'name', 'arguments', 'type', 'intentionSummary', 'mcpServerName', 'toolTitle'],
])
const attachments = knownList(
  knownObject(
    ['type', 'displayName', 'path', 'filePath', 'lineRange', 'text', 'selection', 'referenceType'],
    { number: 'any', title: 'any', state: 'any', url: 'any', data: 'any', mimeType: 'any' },
  ),
)

/** Known members of the data of events, by type. */
const data: readonly (readonly [string, Known])[] = [
  [
    'user.message',
    knownObject(
      [
        ...['content', 'transformedContent', 'source', 'agentMode', 'interactionId', 'delivery'],
        ...[
          'parentAgentTaskId',
          'nativeDocumentPathFallbackPaths',
          'supportedNativeDocumentMimeTypes',
        ],
      ],
      { attachments },
    ),
  ],
  [
    'assistant.message',
    knownObject(
      [
        ...[
          'messageId',
          'content',
          'reasoningText',
          'reasoningOpaque',
          'encryptedContent',
          'model',
        ],
        ...['outputTokens', 'parentToolCallId', 'interactionId', 'requestId', 'apiCallId', 'phase'],
        ...['chunkIndex', 'turnId', 'anthropicAdvisorBlocks', 'anthropicAdvisorModel'],
      ],
      { toolRequests: knownList(call) },
    ),
  ],
  ['assistant.reasoning', knownObject(['reasoningId', 'content'])],
  ['tool.user_requested', knownObject(['toolCallId', 'toolName', 'arguments'])],
  [
    'tool.execution_complete',
    knownObject(
      [
        ...['toolCallId', 'success', 'toolTelemetry', 'model', 'parentToolCallId', 'interactionId'],
        ...['isUserRequested', 'sandboxed', 'turnId'],
      ],
      {
        result: knownObject(['content', 'detailedContent', 'contents', 'uiResource']),
        error: knownObject(['message', 'code']),
      },
    ),
  ],
  [
    'session.compaction_complete',
    knownObject([
      ...['success', 'error', 'summaryContent', 'preCompactionTokens', 'postCompactionTokens'],
      ...['preCompactionMessagesLength', 'messagesRemoved', 'tokensRemoved', 'checkpointNumber'],
      ...['checkpointPath', 'compactionTokensUsed', 'requestId', 'customInstructions'],
      ...['systemTokens', 'conversationTokens', 'toolDefinitionsTokens'],
    ]),
  ],
  ['system.message', knownObject(['content', 'role', 'name', 'metadata'])],
  [
    'session.error',
    knownObject([
      ...['errorType', 'errorCode', 'message', 'stack', 'statusCode', 'providerCallId', 'url'],
      ...['eligibleForAutoSwitch', 'error'],
    ]),
  ],
  ['session.warning', knownObject(['warningType', 'message', 'url'])],
  [
    'subagent.failed',
    knownObject([
      ...['toolCallId', 'agentName', 'agentDisplayName', 'error', 'message', 'model', 'durationMs'],
      ...['totalTokens', 'totalToolCalls'],
    ]),
  ],
]

const event: Known = knownObject(
  ['id', 'parentId', 'timestamp', 'type', 'agentId', 'ephemeral'],
  {},
  {
    ...knownTypes('type', [
      ...data.map(([type, known]) => [type, knownObject([], { data: known })] as const),
      // They say nothing, or are read for little.
      ...allAs(silentCopilotEvents, knownObject(['data'])),
    ]),
    isWrapper: true,
  },
)

/** Table of what the reader knows of Copilot CLI's events, whose sessions name the version, and of VS Code's chats. */
export const copilotFormat: KnownFormat = {
  proved: '1.0.80',
  versionOf: ({ type, data: start }) =>
    type === 'session.start' && isJsonObject(start) && start.vscodeVersion === undefined
      ? start.copilotVersion
      : undefined,
  record: { type: 'choice', choose: (line) => (isChatLine(line) ? chatKnown : event) },
}
