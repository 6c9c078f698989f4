import { visibleText } from '../../shared/model/basics/visible'
import { useBackground, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { formatCount } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { Sheet } from '../ui/panes/Sheet'
import { ShortTime } from '../ui/text/ShortTime'

/**
 * Dialog of work that was postponed or failed in the background since Skein started: titles, compactions, the index,
 * repairs.
 */
export function BackgroundSheet() {
  const { background } = useStores()
  const isOpen = useBackground((state) => state.isOpen)
  const notices = useBackground((state) => state.notices)
  const failure = useBackground((state) => state.failure)
  const close = useBackground((state) => state.close)
  return (
    <Sheet
      title="In the background"
      about="since Skein was started"
      isOpen={isOpen}
      onClose={close}
    >
      <section
        className="dialog-body question upkeep-page"
        aria-label="In the background"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys
        tabIndex={0}
      >
        {failure !== undefined && (
          <FailureNote
            title="Not listed."
            failure={failure}
            onAgain={() => void background.getState().load()}
          />
        )}
        {notices.length === 0 ? (
          <p className="t2" role="status">
            Nothing failed or was postponed.
          </p>
        ) : (
          <ul className="background-list">
            {notices.map(({ id, atMs, words, times }) => (
              <li key={id}>
                <p>{visibleText(words)}</p>
                <p className="small t3">
                  <ShortTime ms={atMs} />
                  {times > 1 && `, ${formatCount(times)} times`}
                </p>
              </li>
            ))}
          </ul>
        )}
      </section>
      <footer className="dialog-foot">
        <Button
          kind="ghost"
          isDisabled={notices.length === 0}
          onClick={() => void background.getState().dismissAll()}
        >
          Clear the list
        </Button>
        <span className="grow" />
        <button type="button" className="button primary" data-first onClick={close}>
          Close
        </button>
      </footer>
    </Sheet>
  )
}
