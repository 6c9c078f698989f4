import { isJsonObject } from '../basics/json-object'
import type { Entry } from '../conversation/entry'
import { argumentsObject, textArgument } from './arguments-object'
import { lettersOf } from './changing-tools'

/** State of a task of a list that a model keeps. */
export type TaskState = 'done' | 'active' | 'open' | 'cancelled'

/** A task of such a list. */
export interface ListedTask {
  readonly state: TaskState
  readonly words: string
}

const longest = 200_000
/** Tools that write a whole list of tasks, by their letters in lower case. */
const writers: ReadonlySet<string> = new Set([
  ...['todowrite', 'updateplan', 'writetodos', 'managetodolist', 'updatetodolist', 'settodos'],
  ...['todolistwrite', 'settodolist', 'todo', 'updatetodos'],
])
const listNames = ['todos', 'plan', 'todoList', 'todo_list', 'items', 'tasks']
const wordNames = ['content', 'step', 'title', 'description', 'text', 'task', 'name']

/** Returns the tasks that a call writes, in their order; undefined for other calls, and where one of the list is none. */
export function listedTasks({ entry_type, to, content }: Entry): readonly ListedTask[] | undefined {
  if (entry_type !== 'tool_call' || content.length > longest || !writers.has(lettersOf(to)))
    return undefined
  const args = argumentsObject(content)
  const name = args === undefined ? undefined : listNames.find((one) => Object.hasOwn(args, one))
  const list = args === undefined || name === undefined ? undefined : args[name]
  const tasks =
    typeof list === 'string'
      ? list
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(taskOfLine)
      : Array.isArray(list)
        ? (list as readonly unknown[]).map(taskOf)
        : []
  const known = tasks.filter((task) => task !== undefined)
  return known.length === 0 || known.length < tasks.length ? undefined : known
}

/** A task as Markdown has it: `[x]`, `[-]`, `[ ]`. */
function taskOfLine(line: string): ListedTask | undefined {
  const [, sign, words] = /^\s*(?:[-*] |\d+[.)] )?\[([ xX~/-])\]\s+(\S.*)$/.exec(line) ?? []
  if (sign === undefined || words === undefined) return undefined
  return { state: sign === ' ' ? 'open' : /x/i.test(sign) ? 'done' : 'active', words }
}

function taskOf(item: unknown): ListedTask | undefined {
  if (!isJsonObject(item)) return undefined
  const words = textArgument(item, wordNames)
  const state = stateOf(textArgument(item, ['status', 'state']) ?? '')
  return words === undefined || state === undefined ? undefined : { state, words }
}

function stateOf(name: string): TaskState | undefined {
  switch (lettersOf(name)) {
    case 'completed':
    case 'complete':
    case 'done':
      return 'done'
    case 'inprogress':
    case 'active':
    case 'doing':
      return 'active'
    case 'pending':
    case 'notstarted':
    case 'todo':
    case 'open':
    case 'blocked':
      return 'open'
    case 'cancelled':
    case 'canceled':
    case 'skipped':
      return 'cancelled'
    default:
      return undefined
  }
}
