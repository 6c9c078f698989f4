import {
  allAs,
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

/** Types of steps in which the program tells its model something, or takes note of it; nobody said them. */
export const programSteps: ReadonlySet<unknown> = new Set([
  'CONVERSATION_HISTORY',
  'EPHEMERAL_MESSAGE',
  'SYSTEM_MESSAGE',
  'CHECKPOINT',
  'KNOWLEDGE_ARTIFACTS',
  'USER_SETTINGS_CHANGE',
])

/** Types of steps that are the answer to a call of a tool, as far as they are known; others of the model are taken for such, too. */
const toolSteps = [
  ...['VIEW_FILE', 'VIEW_FILE_OUTLINE', 'VIEW_CODE_ITEM', 'LIST_DIRECTORY', 'GREP_SEARCH'],
  ...['FIND', 'RUN_COMMAND', 'COMMAND_STATUS', 'SEND_COMMAND_INPUT', 'CODE_ACTION', 'SEARCH_WEB'],
  ...['READ_URL_CONTENT', 'VIEW_CONTENT_CHUNK', 'BROWSER_SUBAGENT', 'INVOKE_SUBAGENT', 'MCP_TOOL'],
  ...['GENERATE_IMAGE', 'TASK_BOUNDARY', 'NOTIFY_USER', 'GENERIC', 'READ_TERMINAL', 'CODE_SEARCH'],
]

const call = knownObject(['name', 'args', 'arguments', 'id'])

/** Table of what the reader knows of the steps of a transcript; they name no version. */
export const antigravityFormat: KnownFormat = {
  record: knownObject(
    [
      ...['step_index', 'status', 'created_at', 'content', 'thinking', 'truncated_fields'],
      ...['error_code', 'error', 'type'],
    ],
    {
      source: knownNames(['USER_EXPLICIT', 'USER_IMPLICIT', 'MODEL', 'SYSTEM']),
      tool_calls: knownList(call),
    },
    knownTypes(
      'type',
      allAs(
        [
          ...['USER_INPUT', 'PLANNER_RESPONSE', 'GENERATE_RESPONSE', 'ERROR_MESSAGE'],
          ...programSteps,
          ...toolSteps,
        ],
        'shared',
      ),
    ),
  ),
}
