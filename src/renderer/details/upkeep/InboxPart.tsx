import { Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { ContextSideFiles, InboxItem } from '../../../shared/model/conversation/conversation'
import { useStores, useUpkeep } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button, IconButton } from '../../ui/controls/Button'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { TextEditor } from '../../ui/text/TextEditor'
import { WaitingMessages } from '../facts/SideFileFacts'

/** Inbox of a context, with editing, removing and putting back of messages. */
export function InboxPart({ beside }: { readonly beside: ContextSideFiles }) {
  const { upkeep } = useStores()
  const edit = useUpkeep((state) => (state.edit?.type === 'inbox' ? state.edit : undefined))
  const isEditing = useUpkeep((state) => state.edit !== undefined)
  const removed = useUpkeep((state) => state.removed)
  const refusal = useUpkeep((state) =>
    state.refusal?.of === 'inbox' ? state.refusal.error : undefined,
  )
  const list = useRef<HTMLDivElement>(null)

  function focusList(): void {
    focusWhenDrawn(() => list.current?.querySelector('button'))
  }
  async function done(act: Promise<boolean>): Promise<boolean> {
    const isDone = await act
    if (isDone) focusList()
    return isDone
  }
  const isEdited = (message: InboxItem) =>
    edit !== undefined &&
    edit.message.id === message.id &&
    edit.message.text === message.text &&
    edit.message.at === message.at
  const isWaiting = beside.inbox.some(isEdited)
  const editor = edit !== undefined && (
    <TextEditor
      label={`Message from ${fromWords(edit.message)}`}
      edit={{ text: edit.text, before: edit.message.text }}
      now={edit.message.text}
      refusal={refusal}
      takesFocus={isWaiting}
      rows={4}
      onChange={(next) => upkeep.getState().change(next.text)}
      onSave={() => done(upkeep.getState().saveMessage())}
      onLeave={() => {
        upkeep.getState().leave()
        focusList()
      }}
    />
  )

  return (
    <div ref={list} className="details-part">
      <WaitingMessages
        beside={beside}
        bodyOf={(message) => isEdited(message) && editor}
        actsOf={(message) => (
          <>
            <IconButton
              label={`Edit the message from ${fromWords(message)}`}
              icon={Pencil}
              size="medium"
              isDisabled={isEditing}
              onClick={() => upkeep.getState().editMessage(message)}
            />
            <IconButton
              label={`Remove the message from ${fromWords(message)}`}
              icon={Trash2}
              size="medium"
              isDisabled={isEditing}
              onClick={() => void done(upkeep.getState().remove(message))}
            />
          </>
        )}
      />
      {edit !== undefined && !isWaiting && (
        <div className="details-note under-head">
          <Note
            tone="warn"
            title={`The message from ${fromWords(edit.message)} is no longer waiting.`}
          >
            Your text is kept here.
          </Note>
          {editor}
        </div>
      )}
      {edit === undefined && refusal !== undefined && (
        <div className="details-note">
          <RefusalNote title="Nothing was changed." refusal={refusal} />
        </div>
      )}
      {removed !== undefined && (
        <div className="details-note row-x" role="status" aria-label="Inbox">
          <span className="small t2 grow">The message from {fromWords(removed)} is removed.</span>
          <Button isSmall onClick={() => void done(upkeep.getState().putBack())}>
            Undo
          </Button>
        </div>
      )}
    </div>
  )
}

function fromWords({ from }: InboxItem): string {
  return from === '' ? 'unknown sender' : visibleText(from)
}
