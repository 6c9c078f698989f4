import { CircleAlert, Info, Lock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../controls/Button'
import { Icon } from '../controls/Icon'

type Tone = 'info' | 'warn' | 'error' | 'plain'

const icons: Readonly<Record<Tone, LucideIcon>> = {
  info: Info,
  warn: CircleAlert,
  error: TriangleAlert,
  plain: Info,
}

/** Note at the place that it concerns: what happened, what is kept, what to do. */
export function Note(props: {
  readonly tone: Tone
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** True for a note across a pane, without rounded corners. */
  readonly isBar?: boolean
  readonly isLock?: boolean
  /** The technical cause, shown on demand. */
  readonly detail?: string | undefined
}) {
  const { tone, title, children, actions, detail } = props
  const [isDetailShown, setDetailShown] = useState(false)
  return (
    <div
      className={`note ${tone} ${props.isBar ? 'bar-note' : ''}`}
      role={tone === 'error' ? 'alert' : 'status'}
    >
      <Icon of={props.isLock ? Lock : icons[tone]} />
      <div className="grow">
        {title !== undefined && <span className="label">{title} </span>}
        {children !== undefined && <span className="t2">{children}</span>}
        {isDetailShown && <pre className="note-detail">{detail}</pre>}
        {(actions !== undefined || detail !== undefined) && (
          <div className="note-actions">
            {actions}
            {detail !== undefined && (
              <Button
                kind="ghost"
                isSmall
                isExpanded={isDetailShown}
                onClick={() => setDetailShown(!isDetailShown)}
              >
                {isDetailShown ? 'Hide details' : 'Show details'}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
