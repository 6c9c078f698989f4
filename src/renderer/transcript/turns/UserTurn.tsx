import { memo, type ReactNode, useMemo } from 'react'
import { keptImages } from '../../../shared/model/conversation/images'
import { useBranching, useTranscript } from '../../state/context'
import { spotKey } from '../../state/transcript-state'
import { Markdown } from '../../ui/text/Markdown'
import { hasAttachedFiles } from '../entries/attachments'
import { messageBodyOf } from '../entries/message-body'
import type { Person } from '../entries/people'
import { branchPointOf } from '../items/branch-points'
import { type ItemOf, sourceLinesOf } from '../items/items'
import { AttachmentList } from '../parts/AttachmentList'
import { DeliveredMessages } from '../parts/DeliveredMessages'
import { MessageEditor } from '../parts/MessageEditor'
import { MessageImages } from '../parts/MessageImages'
import { PersonName } from '../parts/PersonName'
import { ReactionChips } from '../parts/ReactionChips'
import { EntryFlags, HeadlessEntryFlags, shownTimeMs, turnLabel } from '../parts/turn-labels'
import { useTurnActions } from '../parts/use-turn-actions'
import { SpeechLine } from '../speech/SpeechLine'
import { SpeechSign } from '../speech/SpeechSign'
import { isSilence, speechOf } from '../speech/speech'
import { MessageFiles } from './MessageFiles'
import { SilentTurn } from './SilentTurn'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Turn of a person, or of a model that continues by itself. */
export const UserTurn = memo(function UserTurn(props: {
  readonly item: ItemOf<'user'>
  readonly name: string
  /** The sender, in a room. */
  readonly person: Person | undefined
  /** The tool by which the model began the turn. */
  readonly by?: string | undefined
  /** Actions below it, where the conversation ends with it. */
  readonly end?: ReactNode
}) {
  const { item, name, person, by } = props
  const { entry, text, reactions } = item
  const key = useTranscript((state) => state.key)
  const edit = useBranching(({ edits }) => edits[spotKey(key ?? '', item.key)])
  const point = branchPointOf(item)
  const { askBranch, sendEdit } = useTurnActions()
  const leavesMore = useTranscript(({ key: open, run }) => {
    const last = run.rows.at(-1)
    const isLast = run.atEnd && last?.type === 'entry' && last.entry.id === entry.id
    return open !== undefined && !isLast
  })
  const { delivered, parts } = useMemo(() => messageBodyOf(text, entry), [text, entry])
  const words = parts.flatMap((part) => (part.type === 'words' ? [part.text] : [])).join('\n\n')
  const speech = speechOf(entry)
  if (isSilence(entry) && edit?.isOpen !== true) return <SilentTurn item={item} />
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel(name, entry.timestamp)}
      knot={by !== undefined ? 'model' : person === undefined ? 'user' : 'none'}
      places={sourceLinesOf(item)}
      copyText={() => text}
      point={point}
      className={person === undefined ? '' : `person-turn ${item.isHead ? '' : 'goes-on'}`}
      {...(item.isHead
        ? {
            head: (
              <>
                {person === undefined ? (
                  <b className="cut">{name}</b>
                ) : (
                  <PersonName person={person} />
                )}
                {by !== undefined && <span className="chip line mono">{by}</span>}
                {speech !== undefined && <SpeechSign speech={speech} />}
                <TurnTime atMs={shownTimeMs(entry)} place={entry} />
                <EntryFlags entry={entry} />
              </>
            ),
          }
        : {})}
    >
      {!item.isHead && <HeadlessEntryFlags entry={entry} />}
      {speech !== undefined && <SpeechLine itemKey={item.key} entry={entry} speech={speech} />}
      {delivered !== undefined && <DeliveredMessages itemKey={item.key} delivered={delivered} />}
      {edit?.isOpen && key !== undefined && point !== undefined ? (
        <MessageEditor
          contextKey={key}
          itemKey={item.key}
          text={edit.text}
          hasImages={keptImages(entry.metadata).length > 0}
          onSend={(changed) => sendEdit(item.key, point, changed)}
          onSendWithSummary={
            leavesMore ? (text) => askBranch(item.key, point, { type: 'edit', text }) : undefined
          }
        />
      ) : (
        words !== '' && (
          <div className={person === undefined ? 'bubble' : ''}>
            <Markdown text={words} variant="light" />
          </div>
        )
      )}
      {edit?.isOpen !== true && <MessageFiles itemKey={item.key} parts={parts} />}
      <MessageImages entry={entry} />
      <AttachmentList entry={entry} />
      {text === '' && !hasAttachedFiles(entry) && <p className="t3 small">No text</p>}
      {reactions !== undefined && <ReactionChips entries={reactions} />}
      {props.end}
    </TurnFrame>
  )
})
