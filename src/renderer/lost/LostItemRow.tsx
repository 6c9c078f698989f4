import { memo, type ReactNode, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { LostItem } from '../../shared/model/lost'
import { useActions, useLost, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatCount } from '../ui/format/format'
import { CopyButton } from '../ui/text/CodeBlock'
import { PathText } from '../ui/text/PathText'
import { ForgetButton } from './ForgetButton'
import { LineList } from './LineList'
import { lostItemProblems } from './lost-labels'
import { UnplacedLines } from './UnplacedLines'

/** Row of a lost item: what and where it is, its problem, and actions. */
export const LostItemRow = memo(function LostItemRow(props: { readonly item: LostItem }) {
  const { item } = props
  const { kind, key, source, place, damaged = [] } = item
  const title = visibleText(item.title)
  const { lost } = useStores()
  const isAsked = useLost(({ lines }) => key !== undefined && lines[key] !== undefined)
  // For lines that came with the item: they are not loaded.
  const [isOpen, setOpen] = useState(false)
  const isUnfolded = key === undefined ? isOpen : isAsked

  function fold(): void {
    if (key === undefined) setOpen(!isOpen)
    else if (isAsked) lost.getState().hideLines(key)
    else void lost.getState().showLines(key)
  }
  return (
    <li className="lost-item" tabIndex={-1}>
      <div className="lost-item-head">
        <span className="lost-mark">
          <SourceMark source={source} />
        </span>
        <div className="grow">
          <h3 className="lost-name" dir="auto">
            {title}
          </h3>
          {place !== '' && place !== item.title && (
            <div className="lost-place t3 small">
              <PathText path={visibleText(place)} />
            </div>
          )}
          <div className="lost-wrong t2">
            {lostItemProblems(item).map((sentence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sentences may repeat, and never move
              <p key={index}>{visibleText(sentence)}</p>
            ))}
          </div>
        </div>
        <ItemActs item={item} title={title} isUnfolded={isUnfolded} onFold={fold} />
      </div>
      {isUnfolded && kind === 'damaged' && key !== undefined && <LineList of={key} title={title} />}
      {isUnfolded && key === undefined && damaged.length > 0 && (
        <UnplacedLines lines={damaged} total={item.lines} title={title} />
      )}
    </li>
  )
})

function ItemActs(props: {
  readonly item: LostItem
  readonly title: string
  readonly isUnfolded: boolean
  readonly onFold: () => void
}) {
  const { item, title, isUnfolded, onFold } = props
  const { kind, key, lines, place, damaged = [] } = item
  const { app, lost } = useStores()
  const { openConversation } = useActions()
  const isLooking = useLost((state) => state.isLooking)
  /** The title in the button's name: for a screen reader the action alone says too little. */
  const of = <span className="unseen"> {title}</span>
  const acts = (children: ReactNode) => <div className="lost-acts">{children}</div>
  const open = (of: LibraryKey, name: ReactNode) => (
    <Button isSmall kind="ghost" onClick={() => openConversation(of)}>
      Open{name}
    </Button>
  )
  const foldLines = (
    <Button isSmall isExpanded={isUnfolded} onClick={onFold}>
      {isUnfolded ? 'Hide' : 'Show'} {lines === 1 ? 'line' : `${formatCount(lines)} lines`}
      <span className="unseen"> of {title}</span>
    </Button>
  )

  if (key === undefined)
    return acts(
      <>
        {place !== '' && (
          <CopyButton label={`Copy the path of ${title}`} text={place} size="medium" />
        )}
        {damaged.length > 0 && foldLines}
      </>,
    )
  switch (kind) {
    case 'damaged':
      return acts(
        <>
          {open(key, of)}
          {lines > 0 && foldLines}
        </>,
      )
    case 'unreadable':
      return acts(
        <>
          <Button isSmall kind="ghost" onClick={() => void app.getState().reveal(key, '')}>
            Show in folder{of}
          </Button>
          <Button isSmall isBusy={isLooking} onClick={() => void lost.getState().look()}>
            Try again{of}
          </Button>
        </>,
      )
    case 'gone':
      return <ForgetButton of={key} title={title} />
    case 'unplaced':
    case 'noticed':
      return acts(open(key, of))
  }
}
