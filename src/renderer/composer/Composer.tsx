import { BookmarkPlus, Square } from 'lucide-react'
import { type MouseEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { distinctFields } from '../../shared/model/settings/saved-prompts'
import { useStores } from '../state/context'
import { newDraftPlace } from '../state/run-state'
import { useEarlyTyping } from '../ui/behaviour/early-typing'
import { replaceTyped } from '../ui/behaviour/replace-text'
import { Button, EnterHint, IconButton } from '../ui/controls/Button'
import type { ComposerCommand } from '../ui/controls/composer-command'
import { ComposerField } from './ComposerField'
import { ComposerNotes } from './ComposerNotes'
import { ContextWindowMeter } from './context-window/ContextWindowMeter'
import type { ComposerState } from './draft/use-composer'
import { FieldsHint } from './fields/FieldsHint'
import { useFields } from './fields/use-fields'
import { AttachButton } from './images/AttachButton'
import { AttachedFiles } from './images/AttachedFiles'
import { AttachedImages } from './images/AttachedImages'
import { useDrop } from './images/use-drop'
import { ModelLabel, SetUpModel } from './ModelLabel'
import { useCaretPart } from './offers/use-caret-part'
import { useMentionOffers } from './offers/use-mention-offers'
import { useOwnCommands } from './offers/use-own-commands'
import { useSlashOffers } from './offers/use-slash-offers'
import { QueuedMessages } from './queue/QueuedMessages'
import { QuoteConversation } from './quote/QuoteConversation'
import { RunStatus } from './RunStatus'
import { SavedPromptNote } from './SavedPromptNote'

/**
 * Field for a message and its images. Enter sends, or queues during an answer; Shift+Enter breaks the line, Esc
 * stops a run; the up arrow in an empty field edits the last message; a slash at its start lists prompts and commands,
 * an `@` files and conversations.
 */
export function Composer(props: {
  readonly composing: ComposerState
  readonly placeholder: string
  /** Commands that a slash lists. */
  readonly commands: readonly ComposerCommand[]
  /** Whether it takes the focus when it comes. */
  readonly takesFocus?: boolean
}) {
  const { composing, placeholder, commands, takesFocus = false } = props
  const { text, attaching, isRunning, isSending, lockWords, needsModel, canSend, canQueue } =
    composing
  const { prompts } = useStores()
  const field = useRef<HTMLTextAreaElement>(null)
  useEarlyTyping(field, lockWords === undefined && !isSending, (typed) =>
    composing.setText(text + typed),
  )
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const takesFiles = lockWords === undefined && !isSending
  const drop = useDrop(takesFiles, attaching.attach)
  const leaveFields = () => {
    composing.setFields([])
    field.current?.focus()
  }
  const fields = useFields(field, text, composing.fields, leaveFields)
  const followed = useCaretPart(field)
  const files = useRef<HTMLInputElement>(null)
  const [picksModel, setPicksModel] = useState(false)
  const own = useOwnCommands(composing, field, files, () => setPicksModel(true))
  const all = useMemo(() => [...own, ...commands], [own, commands])
  const named = useMentionOffers(followed.part, field, composing.contextKey, attaching)
  const slashed = useSlashOffers(followed.part, field, all, (part, prompt) => {
    if (field.current === null) return
    replaceTyped(field.current, part.start, part.end, prompt)
    const names = distinctFields(prompt).map(({ name }) => name)
    composing.setFields(names)
    fields.begin(names)
  })

  function submit(): void {
    // A prompt that was taken is on its way into the message.
    if (prompts.getState().taking !== undefined) return
    const whole = canSend || canQueue ? fields.settle() : undefined
    if (whole === undefined) return
    if (canSend) composing.send(whole)
    else composing.enqueue(whole)
  }

  return (
    <div className="composer-frame" data-pane="composer" {...drop.handlers}>
      <ComposerNotes composing={composing} />
      <SavedPromptNote />
      <QuoteConversation
        place={composing.contextKey ?? newDraftPlace}
        onQuote={(name, words) =>
          attaching.attachGiven([{ name, bytes: new TextEncoder().encode(words) }])
        }
      />
      {composing.contextKey !== undefined && (
        <QueuedMessages contextKey={composing.contextKey} isRunning={isRunning} />
      )}
      <div
        className={`composer ${lockWords === undefined ? '' : 'locked'} ${drop.isOver ? 'dropping' : ''}`}
      >
        <AttachedImages images={attaching.images} isFixed={isSending} onDetach={attaching.detach} />
        <AttachedFiles
          files={attaching.files}
          reading={attaching.reading}
          isFixed={isSending}
          onDetach={attaching.detach}
          onStop={attaching.stopReading}
        />
        <FieldsHint names={fields.names} onLeave={leaveFields} />
        <ComposerField
          field={field}
          composing={composing}
          fields={fields}
          followed={followed}
          offered={followed.part?.sign === '@' ? named : slashed}
          placeholder={placeholder}
          takesFiles={takesFiles}
          onEnter={submit}
        />
        <div className="composer-tools">
          <AttachButton input={files} isDisabled={!takesFiles} onFiles={attaching.attach} />
          <IconButton
            label="Save as prompt…"
            icon={BookmarkPlus}
            size="medium"
            isDisabled={text.trim() === '' || lockWords !== undefined}
            onClick={() => prompts.getState().ask(text)}
          />
          <ModelLabel
            contextKey={composing.contextKey}
            isOpen={picksModel}
            onOpen={setPicksModel}
          />
          <span className="grow" />
          <RunStatus composing={composing} />
          <ContextWindowMeter composing={composing} />
          {canQueue && (
            <Button isSmall onClick={once(submit)}>
              Queue
              <EnterHint />
            </Button>
          )}
          {isRunning ? (
            <Button isSmall icon={Square} keys={['Esc']} onClick={once(composing.stop)}>
              Stop
            </Button>
          ) : needsModel ? (
            <SetUpModel />
          ) : (
            <Button
              kind="primary"
              isSmall
              isDisabled={!canSend}
              isBusy={isSending}
              onClick={once(submit)}
            >
              Send
              <EnterHint />
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** Ignores the second press of a double click, which was meant for the button that was there before. */
function once(act: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail < 2) act()
  }
}
