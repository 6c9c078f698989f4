import { useHistory, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { LiveRegion } from '../../ui/notes/LiveRegion'
import { Note } from '../../ui/notes/Note'

/** Titles that the note names; of more it says the number. */
const mostTitles = 2

/** Note that Back or Forward went past conversations that are gone; nothing without any. */
export function HistoryNote() {
  const { history } = useStores()
  const skipped = useHistory((state) => state.skipped)
  const words = skipped.length === 0 ? '' : wordsOf(skipped)
  return (
    <>
      <LiveRegion label="Back and forward">{words}</LiveRegion>
      {words !== '' && (
        <div className="history-note">
          <Note
            tone="info"
            title={words}
            actions={
              <Button isSmall onClick={() => history.getState().dismissSkipped()}>
                Dismiss
              </Button>
            }
          />
        </div>
      )}
    </>
  )
}

function wordsOf(titles: readonly string[]): string {
  const named = titles.slice(0, mostTitles).map((title) => `“${title}”`)
  const more = titles.length - named.length
  const list = [...named, ...(more === 0 ? [] : [formatQuantity(more, 'more', 'more')])]
  const last = list.pop() ?? ''
  const all = list.length === 0 ? last : `${list.join(', ')} and ${last}`
  return `${all} ${titles.length === 1 ? 'is gone and was' : 'are gone and were'} skipped.`
}
