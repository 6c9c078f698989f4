import { Tooltip as Part } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

/** Tooltip of the element under the pointer or the focus; after half a second, at once on the next one. */
export function Tooltip(props: {
  readonly text: ReactNode
  readonly keys?: readonly string[]
  readonly children: ReactElement
}) {
  return (
    <Part.Root>
      <Part.Trigger asChild>{props.children}</Part.Trigger>
      <Part.Portal>
        <Part.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {props.text}
          {props.keys?.map((key) => (
            <kbd key={key} className="key">
              {key}
            </kbd>
          ))}
        </Part.Content>
      </Part.Portal>
    </Part.Root>
  )
}

/** Provider of a delay that all tooltips below it share. */
export function TooltipDelay(props: { readonly children: ReactNode }) {
  return (
    <Part.Provider delayDuration={500} skipDelayDuration={300} disableHoverableContent>
      {props.children}
    </Part.Provider>
  )
}
