import { FileText, Image, Pencil, X } from 'lucide-react'
import { useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useActions, useQueue, useStores } from '../../state/context'
import type { Queue, QueuedMessage, QueueHold } from '../../state/run-state'
import { focusOn, focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button, IconButton } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { LiveRegion } from '../../ui/notes/LiveRegion'
import { QueuedEditor } from './QueuedEditor'

const holds: Readonly<Record<QueueHold, string>> = {
  stopped: 'Not sent: the answer was stopped.',
  failed: 'Not sent: the answer failed.',
  unfinished: 'Not sent: the answer is not complete.',
  refused: 'Not sent.',
  reopened: 'Not sent: the window was closed or reloaded.',
  unsure: 'The first one may already have been sent.',
  'no-images': 'Not sent: its images were not saved.',
  editing: 'The first one is sent when you finish editing it.',
}

/** List of the queued messages, each of which can be edited and removed; nothing while the queue is empty. */
export function QueuedMessages(props: {
  readonly contextKey: LibraryKey
  readonly isRunning: boolean
}) {
  const { contextKey, isRunning } = props
  const queue = useQueue(contextKey)
  const { messages, hold } = queue
  return (
    <>
      <LiveRegion label="Queue">
        {messages.length > 0 && `${headOf(queue)} ${hold === undefined ? '' : holds[hold]}`}
      </LiveRegion>
      {messages.length > 0 && (
        <section className="queue" aria-label="Queued messages">
          <div className="queue-head small">
            <b>{headOf(queue)}</b>
            <span className="t2 grow">
              {hold === undefined ? 'Sent when the answer is complete.' : holds[hold]}
              {queue.isNotKept && ' Too long to save: lost when the window closes.'}
            </span>
            {hold !== undefined && hold !== 'editing' && !isRunning && (
              <SendNow contextKey={contextKey} first={messages[0]} />
            )}
          </div>
          <QueueList contextKey={contextKey} queue={queue} />
        </section>
      )}
    </>
  )
}

function headOf({ messages }: Queue): string {
  return `${formatQuantity(messages.length, 'message', 'messages')} queued.`
}

function SendNow(props: {
  readonly contextKey: LibraryKey
  readonly first: QueuedMessage | undefined
}) {
  const { contextKey, first } = props
  const { sendQueued } = useActions()
  if (first === undefined || first.lostImages > 0) return null
  return (
    <Button
      isSmall
      onClick={() => {
        sendQueued(contextKey)
        focusOn('composer')
      }}
    >
      Send now
    </Button>
  )
}

function QueueList(props: { readonly contextKey: LibraryKey; readonly queue: Queue }) {
  const { contextKey, queue } = props
  const { messages, editing, isSending } = queue
  const stores = useStores()
  const { endEdit } = useActions()
  const list = useRef<HTMLOListElement>(null)

  function focusOnAct(at: number, act: 'edit' | 'remove'): void {
    focusWhenDrawn(() => {
      const rows = list.current?.children ?? []
      const buttons = rows[Math.min(at, rows.length - 1)]?.querySelectorAll('button') ?? []
      return buttons[act === 'edit' ? 0 : 1]
    })
  }

  function remove(id: string, at: number): void {
    stores.queue.getState().remove(contextKey, id)
    if (messages.length === 1) focusOn('composer')
    else focusOnAct(at, 'remove')
  }

  return (
    <ol ref={list} className="queue-list">
      {messages.map((message, at) => (
        <li key={message.id} className="queue-message">
          {editing?.id === message.id ? (
            <QueuedEditor
              number={at + 1}
              text={editing.text}
              hasImages={message.images.length > 0 || message.files.length > 0}
              onText={(text) => stores.queue.getState().edit(contextKey, { id: message.id, text })}
              onKeep={() => {
                endEdit(contextKey, message.id, editing.text)
                focusOnAct(at, 'edit')
              }}
              onCancel={() => {
                endEdit(contextKey, message.id, undefined)
                focusOnAct(at, 'edit')
              }}
            />
          ) : (
            <>
              <span className="queue-text" dir="auto">
                {message.text === '' ? 'No text' : visibleText(message.text)}
              </span>
              <Images message={message} />
              <Files message={message} />
              <span className="queue-acts">
                <IconButton
                  label={`Edit queued message ${at + 1}`}
                  icon={Pencil}
                  size="small"
                  isDisabled={isSending === true && at === 0}
                  onClick={() => {
                    const { id, text } = message
                    stores.queue.getState().edit(contextKey, { id, text })
                  }}
                />
                <IconButton
                  label={`Remove queued message ${at + 1}`}
                  icon={X}
                  size="small"
                  isDisabled={isSending === true && at === 0}
                  onClick={() => remove(message.id, at)}
                />
              </span>
            </>
          )}
        </li>
      ))}
    </ol>
  )
}

function Files(props: { readonly message: QueuedMessage }) {
  const { files } = props.message
  if (files.length === 0) return null
  return (
    <span className="small t2 number">
      <Icon of={FileText} size={12} label={formatQuantity(files.length, 'text file')} />{' '}
      <span aria-hidden="true">{formatCount(files.length)}</span>
    </span>
  )
}

function Images(props: { readonly message: QueuedMessage }) {
  const { images, lostImages } = props.message
  if (lostImages > 0)
    return (
      <span className="small t2">{formatQuantity(lostImages, 'image', 'images')} not saved</span>
    )
  if (images.length === 0) return null
  return (
    <span className="small t2 number">
      <Icon of={Image} size={12} label={formatQuantity(images.length, 'image', 'images')} />{' '}
      <span aria-hidden="true">{formatCount(images.length)}</span>
    </span>
  )
}
