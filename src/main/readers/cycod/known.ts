import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'
import { isMistakenMeta } from './line'

const base = ['$type', 'additionalProperties', 'annotations']

/** Parts in OpenAI's shape. */
const content: Known = knownList(
  knownObject(
    ['type'],
    {},
    knownTypes('type', [
      ['text', knownObject(['text'])],
      ['image_url', knownObject([], { image_url: knownObject(['url', 'detail']) })],
      ['input_audio', 'any'],
    ]),
  ),
)

/** Parts in that of Microsoft.Extensions.AI. */
const contents: Known = knownList(
  knownObject(
    base,
    {},
    knownTypes('$type', [
      ['text', knownObject(['text'])],
      ['reasoning', knownObject(['text', 'protectedData'])],
      ...allAs(['data', 'uri', 'image'], knownObject(['uri', 'mediaType', 'name'])),
      ['functionCall', knownObject(['callId', 'name', 'arguments', 'exception'])],
      ['functionResult', knownObject(['callId', 'result', 'exception'])],
    ]),
  ),
)

const message: Known = knownObject(
  ['role', 'name', 'authorName', 'tool_call_id', 'refusal', 'messageId', 'createdAt'],
  {
    additionalProperties: 'any',
    content,
    contents,
    tool_calls: knownList(
      knownObject(['id', 'type'], { function: knownObject(['name', 'arguments']) }),
    ),
  },
  knownTypes(
    'role',
    allAs(['system', 'developer', 'user', 'assistant', 'tool'], 'shared' as const),
  ),
)

const titles = knownObject(['title', 'titleLocked'])
const meta: Known = knownObject([], { _meta: titles, metadata: titles })

/** Table of what the reader knows of cycod's lines. They name no version. */
export const cycodFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (line) =>
      line.role === undefined && ('_meta' in line || isMistakenMeta(line)) ? meta : message,
  },
}
