import { FolderOpen } from 'lucide-react'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useStores, useUpkeep } from '../../state/context'
import { useShownTitle } from '../../state/use-shown-title'
import { Button } from '../../ui/controls/Button'
import { formatByteSize, formatQuantity } from '../../ui/format/format'
import { FailureNote } from '../../ui/notes/FailureNote'
import { Sheet } from '../../ui/panes/Sheet'
import { LongText } from '../../ui/text/LongText'
import { DetailsSection } from '../facts/DetailsSection'

/** Section for a context's `transcript.md`, with a way to read it; nothing where it has no messages. */
export function PagePart(props: { readonly contextKey: LibraryKey; readonly messages: number }) {
  const { contextKey, messages } = props
  const { upkeep, app } = useStores()
  const failure = useUpkeep((state) => state.pageFailure)
  if (messages === 0) return null
  return (
    <DetailsSection title="transcript.md">
      <div className="details-note under-head">
        <p className="small t2">
          {formatQuantity(messages, 'message')} no longer sent to the model, as plain text.
        </p>
        <div className="row-x">
          <Button isSmall onClick={() => void upkeep.getState().openPage()}>
            Read…
          </Button>
          <Button
            isSmall
            kind="ghost"
            icon={FolderOpen}
            onClick={() => void app.getState().reveal(contextKey, '')}
          >
            Show in folder
          </Button>
        </div>
        {failure !== undefined && (
          <FailureNote
            title="Not read."
            failure={failure}
            onAgain={() => void upkeep.getState().openPage()}
          />
        )}
      </div>
      <PageSheet contextKey={contextKey} />
    </DetailsSection>
  )
}

function PageSheet({ contextKey }: { readonly contextKey: LibraryKey }) {
  const { upkeep } = useStores()
  const page = useUpkeep((state) => state.page)
  const title = useShownTitle(contextKey)
  return (
    <Sheet
      title="transcript.md"
      about={title}
      className="sent"
      isOpen={page !== undefined}
      first=".upkeep-page"
      onClose={() => upkeep.getState().closePage()}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys */}
      <section className="dialog-body upkeep-page" aria-label="transcript.md" tabIndex={0}>
        {page !== undefined && page.leftOut > 0 && (
          <p className="small t3">
            The end of {formatByteSize(page.bytes)}; {formatByteSize(page.leftOut)} before it are
            left out.
          </p>
        )}
        {page?.text === '' ? (
          <p className="t3">Empty.</p>
        ) : (
          <LongText text={page?.text ?? ''} firstLines={400} label="transcript.md" />
        )}
      </section>
    </Sheet>
  )
}
