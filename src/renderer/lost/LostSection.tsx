import { FileQuestion, FileX, Info, type LucideIcon, TriangleAlert, Unlink } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { LostKind } from '../../shared/model/lost'
import { focusWhenDrawn } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { formatCount } from '../ui/format/format'
import { LostItemRow } from './LostItemRow'
import { type LostGroup, lostItemKey } from './lost-labels'

/** Items drawn at once: a disk that is not mounted makes thousands of items. */
const step = 100

const icons: Readonly<Record<LostKind, LucideIcon>> = {
  unreadable: FileX,
  damaged: TriangleAlert,
  unplaced: FileQuestion,
  gone: Unlink,
  noticed: Info,
}

/** Section of the lost items of one kind, 100 at first. */
export function LostSection(props: { readonly group: LostGroup }) {
  const { kind, title, amount, lead, items } = props.group
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [limit, setLimit] = useState(step)
  const rest = items.length - limit

  function showMore(): void {
    setLimit(limit + step)
    // The button may go, so the focus goes to the first new item.
    focusWhenDrawn(() => {
      const first = list.current?.children[limit]
      return first instanceof HTMLElement ? first : undefined
    })
  }
  return (
    <section className={`lost-section ${kind}`} aria-labelledby={id}>
      <h2 className="lost-head">
        <Icon of={icons[kind]} />
        <span id={id}>{title}</span> <span className="t3 small number">{amount}</span>
      </h2>
      <p className="lost-lead t3 small">{lead}</p>
      <ul ref={list} className="lost-items" aria-labelledby={id}>
        {items.slice(0, limit).map((item) => (
          <LostItemRow key={lostItemKey(item)} item={item} />
        ))}
      </ul>
      {rest > 0 && (
        <div className="lost-more">
          <Button isSmall onClick={showMore}>
            Show {formatCount(Math.min(step, rest))} more
          </Button>
          <span className="t3 small number">
            {formatCount(limit)} of {formatCount(items.length)} shown
          </span>
        </div>
      )}
    </section>
  )
}
