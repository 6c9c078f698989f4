import { Tooltip as Part } from 'radix-ui'
import { type FocusEvent, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { type ShownKeys, useCaps } from './command-keys'

/** The key that was pressed last, wherever. */
let lastKey = ''

/** Keeps a tooltip closed where the focus came back from a dialog or menu: it would cover what is below. */
function onFocus(event: FocusEvent): void {
  if (['Escape', 'Enter', ' '].includes(lastKey)) event.preventDefault()
}

/** Tooltip of the element under the pointer or the focus; after half a second, at once on the next one. */
export function Tooltip(props: {
  readonly text: ReactNode
  readonly keys?: ShownKeys
  readonly children: ReactElement
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Part.Root open={isOpen} onOpenChange={setOpen}>
      <Part.Trigger asChild onFocus={onFocus}>
        {props.children}
      </Part.Trigger>
      {/* A transcript has hundreds of them, and scrolling makes all anew: what is closed costs nothing. */}
      {isOpen && (
        <Part.Portal>
          <Part.Content className="tooltip" sideOffset={6} collisionPadding={8}>
            {props.text}
            {props.keys !== undefined && <Caps keys={props.keys} />}
          </Part.Content>
        </Part.Portal>
      )}
    </Part.Root>
  )
}

function Caps(props: { readonly keys: ShownKeys }) {
  return useCaps(props.keys).map((key) => (
    <kbd key={key} className="key">
      {key}
    </kbd>
  ))
}

/** Provider of a delay that all tooltips below it share. */
export function TooltipDelay(props: { readonly children: ReactNode }) {
  useEffect(() => {
    const note = ({ key }: KeyboardEvent) => {
      lastKey = key
    }
    document.addEventListener('keydown', note, true)
    return () => document.removeEventListener('keydown', note, true)
  }, [])
  return (
    <Part.Provider delayDuration={500} skipDelayDuration={300} disableHoverableContent>
      {props.children}
    </Part.Provider>
  )
}
