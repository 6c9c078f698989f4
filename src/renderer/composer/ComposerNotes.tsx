import { visibleText } from '../../shared/model/basics/visible'
import { useStores } from '../state/context'
import type { AdoptedConversation, UnwrittenSummary } from '../state/transcript-state'
import { Button } from '../ui/controls/Button'
import { formatCount, formatQuantity } from '../ui/format/format'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { FullNote } from './context-window/FullNote'
import type { ComposerState } from './draft/use-composer'

const titles = {
  message: 'Not sent.',
  retry: 'Not regenerated.',
  stop: 'Not stopped.',
} as const

/**
 * Notes above the field: a refused message, an adopted conversation, no model, images, a full context window, an
 * unsaved draft.
 */
export function ComposerNotes(props: { readonly composing: ComposerState }) {
  const { refusal, notReady, isNotKept, adopted, unwritten, attaching } = props.composing
  const { dismissRefusal, dismissAdopted, dismissUnwritten } = props.composing
  const { app } = useStores()
  return (
    <>
      {refusal !== undefined && (
        <div className="composer-note">
          <RefusalNote
            title={titles[refusal.of]}
            refusal={refusal}
            isTextKept={refusal.of === 'message'}
            onSettings={() => app.getState().openSettings('model')}
            onDismiss={dismissRefusal}
          />
        </div>
      )}
      {adopted !== undefined && (
        <div className="composer-note">
          <Note
            tone="info"
            title={adoptedTitle(adopted)}
            actions={
              <Button isSmall kind="ghost" onClick={dismissAdopted}>
                Dismiss
              </Button>
            }
          >
            {adopted.report.notes.join(' ')} The original is untouched.
          </Note>
        </div>
      )}
      {unwritten !== undefined && (
        <div className="composer-note">
          <Note
            tone={unwritten.type === 'failed' ? 'warn' : 'info'}
            title="This branch has no summary."
            actions={
              <Button isSmall kind="ghost" onClick={dismissUnwritten}>
                Dismiss
              </Button>
            }
          >
            {visibleText(unwrittenWords(unwritten))}
          </Note>
        </div>
      )}
      {notReady !== undefined && (
        <div className="composer-note">
          <Note tone="plain" title="No model can answer yet.">
            {notReady}
          </Note>
        </div>
      )}
      {attaching.fault !== undefined && (
        <div className="composer-note">
          <Note
            tone="warn"
            title="Not attached."
            actions={
              <Button isSmall kind="ghost" onClick={attaching.dismissFault}>
                Dismiss
              </Button>
            }
          >
            {visibleText(attaching.fault)}
          </Note>
        </div>
      )}
      {attaching.warning !== undefined && (
        <div className="composer-note">
          <Note tone="warn" title="The model will not see the images.">
            {visibleText(attaching.warning)}
          </Note>
        </div>
      )}
      <FullNote contextKey={props.composing.contextKey} />
      {isNotKept && (
        <div className="composer-note">
          <Note tone="warn" title="This draft is too long to save.">
            Send it before you close the window.
          </Note>
        </div>
      )}
    </>
  )
}

function unwrittenWords(unwritten: UnwrittenSummary): string {
  switch (unwritten.type) {
    case 'failed':
      return unwritten.words
    case 'stopped':
      return 'You skipped it.'
    case 'nothing':
      return 'No message comes after the place where it begins.'
  }
}

function adoptedTitle({ source, report }: AdoptedConversation): string {
  const { entries, kept, flattened, dropped, unread = 0 } = report
  const unsent = dropped - unread
  const others = [
    flattened === 0 ? '' : `, ${formatCount(flattened)} as plain text`,
    unsent === 0 ? '' : `, ${formatCount(unsent)} not sent to the model`,
  ]
  const lost =
    unread === 0 ? '' : ` ${formatQuantity(unread, 'file', 'files')} could not be read to the end.`
  return `${formatQuantity(entries, 'entry', 'entries')} copied from ${source}, ${
    kept === entries ? 'all' : formatCount(kept)
  } word for word${others.join('')}.${lost}`
}
