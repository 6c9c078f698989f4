import { useId, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { RedactionGroup, type RedactionReport, redactionGroups } from '../../shared/model/redaction'
import { useExporting, useSettings } from '../state/context'
import { formatCount, formatQuantity } from '../ui/format/format'
import { TickRow } from './TickRow'

/** Choice of what is redacted, with what was found of it, and what of that stays. */
export function RedactionChoices() {
  const choices = useExporting((state) => state.choices)
  const change = useExporting((state) => state.change)
  const preview = useExporting((state) => state.preview)
  const report = preview.type === 'failed' ? undefined : (preview.preview?.redacted ?? undefined)
  const { redacts, groups } = choices
  const toggle = (group: RedactionGroup, isOn: boolean) =>
    change({
      groups: RedactionGroup.options.filter((one) => (one === group ? isOn : groups.includes(one))),
    })
  return (
    <fieldset className="export-redaction">
      <legend className="small t3">Redact before anything is written</legend>
      <TickRow
        label="Replace secrets"
        isOn={redacts}
        onChange={(isOn) => change({ redacts: isOn })}
      />
      {redacts && (
        <>
          {RedactionGroup.options.map((group) => (
            <TickRow
              key={group}
              label={redactionGroups[group].name}
              words={redactionGroups[group].words}
              count={groups.includes(group) ? foundIn(report, group) : undefined}
              isOn={groups.includes(group)}
              onChange={(isOn) => toggle(group, isOn)}
            />
          ))}
          {groups.includes('own') && <OwnPatterns />}
          {report !== undefined && <Findings report={report} />}
        </>
      )}
    </fieldset>
  )
}

function foundIn(report: RedactionReport | undefined, group: RedactionGroup): string | undefined {
  if (report === undefined) return undefined
  const places = report.kinds
    .filter((one) => one.group === group)
    .reduce((sum, one) => sum + one.places, 0)
  return `${formatCount(places)} found`
}

/** One pattern a line. Taken when the field is left, or by Ctrl+Enter: each change reads the conversation anew. */
function OwnPatterns() {
  const patterns = useExporting((state) => state.choices.patterns)
  const kept = useSettings(({ view }) => view?.preferences.redactPatterns) ?? []
  const change = useExporting((state) => state.change)
  const [text, setText] = useState(patterns.join('\n'))
  const id = useId()
  const take = () => {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    if (lines.join('\n') !== patterns.join('\n')) change({ patterns: lines })
  }
  return (
    <div className="export-patterns">
      {kept.length > 0 && (
        <details>
          <summary className="small">
            {formatQuantity(kept.length, 'pattern')} of Settings, Exports
          </summary>
          <ul className="export-kept-patterns">
            {kept.map((pattern) => (
              <li key={pattern} className="mono small">
                {visibleText(pattern)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <label htmlFor={id} className="small t2">
        {kept.length > 0 ? 'Further patterns' : 'Own patterns'}, one a line: a text, or /a regular
        expression/
      </label>
      <textarea
        id={id}
        className="mono small"
        rows={2}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) take()
        }}
      />
    </div>
  )
}

function Findings({ report }: { readonly report: RedactionReport }) {
  const kept = useExporting((state) => state.kept)
  const keep = useExporting((state) => state.keep)
  const { places, findings, found } = report
  const kinds = [...new Set(findings.map(({ kind }) => kind))]
  return (
    <div className="export-findings">
      <p className="small t2 number" role="status">
        {places === 0
          ? 'Nothing is replaced.'
          : `${formatQuantity(places, 'place')} ${places === 1 ? 'is' : 'are'} replaced.`}
        {found > findings.length && ` The first ${formatCount(findings.length)} findings:`}
      </p>
      {kinds.map((kind) => (
        <details key={kind}>
          <summary className="small">
            {kind} <span className="t3 number">{countOf(report, kind)}</span>
          </summary>
          {findings
            .filter((one) => one.kind === kind)
            .map(({ id, number, shown, places: at }) => (
              <TickRow
                key={id}
                label={`#${number} ${visibleText(shown)}`}
                count={at > 1 ? `${formatCount(at)} times` : undefined}
                isOn={!kept.includes(id)}
                onChange={(isOn) => keep(id, !isOn)}
              />
            ))}
        </details>
      ))}
    </div>
  )
}

function countOf({ findings }: RedactionReport, kind: string): string {
  const places = findings
    .filter((one) => one.kind === kind)
    .reduce((sum, one) => sum + one.places, 0)
  return formatCount(places)
}
