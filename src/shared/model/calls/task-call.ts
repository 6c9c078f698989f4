import type { Entry } from '../conversation/entry'
import { argumentsObject, textArgument } from './arguments-object'
import { lettersOf } from './changing-tools'

const longest = 400_000

/** A call that gives another agent a task. */
export interface TaskCall {
  readonly prompt: string
  readonly title?: string
  /** The kind or name of the agent. */
  readonly agent?: string
}

/** Tools that give work to another agent, by their letters in lower case. */
const givers: ReadonlySet<string> = new Set([
  ...['task', 'agent', 'newtask', 'subagent', 'runsubagent', 'spawnagent', 'delegate'],
  ...['delegatetoagent', 'dispatchagent', 'usesubagents', 'createsubagent'],
])

/** Returns the task that a call gives to another agent; undefined for other calls. */
export function taskCall({ entry_type, to, content }: Entry): TaskCall | undefined {
  if (entry_type !== 'tool_call' || content.length > longest || !givers.has(lettersOf(to)))
    return undefined
  const args = argumentsObject(content)
  if (args === undefined) return undefined
  const prompt = textArgument(args, ['prompt', 'message', 'instructions', 'objective', 'task'])
  if (prompt === undefined || prompt === '') return undefined
  const title = textArgument(args, ['description', 'title', 'name'])
  const agent = textArgument(args, ['subagent_type', 'agent_name', 'agent_type', 'agent', 'mode'])
  return {
    prompt,
    ...(title === undefined || title === '' ? {} : { title }),
    ...(agent === undefined || agent === '' ? {} : { agent }),
  }
}
