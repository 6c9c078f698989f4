import { visibleText } from '../../shared/model/basics/visible'
import { useExporting } from '../state/context'
import { formatCount } from '../ui/format/format'

/** List of the losses in the chosen format, before the export. Read aloud when it changes. */
export function LossList() {
  const losses = useExporting((state) => state.losses)
  return (
    <div className="export-losses small" aria-live="polite" aria-busy={losses.type === 'counting'}>
      {losses.type === 'counting' && (
        <span className="t3">Checking what this format leaves out…</span>
      )}
      {losses.type === 'failed' && (
        <span className="warn-t">Losses not counted yet. {losses.failure.message}</span>
      )}
      {losses.type === 'counted' && <Counted {...losses.report} />}
    </div>
  )
}

function Counted(props: {
  readonly entries: number
  readonly written: number
  readonly losses: readonly { readonly kind: string; readonly sentence: string }[]
}) {
  const { entries, written, losses } = props
  if (losses.length === 0) return <span className="t2">Nothing is left out.</span>
  return (
    <>
      <span className="number">
        {formatCount(written)} of {formatCount(entries)} entries are written.
      </span>
      <ul className="t2">
        {losses.map(({ kind, sentence }) => (
          <li key={kind}>{visibleText(sentence)}</li>
        ))}
      </ul>
    </>
  )
}
