import path from 'node:path'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { type DocumentEnd, elementsIn } from '../../records/document/document-format'
import type { DocumentShape } from '../../records/document/shape'
import {
  type ComposedFormat,
  type Composition,
  composedFormat,
  stateOfFiles,
} from '../../records/lines/composed-format'
import {
  type ComposedLine,
  composedLine,
  type Stretch,
  unendedLine,
} from '../../records/lines/composed-line'
import { stretchBehind, stretchOfNoJson } from '../../records/lines/other-stretches'
import { composingInThreads } from '../common/composed/composing-in-threads'
import { readScreen, type Screen } from './screen'
import { type PlainMessage, tellMessages } from './timing'

/** The id of the format of tasks. */
export const taskFormat = 'cline'

/** The name of the record file that a task's messages have. */
export const taskName = 'task'

/**
 * The format of tasks: the list of a task's messages, with what the screen tells of each. Its lines are `{message}` with the
 * time (`at`) and the tokens (`usage`) that the screen has of it, `{notice}` for a failure that only the screen tells, and of a
 * session of Cline CLI its own members (`{session}`).
 */
export const taskRecords: ComposedFormat = composedFormat({
  id: taskFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container, screenOf(container)]),
  async compose(disk, document, { container, name }) {
    return name === taskName ? composeTask(disk, document, container) : undefined
  },
})

/** Threads that compose tasks for a list. */
export const taskComposing = composingInThreads('cline', taskRecords, taskName)

const shape: DocumentShape = {
  id: taskFormat,
  records: 'messages',
  facts: ['role', 'ts', 'type'],
  record: { id: ['id'], parent: ['role'], time: ['ts'] },
}

const never = new AbortController().signal

interface FoundMessage extends PlainMessage {
  readonly stretch: Stretch
}

/** The messages of a document, and what else is in it. */
interface TaskDocument {
  readonly messages: FoundMessage[]
  readonly head: ComposedLine[]
  readonly foot: ComposedLine[]
}

async function composeTask(
  disk: Disk,
  document: DiskFile,
  container: string,
): Promise<Composition> {
  const task: TaskDocument = { messages: [], head: [], foot: [] }
  let isCut = false
  let last = 0
  let valueEnd: number | undefined
  const ended = (end: DocumentEnd) => {
    isCut ||= end.isCut
    valueEnd = end.valueEnd
  }
  for await (const element of elementsIn(document, shape, never, ended)) {
    const { start, end, facts, records, isConversation } = element
    isCut ||= element.isTorn
    last = end
    if (isConversation) {
      task.head.push(composedLine('{"session":', { start, end: element.headEnd }, '}}'))
      for (const record of records)
        task.messages.push({ role: record.parent, at: undefined, stretch: record })
      const rest = element.tailStart ?? element.restStart
      if (element.isTorn) task.foot.push(unendedLine({ start: rest, end }))
      else if (element.tailStart !== undefined)
        task.foot.push(composedLine('{"session":{', { start: element.tailStart, end }, '}'))
    } else if (element.isTorn) task.foot.push(unendedLine({ start, end }))
    else {
      const at = typeof facts.ts === 'number' ? facts.ts : undefined
      task.messages.push({ role: facts.role, at, stretch: { start, end } })
    }
  }
  const strange = last === 0 ? await stretchOfNoJson(document) : undefined
  if (strange !== undefined) task.foot.push(unendedLine(strange))
  else if (!isCut && valueEnd !== undefined) {
    // As the end of a longer list over which it was written, or zeros that a crash left.
    const behind = await stretchBehind(document, valueEnd)
    if (behind !== undefined) task.foot.push(composedLine('{"message":', behind, '}'))
  }
  const screen = await readScreen(disk, screenOf(container))
  const lines = [...task.head, ...linesOf(task.messages, screen), ...task.foot]
  const torn = isCut ? { tornAt: last } : {}
  const damaged = strange === undefined ? {} : { isDamaged: true }
  return { lines, about: { messages: task.messages.length, ...torn, ...damaged } }
}

function linesOf(messages: readonly FoundMessage[], screen: Screen): readonly ComposedLine[] {
  const lines: ComposedLine[] = []
  const notices = [...screen.notices]
  const noticesBefore = (time: number) => {
    for (let [one] = notices; one !== undefined && one.at < time; [one] = notices) {
      lines.push(composedLine(JSON.stringify({ notice: one })))
      notices.shift()
    }
  }
  for (const [number, { at, usage }] of tellMessages(messages, screen).entries()) {
    const message = messages[number]
    if (message === undefined) continue
    if (at !== undefined) noticesBefore(at)
    const told = JSON.stringify({ at, usage }).slice(0, -1)
    lines.push(composedLine(`${told}${told === '{' ? '' : ','}"message":`, message.stretch, '}'))
  }
  noticesBefore(Number.POSITIVE_INFINITY)
  return lines
}

/** Returns the file that keeps what was shown of a task. */
function screenOf(container: string): string {
  return path.join(path.dirname(container), 'ui_messages.json')
}
