import type { KeyboardEventHandler, ReactNode, Ref } from 'react'
import { type FocusTarget, focusTarget } from '../behaviour/focus'

/** Scrolled part of a view. It takes the focus: keys scroll it, and Tab continues from its start. */
export function ScrolledPart(props: {
  readonly label: string
  readonly focus: FocusTarget
  readonly role?: 'group' | 'feed'
  readonly className?: string
  readonly ref?: Ref<HTMLDivElement>
  readonly onKeyDown?: KeyboardEventHandler
  readonly children: ReactNode
}) {
  return (
    <div className="scrolled-frame">
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: both are roles of what scrolls by keys */}
      <div
        ref={props.ref}
        className={`scroll scrolled ${props.className ?? ''}`}
        role={props.role ?? 'group'}
        aria-label={props.label}
        tabIndex={0}
        onKeyDown={props.onKeyDown}
        {...focusTarget(props.focus)}
      >
        {props.children}
      </div>
    </div>
  )
}
