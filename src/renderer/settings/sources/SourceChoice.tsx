import { useEffect, useRef } from 'react'
import type { SourceId } from '../../../shared/model/conversation/conversation'
import { Button } from '../../ui/controls/Button'
import { SourceMark } from '../../ui/controls/Icon'
import { visibleText } from '../../ui/format/visible-text'
import { PathText } from '../../ui/text/PathText'

interface System {
  readonly source: SourceId
  readonly label: string
}

/** Whose a folder or a file is, where the files do not tell: the systems that find something there, else all. */
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

  // It was asked for by a button, and the answer is wanted here.
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
    : `${count === 1 ? 'One system recognizes' : 'Several systems recognize'} conversations there.`
}
