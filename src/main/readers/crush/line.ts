import type { JsonObject } from '../../../shared/model/basics/json-object'
import { type Fields, textIn } from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import { type RowMeaning, rowLine } from '../tables/row-line'
import { crushHead } from './head'
import { entriesOfParts } from './parts'
import { crushTables } from './tables'

/** Converts a line of a session's record file (`tables/`) to its meaning. */
export function crushLine(value: unknown): DocumentLine | string {
  const line = recordOf(value)
  return typeof line === 'string' ? line : rowLine(crushRows, line, 'created_at')
}

const crushRows: RowMeaning = {
  source: 'crush',
  tables: crushTables,
  headOf: crushHead,
  entriesOf({ row, data }) {
    if (!Array.isArray(data)) return 'a message whose parts are no list'
    const { role, model, is_summary_message: summary } = row
    return entriesOfParts(data, { role, model: textIn(model), isSummary: summary === 1 })
  },
  usageOf,
}

/** The tokens are those of the last request. The cost is that of all, and of all subagents, whose own is not counted again. */
function usageOf(sums: JsonObject): Fields | undefined {
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined)
  const input = count(sums.prompt_tokens)
  const output = count(sums.completion_tokens)
  const cost = textIn(sums.parent_session_id) === undefined ? count(sums.cost) : undefined
  const told = {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cost === undefined ? {} : { cost }),
  }
  return Object.keys(told).length === 0 ? undefined : told
}
