import { useSearch, useStores } from '../state/context'
import { Button } from '../ui/Button'
import { counted } from '../ui/format'
import { Note } from '../ui/Note'

/** What went wrong, in words: a search that failed, files that could not be read. */
export function SearchNotes() {
  const { search } = useStores()
  const failure = useSearch((state) => state.failure)
  const notices = useSearch(({ outcome }) => outcome?.notices)
  if (failure !== undefined)
    return (
      <div className="search-notes">
        <Note
          tone="error"
          title="The search did not come through."
          detail={failure.detail}
          actions={
            <Button isSmall onClick={() => search.getState().searchAgain()}>
              Try again
            </Button>
          }
        >
          {failure.message}
        </Note>
      </div>
    )
  if (notices === undefined || notices.length === 0) return null
  const [first, ...others] = notices
  return (
    <div className="search-notes">
      <Note
        tone="warn"
        title={`${counted(notices.length, 'file')} could not be searched.`}
        detail={others.length === 0 ? undefined : notices.join('\n')}
      >
        {others.length === 0 ? first : 'Hits in them are missing here.'}
      </Note>
    </div>
  )
}
