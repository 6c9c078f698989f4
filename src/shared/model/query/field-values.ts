import { Role } from '../conversation/entry'
import { labelColors } from '../conversation/label'
import { SourceId } from '../conversation/sources'
import { endOfPeriod, startOfPeriod } from './dates'
import type { QueryNode } from './query'
import { entryBranches, hasValues, type QueryFieldName, queryFields } from './query-fields'

/** Outcome of `field:value`: the condition, or none where it is a word, with a hint for people. */
interface FieldValue {
  readonly node?: Extract<QueryNode, { type: 'field' | 'time' | 'all' }>
  /** The field, where the node is one. */
  readonly field?: QueryFieldName
  /** The field says something about the whole query, and not of entries. */
  readonly switches?: 'case' | 'words'
  readonly hint?: string
}

/** What each field takes, for people. */
const taken: Readonly<Record<QueryFieldName, string>> = {
  source: SourceId.options.join(', '),
  context: 'the name of a conversation of this home',
  title: 'words of a title',
  tag: 'a tag',
  color: labelColors.join(', '),
  label: 'words of a label',
  before: 'a year, a month, a day or a time, such as 2026, 2026-03, 2026-03-09 or 2026-03-09T12:30',
  after: 'a year, a month, a day or a time, such as 2026, 2026-03, 2026-03-09 or 2026-03-09T12:30',
  during: 'a year, a month or a day, such as 2026, 2026-03 or 2026-03-09',
  role: Role.options.join(', '),
  type: 'a kind of entry, such as message or tool_result',
  tool: 'the name of a tool',
  branch: entryBranches.join(', '),
  from: 'the name of who wrote',
  to: 'the name of who is written to',
  has: hasValues.join(', '),
  model: 'the name of a model, or its beginning',
  provider: 'the name of a provider, or its beginning',
  project: 'a folder, or a part of its path',
  reaction: 'a reaction',
  case: 'yes',
  words: 'whole',
}

/** Makes the condition of a field; none where there is no such field, no value, or one that it does not take. */
export function conditionOfField(name: string, value: string): FieldValue {
  const field = queryFields.find((known) => known === name)
  if (field === undefined) return {}
  if (value === '')
    return {
      hint: `${field}: has no value yet, and takes ${taken[field]}. It is searched as a word.`,
    }
  const shown = `“${shortened(value)}”`
  const asWord = () => ({
    hint: `${field}: takes ${taken[field]}, not ${shown}. It is searched as a word.`,
  })
  if (field === 'before' || field === 'after') {
    const seconds = startOfPeriod(value)
    return seconds === undefined ? asWord() : { field, node: { type: 'time', field, seconds } }
  }
  if (field === 'during') {
    const [from, until] = [startOfPeriod(value), endOfPeriod(value)]
    if (from === undefined || until === undefined) return asWord()
    const after = { type: 'time', field: 'after', seconds: from } as const
    const before = { type: 'time', field: 'before', seconds: until } as const
    return { field, node: { type: 'all', of: [after, before] } }
  }
  if (field === 'case') return value.toLowerCase() === 'yes' ? { switches: field } : asWord()
  if (field === 'words') return value.toLowerCase() === 'whole' ? { switches: field } : asWord()
  if (field === 'has') {
    const part = hasValues.find((known) => known === value.toLowerCase().replace(/s$/, ''))
    return part === undefined ? asWord() : { field, node: { type: 'field', field, value: part } }
  }
  if (field === 'color') {
    const color = labelColors.find((known) => known === value.toLowerCase())
    return color === undefined ? asWord() : { field, node: { type: 'field', field, value: color } }
  }
  if (field === 'branch') {
    const branch = entryBranches.find((known) => known === value.toLowerCase())
    return branch === undefined
      ? asWord()
      : { field, node: { type: 'field', field, value: branch } }
  }
  if (field === 'role') {
    // Other systems have assistant; chibi's word is agent.
    const role = Role.safeParse(value.toLowerCase().replace(/^assistant$/, 'agent'))
    if (role.success) return { field, node: { type: 'field', field, value: role.data } }
    return {
      hint: `role: takes ${taken.role}, not ${shown}; type:tool_call and type:tool_result find tools. It is searched as a word.`,
    }
  }
  const node = { type: 'field', field, value } as const
  if (field === 'source' && !SourceId.safeParse(value.toLowerCase()).success)
    return { field, node, hint: `source: takes ${taken.source}, not ${shown}.` }
  return { field, node }
}

function shortened(value: string): string {
  const characters = Array.from(value.slice(0, 100))
  return characters.length <= 40 ? value : `${characters.slice(0, 39).join('')}…`
}
