import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { type FocusTarget, focusOn } from '../behaviour/focus'
import { useKeptFocus } from '../behaviour/use-kept-focus'
import { IconButton } from '../controls/Button'
import { BarStart, type BarStartProps } from './BarStart'

/** Frame of a view over the middle pane: a bar with its title and a button that closes it, and what it shows. */
export function ViewFrame(props: {
  /** Its name for F6 and the styles. */
  readonly pane: FocusTarget
  /** Its name for screen readers. */
  readonly label: string
  readonly title: string
  /** Content of the bar, between the title and the button that closes; it fills the width. */
  readonly bar: ReactNode
  readonly start: BarStartProps
  readonly closeLabel: string
  readonly onClose: () => void
  readonly ref?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}) {
  const { pane, label, title, bar, start } = props
  const own = useRef<HTMLElement>(null)
  const view = props.ref ?? own
  // What is scrolled stays where it is.
  useKeptFocus(view, () => void focusOn(pane, { preventScroll: true }))
  return (
    <main ref={view} className={`page view ${pane}`} aria-label={label} data-pane={pane}>
      <div className="bar">
        <BarStart {...start} />
        <h1 className="view-title">{title}</h1>
        {bar}
        <IconButton label={props.closeLabel} keys={['Esc']} icon={X} onClick={props.onClose} />
      </div>
      {props.children}
    </main>
  )
}
