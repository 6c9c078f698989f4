import { useSearch, useStores } from '../state/context'
import { FailureNote } from '../ui/FailureNote'
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
        <FailureNote
          title="The search did not come through."
          failure={failure}
          onAgain={() => search.getState().searchAgain()}
        />
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
