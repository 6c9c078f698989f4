import { X } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import type { FocusTarget } from '../behaviour/focus'
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
  readonly ref?: Ref<HTMLElement>
  readonly children: ReactNode
}) {
  const { pane, label, title, bar, start } = props
  return (
    <main ref={props.ref} className={`page view ${pane}`} aria-label={label} data-pane={pane}>
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
