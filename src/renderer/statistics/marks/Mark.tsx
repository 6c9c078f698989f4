import type { KeyboardEvent, ReactNode } from 'react'

/** Mark of a picture: a button around a shape, named with its numbers. */
export function Mark(props: {
  readonly label: string
  readonly onShow: () => void
  readonly place: { readonly 'data-mark': string; readonly tabIndex: number }
  readonly children: ReactNode
}) {
  const { label, onShow, place } = props
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onShow()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture has no buttons of HTML
    <g
      className="mark"
      role="button"
      aria-label={label}
      {...place}
      onClick={onShow}
      onKeyDown={onKeyDown}
    >
      {props.children}
    </g>
  )
}
