import type { ReactNode } from 'react'

/** Section of the right pane under a head of its own. */
export function DetailsSection(props: {
  readonly title: string
  readonly count?: number | string
  readonly children: ReactNode
}) {
  return (
    <section className="details-section" aria-label={props.title}>
      <h3 className="details-head">
        {props.title}
        {props.count !== undefined && <span className="t3 number">{props.count}</span>}
      </h3>
      {props.children}
    </section>
  )
}
