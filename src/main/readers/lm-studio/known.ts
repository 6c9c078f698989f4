import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'
import { silentStudioSteps } from './version'

/** Names of the fields differ between versions of the program. */
const call = knownObject([
  ...['callId', 'toolCallRequestId', 'toolCallId', 'toolCallRequest', 'pluginIdentifier'],
  ...['name', 'parameters', 'arguments', 'content'],
])
const content: Known = knownList(
  knownObject(
    ['type'],
    {},
    knownTypes('type', [
      ['text', knownObject(['text', 'fromDraftModel', 'tokensCount', 'isStructural'])],
      ['file', knownObject(['fileIdentifier', 'fileType', 'sizeBytes'])],
      ['toolCallRequest', call],
      ['toolCallResult', call],
    ]),
  ),
)

const step = knownObject(
  ['type', 'stepIdentifier'],
  {},
  knownTypes('type', [
    [
      'contentBlock',
      knownObject(
        ['defaultShouldIncludeInContext', 'shouldIncludeInContext', 'genInfo', 'prefix', 'suffix'],
        { content, style: knownObject(['type', 'ended', 'title']) },
      ),
    ],
    // The reader looks at their type alone.
    ...allAs(silentStudioSteps, 'any' as const),
  ]),
)

const version = knownObject(
  ['type', 'role', 'senderInfo'],
  {},
  knownTypes('type', [
    ['singleStep', knownObject(['preprocessed'], { content })],
    ['multiStep', knownObject([], { steps: knownList(step) })],
  ]),
)

const conversation = knownObject([
  ...['name', 'pinned', 'createdAt', 'preset', 'tokenCount', 'systemPrompt', 'messages'],
  ...['usePerChatPredictionConfig', 'perChatPredictionConfig', 'clientInput', 'clientInputFiles'],
  ...['userFilesSizeBytes', 'lastUsedModel', 'notes', 'plugins', 'pluginConfigs', 'looseFiles'],
  ...['disabledPluginTools', 'assistantLastMessagedAt', 'userLastMessagedAt'],
])

/** Table of what the reader knows of LM Studio's conversations. They name no version. */
export const studioTable: KnownFormat = {
  record: knownObject(['id', 'previous'], { conversation, version }),
}
