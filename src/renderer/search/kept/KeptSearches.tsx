import { Pencil, Trash2, Undo2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { useSearches, useStores } from '../../state/context'
import type { SavedSearch } from '../../state/search-state'
import { focusOn } from '../../ui/behaviour/focus'
import { isComposing } from '../../ui/behaviour/keys'
import { Button, IconButton } from '../../ui/controls/Button'
import { LiveRegion } from '../../ui/notes/LiveRegion'

/** Saved searches and recent ones, while there is no query; each is a button that searches for it again. */
export function KeptSearches() {
  return (
    <>
      <SavedSearches />
      <RecentSearches />
    </>
  )
}

function SavedSearches() {
  const { searches } = useStores()
  const saved = useSearches((state) => state.saved)
  const removed = useSearches((state) => state.removed)
  const isWritten = useSearches((state) => state.isWritten)
  const [renamed, setRenamed] = useState<string>()
  if (saved.length === 0 && removed === undefined) return null
  return (
    <section aria-label="Saved searches">
      <h3>Saved searches</h3>
      {!isWritten && (
        <p className="warn-t">
          The last change could not be written: it lasts until the window closes.
        </p>
      )}
      <ul className="kept-searches">
        {saved.map((one) => (
          <li key={one.id}>
            {renamed === one.id ? (
              <NameField search={one} onEnd={() => setRenamed(undefined)} />
            ) : (
              <>
                <Ask query={one.query} name={one.name} />
                <IconButton
                  label={`Rename ${visibleText(one.name)}`}
                  icon={Pencil}
                  size="small"
                  onClick={() => setRenamed(one.id)}
                />
                <IconButton
                  label={`Remove ${visibleText(one.name)}`}
                  icon={Trash2}
                  size="small"
                  onClick={() => {
                    searches.getState().remove(one.id)
                    focusOn('search')
                  }}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {removed !== undefined && (
        <p className="row-x">
          <span className="t2 cut">“{visibleText(removed.search.name)}” was removed.</span>
          <Button
            isSmall
            kind="ghost"
            icon={Undo2}
            onClick={() => {
              searches.getState().undoRemove()
              focusOn('search')
            }}
          >
            Undo
          </Button>
        </p>
      )}
      <LiveRegion label="Saved searches">
        {removed === undefined ? '' : `${visibleText(removed.search.name)} was removed`}
      </LiveRegion>
    </section>
  )
}

/** Field for another name: Enter takes it, Esc leaves the old one. */
function NameField(props: { readonly search: SavedSearch; readonly onEnd: () => void }) {
  const { search, onEnd } = props
  const { searches } = useStores()
  const [name, setName] = useState(search.name)

  function end(isTaken: boolean): void {
    if (isTaken) searches.getState().rename(search.id, name)
    onEnd()
    focusOn('search')
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent) || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    // Esc would close the view.
    event.stopPropagation()
    end(event.key === 'Enter')
  }
  return (
    <span className="field grow">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
        autoFocus
        aria-label="Name of the search"
        value={name}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.select()}
      />
      <Button isSmall kind="primary" isDisabled={name.trim() === ''} onClick={() => end(true)}>
        Rename
      </Button>
    </span>
  )
}

function RecentSearches() {
  const { searches } = useStores()
  const recent = useSearches((state) => state.recent)
  const keepsRecent = useSearches((state) => state.keepsRecent)
  return (
    <section aria-label="Recent searches">
      <div className="row-x kept-head">
        <h3 className="grow">Recent searches</h3>
        {recent.length > 0 && (
          <Button
            isSmall
            kind="ghost"
            onClick={() => {
              searches.getState().clearRecent()
              focusOn('search')
            }}
          >
            Clear
          </Button>
        )}
        <label className="row-x small t2">
          <input
            type="checkbox"
            checked={keepsRecent}
            onChange={(event) => searches.getState().setKeepsRecent(event.target.checked)}
          />
          Keep on this machine
        </label>
      </div>
      {recent.length === 0 ? (
        <p className="t3">{keepsRecent ? 'None yet.' : 'None are kept.'}</p>
      ) : (
        <ul className="kept-searches">
          {recent.map((query) => (
            <li key={query}>
              <Ask query={query} name={query} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Ask(props: { readonly query: string; readonly name: string }) {
  const { query, name } = props
  const { search } = useStores()
  return (
    <Button
      isSmall
      kind="ghost"
      className={`kept-search cut ${name === query ? 'mono' : ''}`}
      {...(name === query ? {} : { tooltip: visibleText(query) })}
      onClick={() => {
        search.getState().setText(query)
        search.getState().searchNow()
        focusOn('search')
      }}
    >
      {visibleText(name)}
    </Button>
  )
}
