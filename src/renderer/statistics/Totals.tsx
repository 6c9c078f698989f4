import type { StatisticsMark } from '../../shared/model/statistics/marks'
import type { Statistics } from '../../shared/model/statistics/statistics-shape'
import { formatCount, formatQuantity } from '../ui/format/format'
import { compactCount, formatCost, formatShare, secondsText } from './marks/labels'
import { useShownMark } from './marks/show-mark-context'

interface Total {
  readonly name: string
  readonly value: string
  /** With all digits, where `value` leaves some out. */
  readonly exact?: string
  readonly more: string
  readonly mark: StatisticsMark
  readonly opens: string
}

/** The sums of what is shown; each opens the conversations that it counts. */
export function Totals(props: { readonly statistics: Statistics }) {
  const show = useShownMark()
  return (
    <ul className="totals" aria-label="Totals">
      {totalsOf(props.statistics).map(({ name, value, exact, more, mark, opens }) => (
        <li key={name}>
          <button
            type="button"
            className="total"
            title={`${exact === undefined ? '' : `${exact} ${name}. `}Click to show them in the library.`}
            onClick={() => show(mark, opens)}
          >
            <span className="total-value number">{value}</span>
            <span className="small t2">{name}</span>
            <span className="total-more t3">{more}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function totalsOf(statistics: Statistics): readonly Total[] {
  const { conversations, families, entries, tokens, cost, tools, speech } = statistics
  const calls = tools.reduce((sum, one) => sum + one.calls, 0)
  const failures = tools.reduce((sum, one) => sum + one.failures, 0)
  const usage = { mark: { type: 'usage' } as const, opens: 'Conversations that tell their usage' }
  return [
    {
      name: 'conversations',
      value: formatCount(conversations),
      more: `in ${formatQuantity(families, 'family', 'families')}`,
      mark: { type: 'all' },
      opens: 'Conversations',
    },
    {
      name: 'entries',
      value: formatCount(entries.total),
      more: `${formatCount(entries.byRole.user ?? 0)} written by people`,
      mark: { type: 'entries' },
      opens: 'Conversations with own entries',
    },
    {
      name: 'tokens read',
      value: compactCount(tokens.input),
      exact: formatCount(tokens.input),
      more: `${formatShare(tokens.cached, tokens.input)} from the cache`,
      ...usage,
    },
    {
      name: 'tokens written',
      value: compactCount(tokens.output),
      exact: formatCount(tokens.output),
      more: `${formatShare(tokens.reasoning, tokens.output)} reasoning`,
      ...usage,
    },
    {
      name: 'cost',
      value: formatCost(cost),
      more: cost === null ? 'no provider told one' : 'as providers told it',
      ...usage,
    },
    {
      name: 'tool calls',
      value: formatCount(calls),
      more: `${formatShare(failures, calls)} failed`,
      mark: { type: 'tool', isFailed: false },
      opens: 'Conversations with tools',
    },
    ...(speech?.turnaround == null
      ? []
      : [
          {
            name: 'voice turnaround',
            value: secondsText(speech.turnaround.average),
            exact: `${formatCount(speech.turnaround.average)} s`,
            more: `average of ${formatQuantity(speech.turnaround.count, 'turn')}`,
            mark: { type: 'turnaround' } as const,
            opens: 'Conversations with voices',
          },
        ]),
  ]
}
