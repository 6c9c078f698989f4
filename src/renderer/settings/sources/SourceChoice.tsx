import { useEffect, useRef } from 'react'
import { plural } from '../../../shared/model/basics/plural'
import { visibleText } from '../../../shared/model/basics/visible'
import type { SourceId } from '../../../shared/model/conversation/sources'
import { Button } from '../../ui/controls/Button'
import { SourceMark } from '../../ui/controls/SourceMark'
import { PathText } from '../../ui/text/PathText'

interface System {
  readonly source: SourceId
  readonly label: string
}

/** Choice of a picked root's source: among the systems that find conversations there, else among all. */
export function SourceChoice(props: {
  readonly shown: string
  readonly found: readonly SourceId[]
  readonly systems: readonly System[]
  readonly isBusy: boolean
  readonly onChoose: (source: SourceId) => void
  readonly onCancel: () => void
}) {
  const { found, systems, isBusy, onChoose, onCancel } = props
  const group = useRef<HTMLFieldSetElement>(null)
  const shown = visibleText(props.shown)
  const offered =
    found.length === 0 ? systems : systems.filter(({ source }) => found.includes(source))

  // A button opened it, so the focus goes here.
  useEffect(() => {
    group.current?.querySelector('button')?.focus()
  }, [])

  return (
    <fieldset
      ref={group}
      className="source-choice"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <legend className="label">Whose conversations are these?</legend>
      <p className="source-choice-path">
        <PathText path={shown} />
      </p>
      <p className="small t2">{foundWords(found.length)}</p>
      <div className="source-choice-systems">
        {offered.map(({ source, label }) => (
          <Button key={source} isSmall isBusy={isBusy} onClick={() => onChoose(source)}>
            <span className="settings-mark" aria-hidden="true">
              <SourceMark source={source} />
            </span>
            {label}
          </Button>
        ))}
        <Button kind="ghost" isSmall onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}

function foundWords(count: number): string {
  return count === 0
    ? 'No conversations there yet. The system you choose is read once there are some.'
    : `${plural(count, 'One system recognizes', 'Several systems recognize')} conversations there.`
}
