import { type Faults, isCount, isObject, misplacedKeys } from './faults'
import { type JsonLine, readLines } from './lines'

/** A line of a transcript that chibi reads as an entry. */
export interface CheckedEntry {
  readonly at: JsonLine
  readonly id: string
  readonly timestamp: number
  readonly from: string
  readonly to: string
  readonly content: string
  readonly type: string
  readonly callId: string | undefined
  readonly role: string | undefined
}

const keys = [
  'id',
  'timestamp',
  'from',
  'to',
  'content',
  'entry_type',
  'metadata',
  'tool_call_id',
  'role',
  'flow_control',
]
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const callTypes = new Set(['tool_call', 'tool_result', 'flow_control_call', 'flow_control_result'])

/** The lines of a file that are entries. */
export function entriesOf(home: string, file: string, faults: Faults): readonly CheckedEntry[] {
  return readLines(home, file, faults).flatMap((line) => readEntry(line, faults) ?? [])
}

/** The shape of one line: keys, their order and types. Undefined where chibi would skip it. */
function readEntry(at: JsonLine, faults: Faults): CheckedEntry | undefined {
  const fault = (words: string) => faults.add(at.file, at.line, words)
  const { value } = at
  const strings = ['id', 'from', 'to', 'content', 'entry_type'].filter(
    (key) => typeof value[key] !== 'string',
  )
  for (const key of strings) fault(`"${key}" is no text`)
  if (!isCount(value.timestamp)) fault('"timestamp" is no whole number of seconds')
  for (const key of Object.keys(value)) if (!keys.includes(key)) fault(`there is no key "${key}"`)
  const misplaced = misplacedKeys(value, keys)
  if (misplaced.length > 0) fault(`the keys are not in order: ${misplaced.join(', ')}`)
  checkOptional(at, fault)
  if (strings.length > 0 || !isCount(value.timestamp)) return undefined

  const text = (key: string) => String(value[key])
  const type = text('entry_type')
  if (!uuid4.test(text('id'))) fault('the id is no UUID')
  const hasCallId = typeof value.tool_call_id === 'string' && value.tool_call_id !== ''
  if (callTypes.has(type) !== hasCallId)
    fault(hasCallId ? `a ${type} has a tool_call_id` : `the ${type} has no tool_call_id`)
  return {
    at,
    id: text('id'),
    timestamp: value.timestamp,
    from: text('from'),
    to: text('to'),
    content: text('content'),
    type,
    callId: hasCallId ? text('tool_call_id') : undefined,
    role: typeof value.role === 'string' ? value.role : undefined,
  }
}

/** chibi leaves out what has no value, and takes an explicit null of flow_control for an error. */
function checkOptional({ value }: JsonLine, fault: (words: string) => void): void {
  const { metadata, tool_call_id: callId, role, flow_control: flow } = value
  if ('metadata' in value && (!isObject(metadata) || Object.keys(metadata).length === 0))
    fault('"metadata" is no object with something in it')
  if ('tool_call_id' in value && typeof callId !== 'string') fault('"tool_call_id" is no text')
  if ('role' in value && !['user', 'agent', 'system'].includes(String(role)))
    fault('"role" is none of user, agent, system')
  if ('flow_control' in value && flow !== true) fault('"flow_control" stands only when it is true')
}

/** Types that are not chibi's: it skips them. */
const skipped = new Set(['run_error'])

const anchorWords: Readonly<Record<string, string>> = {
  context_created: 'Context created',
  compaction: 'Context compacted',
  archival: 'Context archived/cleared',
}

export function isAnchor({ type }: CheckedEntry): boolean {
  return Object.hasOwn(anchorWords, type)
}

/**
 * Who an entry of each type is from and to, and what else its type demands.
 *
 * @param names of the context: its own first, then those that older entries may give it
 */
export function checkType(entry: CheckedEntry, names: readonly string[], faults: Faults): void {
  const fault = (words: string) => faults.add(entry.at.file, entry.at.line, words)
  const { type, from, to, role } = entry
  const isFrom = (...who: readonly string[]) => {
    if (!who.includes(from)) fault(`a ${type} is from "${who[0]}", not "${from}"`)
  }
  const isTo = (...who: readonly string[]) => {
    if (!who.includes(to)) fault(`a ${type} is to "${who[0]}", not "${to}"`)
  }
  if (role !== undefined && type !== 'message' && type !== 'control_transfer')
    fault(`a ${type} has no role`)
  switch (type) {
    case 'message':
      checkMessage(entry, names, fault)
      return
    case 'tool_call':
    case 'flow_control_call':
      isFrom(...names)
      if (to === '') fault(`a ${type} names its tool`)
      return
    case 'tool_result':
    case 'flow_control_result':
      isTo(...names)
      if (from === '') fault(`a ${type} names its tool`)
      return
    case 'control_transfer':
      if (entry.content !== '' || entry.at.value.flow_control !== true)
        fault('a control_transfer has no content and flow_control: true')
      return
    case 'context_created':
    case 'compaction':
    case 'archival':
      isFrom('system')
      isTo(...names)
      if (entry.content !== anchorWords[type]) fault(`a ${type} says "${anchorWords[type]}"`)
      if (type === 'compaction' && typeof summaryOf(entry) !== 'string')
        fault('a compaction keeps its summary in metadata')
      return
    case 'system_prompt_changed':
      isFrom('system')
      isTo(...names)
      return
    default:
      if (skipped.has(type)) {
        isFrom('system')
        isTo(...names)
      } else fault(`there is no entry type "${type}"`)
  }
}

/** chibi 0.9 tells the two apart by `to` alone, later ones by the role: both must say the same. */
function checkMessage(
  { from, to, role }: CheckedEntry,
  names: readonly string[],
  fault: (words: string) => void,
): void {
  const isAnswer = to === 'user'
  if (!names.includes(isAnswer ? from : to))
    fault(`a message goes from or to "${names[0]}", not from "${from}" to "${to}"`)
  if (role !== undefined && role !== 'system' && (role === 'agent') !== isAnswer)
    fault(`a message to "${to}" has not the role "${role}"`)
}

function summaryOf({ at }: CheckedEntry): unknown {
  return isObject(at.value.metadata) ? at.value.metadata.summary : undefined
}
