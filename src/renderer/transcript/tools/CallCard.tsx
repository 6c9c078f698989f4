import { Circle, CircleCheck, CircleDot, CircleSlash, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { readCall } from '../../../shared/model/calls/read-call'
import { searchCall } from '../../../shared/model/calls/search-call'
import { taskCall } from '../../../shared/model/calls/task-call'
import { type ListedTask, listedTasks, type TaskState } from '../../../shared/model/calls/todo-call'
import { webCall } from '../../../shared/model/calls/web-call'
import type { Entry } from '../../../shared/model/conversation/entry'
import { Icon } from '../../ui/controls/Icon'
import { formatCount } from '../../ui/format/format'
import { LongText } from '../../ui/text/LongText'

/** Drawing of what a call asks for, with its name for screen readers. */
export interface DrawnCall {
  readonly name: string
  readonly content: ReactNode
}

/** Draws a call that reads, searches, keeps a list of tasks, goes to the web or gives a task to another agent; undefined for others. */
export function drawnCall(call: Entry): DrawnCall | undefined {
  const read = readCall(call)
  if (read !== undefined)
    return {
      name: 'File',
      content: (
        <Facts
          of={[
            ['File', read.path],
            ['Lines', linesOf(read)],
          ]}
        />
      ),
    }
  const search = searchCall(call)
  if (search !== undefined)
    return {
      name: 'Search',
      content: (
        <Facts
          of={[
            ['Search for', search.pattern],
            ['In', search.where],
          ]}
        />
      ),
    }
  const tasks = listedTasks(call)
  if (tasks !== undefined) return { name: 'Tasks', content: <TaskList tasks={tasks} /> }
  const web = webCall(call)
  if (web !== undefined)
    return {
      name: 'Web',
      content: (
        <Facts
          of={[
            ['Address', web.address],
            ['Search for', web.query],
            ['Asked', web.asked],
          ]}
        />
      ),
    }
  const task = taskCall(call)
  if (task === undefined) return undefined
  return {
    name: 'Task',
    content: (
      <>
        <Facts
          of={[
            ['Task', task.title],
            ['Agent', task.agent],
          ]}
        />
        <div className="tool-prompt">
          <LongText text={task.prompt} firstLines={24} label="Prompt" />
        </div>
      </>
    ),
  }
}

function linesOf(of: { readonly from?: number; readonly to?: number }): string | undefined {
  if (of.from === undefined && of.to === undefined) return undefined
  const from = formatCount(of.from ?? 1)
  return of.to === undefined ? `from ${from}` : `${from} to ${formatCount(of.to)}`
}

/** Names with what they are, a line each; those without a value are left out. */
function Facts(props: { readonly of: readonly (readonly [string, string | undefined])[] }) {
  const shown = props.of.filter(([, value]) => value !== undefined)
  if (shown.length === 0) return null
  return (
    <dl className="tool-facts tool-asked small">
      {shown.map(([name, value = '']) => (
        <div key={name}>
          <dt className="t3">{name}</dt>
          <dd className="mono" dir="auto">
            {visibleText(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const states: Readonly<Record<TaskState, readonly [icon: LucideIcon, words: string]>> = {
  done: [CircleCheck, 'done'],
  active: [CircleDot, 'in progress'],
  open: [Circle, 'to do'],
  cancelled: [CircleSlash, 'cancelled'],
}

function TaskList(props: { readonly tasks: readonly ListedTask[] }) {
  return (
    <ul className="tool-tasks">
      {props.tasks.map(({ state, words }, index) => {
        const [icon, name] = states[state]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tasks of a call never move
          <li key={index} className={`tool-task task-${state}`}>
            <Icon of={icon} className={state === 'done' ? 'ok-t' : 't3'} />
            <span className="grow" dir="auto">
              {visibleText(words)}
            </span>
            <span className="t3 small">{name}</span>
          </li>
        )
      })}
    </ul>
  )
}
