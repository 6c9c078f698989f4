import { knownBlocks } from '../common/content/known-blocks'
import { allAs, type KnownFormat, knownNames, knownObject, knownTypes } from '../known/known-format'

/** Types of Droid's records that say nothing of the conversation. */
export const silentDroidTypes: ReadonlySet<unknown> = new Set([
  'session_start',
  'todo_state',
  'agent_turn_outcome',
])

/** Table of what the reader knows of Droid's records. */
export const droidFormat: KnownFormat = {
  proved: '2',
  versionOf: ({ type, version }) => (type === 'session_start' ? version : undefined),
  record: knownObject(
    ['type', 'id', 'parentId', 'timestamp'],
    {},
    knownTypes('type', [
      ...allAs(silentDroidTypes, 'any' as const),
      [
        'message',
        knownObject([], {
          message: knownObject(['visibility'], {
            role: knownNames(['user', 'assistant']),
            content: knownBlocks,
          }),
        }),
      ],
      [
        'compaction_state',
        knownObject([
          'summaryText',
          'summaryTokens',
          'summaryKind',
          'anchorMessage',
          'removedCount',
          'systemInfo',
        ]),
      ],
    ]),
  ),
}
