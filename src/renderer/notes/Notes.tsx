import { useEffect } from 'react'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { useApp, useNotes, useStores } from '../state/context'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { NotePart } from './NotePart'

/** Todos and goals of the open context; nothing for other systems' conversations. */
export function Notes() {
  const key = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  if (key === undefined || parseLibraryKey(key).source !== 'chibi') return null
  return <NotesOf key={key} contextKey={key} />
}

function NotesOf({ contextKey }: { readonly contextKey: LibraryKey }) {
  const { notes: store } = useStores()
  const notes = useNotes((state) => (state.key === contextKey ? state.notes : undefined))
  const failure = useNotes((state) => (state.key === contextKey ? state.failure : undefined))
  useEffect(() => {
    void store.getState().follow(contextKey)
    return () => {
      // A later view may follow another context by now.
      if (store.getState().key === contextKey) void store.getState().follow(undefined)
    }
  }, [store, contextKey])

  if (failure !== undefined)
    return (
      <div className="details-note">
        <RefusalNote title="Tasks and goals could not be loaded." refusal={failure} />
      </div>
    )
  if (notes === undefined) return null
  return (
    <>
      <NotePart
        note="todos"
        title="Tasks"
        text={notes.todos}
        empty="None yet. The model adds them while it works; you can too."
      />
      <NotePart
        note="goals"
        title="Goals"
        text={notes.goals}
        empty="None yet. Goals are sent to the model with every message."
      />
    </>
  )
}
