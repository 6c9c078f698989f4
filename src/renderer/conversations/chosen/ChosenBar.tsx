import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { useChosen, useLibraryState, useStores } from '../../state/context'
import { focusLibrary } from '../../ui/behaviour/focus'
import { useKeptFocus } from '../../ui/behaviour/use-kept-focus'
import { Button, IconButton } from '../../ui/controls/Button'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'
import { ChosenMenu } from './ChosenMenu'
import { ColorChosen } from './ColorChosen'
import { TagChosen } from './TagChosen'
import { TrashChosen } from './TrashChosen'
import { useChosenActs } from './use-chosen-acts'
import { useChosenRows } from './use-chosen-rows'

/** Bar of what can be done with the chosen conversations, its questions, and those that refused; nothing where none is chosen. */
export function ChosenBar() {
  const rows = useChosenRows()
  const { chosen } = useStores()
  const question = useChosen((state) => state.question)
  const hasMenu = useChosen((state) => state.menu !== undefined)
  const place = useRef<HTMLDivElement>(null)
  // The bar gives way to the progress of its act, and goes with the last conversation.
  useKeptFocus(place, focusLibrary)
  const isNone = rows.length === 0
  useEffect(() => {
    // Else they would be there again for those that are chosen next.
    if (isNone && question !== undefined) chosen.getState().leave()
    if (isNone && hasMenu) chosen.getState().closeMenu()
  }, [isNone, question, hasMenu, chosen])
  return (
    <div ref={place} className="chosen-place">
      <Refused />
      <span className="unseen" role="status">
        {rows.length === 0 ? '' : `${formatQuantity(rows.length, 'conversation')} chosen`}
      </span>
      {rows.length > 0 && <Bar />}
      <ChosenMenu />
      {rows.length > 0 && question === 'tag' && (
        <TagChosen rows={rows} onClose={() => chosen.getState().leave()} />
      )}
      {rows.length > 0 && question === 'color' && (
        <ColorChosen rows={rows} onClose={() => chosen.getState().leave()} />
      )}
      {rows.length > 0 && question === 'trash' && (
        <TrashChosen onClose={() => chosen.getState().leave()} />
      )}
    </div>
  )
}

function Bar() {
  const rows = useChosenRows()
  const acts = useChosenActs()
  const { chosen } = useStores()
  const work = useChosen((state) => state.work)
  function chooseNone(): void {
    chosen.getState().clear()
    focusLibrary()
  }
  if (work !== undefined)
    return (
      <div className="library-foot chosen">
        <span className="number">
          {formatCount(work.done)} of {formatQuantity(work.total, 'conversation')}…
        </span>
        <span className="grow" />
        <Button isSmall onClick={() => chosen.getState().stop()}>
          Stop
        </Button>
      </div>
    )
  return (
    <div
      className="library-foot chosen"
      role="toolbar"
      aria-label="Chosen conversations"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.stopPropagation()
        chooseNone()
      }}
    >
      <span className="number">{formatCount(rows.length)} chosen</span>
      <span className="grow" />
      {acts.map(({ id, label, icon, isDisabled = false, choose }) => (
        <IconButton
          key={id}
          label={label}
          icon={icon}
          size="small"
          isDisabled={isDisabled}
          onClick={choose}
        />
      ))}
      <IconButton label="Choose none" keys={['Esc']} icon={X} size="small" onClick={chooseNone} />
    </div>
  )
}

/** Names the conversations that the last change was refused for. */
function Refused() {
  const { chosen } = useStores()
  const refused = useChosen((state) => state.refused)
  const conversations = useLibraryState((state) => state.conversations)
  if (refused.length === 0) return null
  const titles = new Map(conversations.map(({ key, title }) => [key, title]))
  return (
    <Note
      tone="warn"
      title={`Not done for ${formatQuantity(refused.length, 'conversation')}.`}
      detail={refused
        .map(({ key, message }) => visibleText(`${titles.get(key) ?? key}: ${message}`))
        .join('\n')}
      actions={
        <Button isSmall kind="ghost" onClick={() => chosen.getState().dismissRefused()}>
          Dismiss
        </Button>
      }
    />
  )
}
