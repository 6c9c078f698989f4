import { useSearch, useSearches, useStores } from '../state/context'
import { mostSaved } from '../state/search-state'
import { formatCount, formatQuantity } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { Note } from '../ui/notes/Note'

/** Notes under the query: that it was not saved, a failed search, invalid values of fields, files that could not be read. */
export function SearchNotes() {
  const text = useSearch((state) => state.text.trim())
  const refused = useSearches((state) => state.refused)
  const { search } = useStores()
  const failure = useSearch((state) => state.failure)
  const notices = useSearch(({ outcome }) => outcome?.notices)
  const hints = useSearch(({ outcome }) => outcome?.hints)
  if (failure !== undefined)
    return (
      <div className="search-notes">
        <FailureNote
          title="Search failed."
          failure={failure}
          onAgain={() => search.getState().searchAgain()}
        />
      </div>
    )
  const isRefused = refused !== undefined && refused === text
  if (!notices?.length && !hints?.length && !isRefused) return null
  return (
    <div className="search-notes">
      {isRefused && (
        <Note tone="warn" title="The search was not saved.">
          {formatCount(mostSaved)} searches are saved already, which is as many as are kept. Remove
          one first: they are listed while there is no query.
        </Note>
      )}
      {hints?.map((hint) => (
        <Note key={hint} tone="info">
          {hint}
        </Note>
      ))}
      {notices !== undefined && notices.length > 0 && <UnreadFiles notices={notices} />}
    </div>
  )
}

function UnreadFiles({ notices }: { readonly notices: readonly string[] }) {
  const [first, ...others] = notices
  return (
    <Note
      tone="warn"
      title={`${formatQuantity(notices.length, 'file')} could not be searched.`}
      detail={others.length === 0 ? undefined : notices.join('\n')}
    >
      {others.length === 0 ? first : 'Their hits are missing.'}
    </Note>
  )
}
