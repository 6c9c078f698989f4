import { type ReactNode, useMemo } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { Sent } from '../../../shared/model/run/sent'
import { ChangedText } from '../../ui/changes/ChangedText'
import { formatQuantity } from '../../ui/format/format'
import { ChangeMark } from './ChangeMark'
import type { Comparison, NamedChange } from './compare'
import { describeComparison } from './describe-comparison'
import { MessageChanges } from './MessageChanges'
import { useComparison } from './use-comparison'

/** Changes from an earlier request to a later one, in groups, with a summary. */
export function ComparisonView(props: { readonly before: Sent; readonly after: Sent }) {
  const comparison = useComparison(props.before, props.after)
  const summary = useMemo(
    () => (comparison === undefined ? 'Comparing…' : describeComparison(comparison)),
    [comparison],
  )
  return (
    <>
      <p className="sent-summary" role="status">
        {summary}
      </p>
      {comparison !== undefined && <Changes comparison={comparison} />}
    </>
  )
}

function Changes(props: { readonly comparison: Comparison }) {
  const { model, system, messages, tools, sameTools, parameters, sameParameters } = props.comparison
  return (
    <>
      {model !== undefined && (
        <Group title="Model">
          <div className="sent-change">
            <ChangedText change={model} />
          </div>
        </Group>
      )}
      <Group title="System prompt" isQuiet={system.every(({ type }) => type === 'same')}>
        <MessageChanges changes={system} what="system message" />
      </Group>
      <Group title="Tools" isQuiet={tools.length === 0}>
        <NamedChanges changes={tools} same={sameTools} what="tool" />
      </Group>
      <Group title="Parameters" isQuiet={parameters.length === 0}>
        <NamedChanges changes={parameters} same={sameParameters} what="parameter" />
      </Group>
      <Group title="Messages">
        <MessageChanges changes={messages} what="message" />
      </Group>
    </>
  )
}

function Group(props: {
  readonly title: string
  /** True where nothing in it differs: its text is beside the head. */
  readonly isQuiet?: boolean
  readonly children: ReactNode
}) {
  return (
    <section className={`sent-part ${props.isQuiet ? 'quiet' : ''}`} aria-label={props.title}>
      <h3 className="sent-group-head">{props.title}</h3>
      {props.children}
    </section>
  )
}

function NamedChanges(props: {
  readonly changes: readonly NamedChange[]
  readonly same: number
  readonly what: string
}) {
  const { changes, same, what } = props
  return (
    <>
      {changes.map(({ type, name, change }) => (
        <div key={name} className={`sent-change ${type}`}>
          <div className="sent-message-head">
            <ChangeMark type={type} />
            <b className="mono">{visibleText(name)}</b>
          </div>
          <ChangedText change={change} isCode />
        </div>
      ))}
      {same > 0 && <p className="sent-none t3">{formatQuantity(same, `equal ${what}`)}</p>}
      {same === 0 && changes.length === 0 && <p className="sent-none t3">None in either.</p>}
    </>
  )
}
