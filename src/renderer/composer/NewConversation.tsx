import { useId, useMemo } from 'react'
import { contextNameFault } from '../../shared/model/conversation'
import { useApp, useLibraryState, useStores } from '../state/context'
import { newDraftPlace } from '../state/drafts'
import { Composer } from './Composer'
import { freeName } from './names'
import { useDraft, useFirstComposer } from './use-composer'

/** A conversation that is not there yet: its name, and the message that begins it. */
export function NewConversation() {
  const { drafts } = useStores()
  const conversations = useLibraryState((state) => state.conversations)
  const home = useApp(({ status }) => status?.home)
  const draft = useDraft(newDraftPlace)
  const id = useId()
  const taken = useMemo(() => new Set<string>(conversations.map(({ key }) => key)), [conversations])
  const suggestion = useMemo(() => freeName(new Date(), taken), [taken])
  const name = draft.name ?? suggestion
  const fault =
    contextNameFault(name) ?? (taken.has(name) ? 'There is one of that name.' : undefined)
  const composing = useFirstComposer(name, fault === undefined)

  return (
    <>
      <div className="scroll new-conversation">
        <h2>New conversation</h2>
        <p className="t2">
          {home?.exists === false
            ? `The first message creates ${home.shown} and writes it there, as plain text.`
            : 'The first message creates it, as plain text files that you can open with anything.'}
        </p>
        <label className="label" htmlFor={id}>
          Name
        </label>
        <div className={`field ${fault === undefined ? '' : 'bad'}`}>
          <input
            id={id}
            value={name}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={fault !== undefined}
            aria-describedby={`${id}-hint`}
            onChange={(event) =>
              drafts.getState().set(newDraftPlace, { ...draft, name: event.target.value })
            }
          />
        </div>
        <p id={`${id}-hint`} className={`small ${fault === undefined ? 't3' : 'err-t'}`}>
          {fault ?? `Its folder will be contexts/${name}.`}
        </p>
      </div>
      <Composer composing={composing} placeholder="Write the first message" />
    </>
  )
}
