import {
  allAs,
  type Known,
  type KnownObject,
  knownList,
  knownObject,
  knownTypes,
} from '../../known/known-format'
import { chatRequestKeys } from './request'
import { silentChatParts } from './response'

const session = knownObject([
  ...['version', 'sessionId', 'creationDate', 'lastMessageDate', 'customTitle', 'computedTitle'],
  ...['responderUsername', 'requesterUsername', 'initialLocation', 'isImported', 'requests'],
  ...['hasPendingEdits', 'inputState', 'pendingRequests', 'responderAvatarIconUri', 'repoData'],
  ...['requesterAvatarIconUri', 'welcomeMessage', 'providerId', 'providerState', 'mode'],
  ...['workingSet', 'sessionResource', 'workingDirectory'],
])

const markdown = ['value', 'supportThemeIcons', 'supportHtml', 'isTrusted', 'baseUri', 'uris']
const notice = knownObject(['kind', 'content', 'title', 'message', 'source'])
const question = knownObject([
  ...['kind', 'title', 'message', 'subtitle', 'data', 'buttons', 'isUsed', 'isLive', 'state'],
  ...['questions', 'allowSkip', 'resolveId', 'acceptedResult', 'isHidden', 'source', 'options'],
  ...['acceptButtonLabel', 'rejectButtonLabel', 'originMessage'],
])
const edits = knownObject([
  ...['kind', 'uri', 'edits', 'done', 'state', 'isExternalEdit', 'undoStopId'],
])

const invocation = knownObject(
  [
    ...['kind', 'toolId', 'toolCallId', 'invocationMessage', 'originMessage', 'pastTenseMessage'],
    ...['isConfirmed', 'isComplete', 'source', 'presentation', 'resultDetails', 'generatedTitle'],
    ...['subAgentInvocationId', 'fromSubAgent', 'isAttachedToThinking', 'confirmationMessages'],
    ...['progress', 'icon'],
  ],
  {
    toolSpecificData: knownObject(
      [],
      {},
      knownTypes(
        'kind',
        allAs(
          [
            ...['terminal', 'input', 'subagent', 'simpleToolInvocation', 'todoList'],
            ...['extensions', 'pullRequest', 'resources', 'search', 'tasks'],
          ],
          'any',
        ),
      ),
    ),
  },
)

const parts: readonly (readonly [string, KnownObject | 'any'])[] = [
  // Words in Markdown have no kind.
  ['', knownObject(markdown)],
  ...allAs(
    ['markdownContent', 'markdownVuln'],
    knownObject(['kind', 'content', 'vulnerabilities', ...markdown]),
  ),
  ['inlineReference', knownObject(['kind', 'inlineReference', 'name', 'resolveId'])],
  ['thinking', knownObject(['kind', 'value', 'id', 'metadata', 'generatedTitle'])],
  ...allAs(['toolInvocation', 'toolInvocationSerialized'], invocation),
  ...allAs(['textEditGroup', 'notebookEditGroup'], edits),
  ...allAs(['warning', 'info', 'error'], notice),
  ...allAs(['confirmation', 'elicitation', 'elicitationSerialized', 'questionCarousel'], question),
  ['hook', 'any'],
  // The reader looks at their kind alone.
  ...allAs(silentChatParts, 'any' as const),
]

const request = knownObject(
  [
    ...chatRequestKeys,
    ...['slashCommand', 'vote', 'voteDownReason', 'confirmation', 'workingSet', 'elapsedMs'],
    ...['providerRequestId', 'isCompleteAddedRequest', 'attempt', 'usage', 'responseErrorDetails'],
    ...['isSystemInitiated', 'systemInitiatedLabel', 'userSelectedTools', 'modelName'],
  ],
  {
    message: knownObject(['text', 'parts']),
    response: knownList(knownObject([], {}, knownTypes('kind', parts))),
    variableData: knownObject(['variables']),
  },
)

/** Changes of a log come in the chat, but for those that fit nowhere; of an unknown kind are these here. */
const change: Known = {
  type: 'choice',
  choose: ({ kind }) => (changeKinds.has(kind) ? 'any' : unknownChange),
}
const changeKinds: ReadonlySet<unknown> = new Set([0, 1, 2, 3, undefined])
const unknownChange = knownObject([], {}, knownTypes('kind', []))

/** Knowledge of the lines of a chat in VS Code. */
export const chatKnown: Known = knownObject(['leaf', 'previous', 'isPending'], {
  session,
  request,
  change,
})
