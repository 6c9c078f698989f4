import {
  type Known,
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

/** Kinds of content that the program says of itself; each has its words under another name. */
export const programKinds: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['systemNotification', ['notificationType', 'msg', 'data']],
  ['contextLengthExceeded', ['msg']],
  ['summarizationRequested', ['msg']],
  ['toolConfirmationRequest', ['id', 'toolName', 'arguments', 'prompt']],
  ['actionRequired', ['data']],
])

const call = knownObject([
  'type',
  'id',
  'toolCall',
  'metadata',
  '_meta',
  'toolMeta',
  'thoughtSignature',
])
const content: Known = knownList(
  knownObject(
    [],
    {},
    knownTypes('type', [
      ['text', knownObject(['type', 'text', 'annotations', '_meta'])],
      ['image', knownObject(['type', 'data', 'mimeType', 'annotations', '_meta'])],
      ['toolRequest', call],
      ['frontendToolRequest', call],
      ['toolResponse', knownObject(['type', 'id', 'toolResult', 'metadata'])],
      ['thinking', knownObject(['type', 'thinking', 'signature'])],
      ['redactedThinking', knownObject(['type', 'data'])],
      ['reasoning', knownObject(['type', 'text'])],
      ['conversationCompacted', knownObject(['type', 'msg'])],
      ...[...programKinds].map(
        ([kind, fields]) => [String(kind), knownObject(['type', ...fields])] as const,
      ),
    ]),
  ),
)

const message = knownObject(['record', 'id', 'previous', 'row', 'sums'], { data: content })
const fileMessage = knownObject(['id', 'created', 'metadata'], {
  role: knownNames(['user', 'assistant']),
  content,
})

/** Table of what the reader knows of Goose's rows and of its older files. Columns come and go, and are asked for by name. */
export const gooseFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: ({ record, role }) =>
      record === 'messages'
        ? message
        : record === undefined && role !== undefined
          ? fileMessage
          : 'any',
  },
}
