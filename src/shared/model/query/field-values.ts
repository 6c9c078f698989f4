import { Role } from '../conversation/entry'
import { SourceId } from '../conversation/sources'
import { endOfPeriod, startOfPeriod } from './dates'
import type { QueryNode } from './query'
import { hasValues, type QueryFieldName, queryFields } from './query-fields'

/** Outcome of `field:value`: the condition, or none where it is a word, with a hint for people. */
interface FieldValue {
  readonly node?: Extract<QueryNode, { type: 'field' | 'time' | 'all' }>
  /** The field, where the node is one. */
  readonly field?: QueryFieldName
  /** The field says something about the whole query, and not of entries. */
  readonly switches?: 'case' | 'words'
  readonly hint?: string
}

/** Makes the condition of a field; none where there is no such field, no value, or one that it does not take. */
export function conditionOfField(name: string, value: string): FieldValue {
  const field = queryFields.find((known) => known === name)
  if (field === undefined || value === '') return {}
  const shown = `“${shortened(value)}”`
  const asWord = (takes: string) => ({
    hint: `${field}: takes ${takes}, not ${shown}. It is searched as a word.`,
  })
  if (field === 'before' || field === 'after') {
    const seconds = startOfPeriod(value)
    return seconds === undefined
      ? asWord(
          'a year, a month, a day or a time, such as 2026, 2026-03, 2026-03-09 or 2026-03-09T12:30',
        )
      : { field, node: { type: 'time', field, seconds } }
  }
  if (field === 'during') {
    const [from, until] = [startOfPeriod(value), endOfPeriod(value)]
    if (from === undefined || until === undefined)
      return asWord('a year, a month or a day, such as 2026, 2026-03 or 2026-03-09')
    const after = { type: 'time', field: 'after', seconds: from } as const
    const before = { type: 'time', field: 'before', seconds: until } as const
    return { field, node: { type: 'all', of: [after, before] } }
  }
  if (field === 'case') return value.toLowerCase() === 'yes' ? { switches: field } : asWord('yes')
  if (field === 'words')
    return value.toLowerCase() === 'whole' ? { switches: field } : asWord('whole')
  if (field === 'has') {
    const part = hasValues.find((known) => known === value.toLowerCase().replace(/s$/, ''))
    return part === undefined
      ? asWord(hasValues.join(', '))
      : { field, node: { type: 'field', field, value: part } }
  }
  if (field === 'role') {
    // Other systems have assistant; chibi's word is agent.
    const role = Role.safeParse(value.toLowerCase().replace(/^assistant$/, 'agent'))
    if (role.success) return { field, node: { type: 'field', field, value: role.data } }
    return {
      hint: `role: takes ${Role.options.join(', ')}, not ${shown}; type:tool_call and type:tool_result find tools. It is searched as a word.`,
    }
  }
  const node = { type: 'field', field, value } as const
  if (field === 'source' && !SourceId.safeParse(value.toLowerCase()).success)
    return { field, node, hint: `source: takes ${SourceId.options.join(', ')}, not ${shown}.` }
  return { field, node }
}

function shortened(value: string): string {
  const characters = Array.from(value.slice(0, 100))
  return characters.length <= 40 ? value : `${characters.slice(0, 39).join('')}…`
}
