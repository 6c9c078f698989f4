import type { CSSProperties } from 'react'
import { Tooltip } from '../../ui/controls/Tooltip'
import type { Person } from '../entries/people'

/** Name of a person in a room, with a square for their initial on the strand. */
export function PersonName(props: { readonly person: Person }) {
  const { name, full, initial, lane } = props.person
  return (
    <>
      <span
        className="person"
        style={{ '--person': `var(--lane-${lane})` } as CSSProperties}
        aria-hidden="true"
      >
        {initial}
      </span>
      <Tooltip text={full}>
        <b className="cut">
          <bdi>{name}</bdi>
        </b>
      </Tooltip>
    </>
  )
}
