import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'
import { isOfGeminiSession } from './line'
import { geminiCallKeys, geminiMessageKeys } from './message'

/** Parts name no type: each has the field of what it is. */
const parts: Known = knownList(
  knownObject(['text', 'thought', 'thoughtSignature'], {
    inlineData: knownObject(['mimeType', 'data', 'displayName']),
    fileData: knownObject(['mimeType', 'fileUri', 'displayName']),
    functionCall: 'any',
    functionResponse: knownObject(['id', 'name', 'response', 'parts']),
  }),
)

const message = knownObject(
  [...geminiMessageKeys, 'displayContent'],
  {
    content: parts,
    toolCalls: knownList(knownObject([...geminiCallKeys, 'agentId'], { result: parts })),
    thoughts: knownList(knownObject(['subject', 'description', 'timestamp'])),
    tokens: knownObject(['input', 'output', 'cached', 'thoughts', 'tool', 'total']),
  },
  knownTypes('type', allAs(['user', 'gemini', 'info', 'warning', 'error'], 'shared' as const)),
)

const session = knownObject(
  [
    ...['sessionId', 'projectHash', 'startTime', 'lastUpdated', 'summary', 'directories', 'kind'],
    'activeExtensionName',
  ],
  { messages: knownList(message) },
)
const change = knownObject(['$rewindTo'], { $set: session })

/** Table of what the reader knows of Gemini CLI's lines. They name no version. */
export const geminiFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose(line) {
      if ('$rewindTo' in line || '$set' in line) return change
      return isOfGeminiSession(line) ? session : message
    },
  },
}
