import type { ReactNode } from 'react'

/** Line below the bar of a view while something is being read: how much of it is done, as a bar and in words. */
export function ProgressLine(props: {
  /** Name of the bar for screen readers. */
  readonly label: string
  readonly done: number
  /** 0 while unknown: there is no bar then. */
  readonly total: number
  readonly children: ReactNode
}) {
  const { label, done, total } = props
  return (
    <div className="progress-line">
      {total > 0 && <progress aria-label={label} max={total} value={done} />}
      <span className="number">{props.children}</span>
    </div>
  )
}
