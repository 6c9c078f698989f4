import { useMemo } from 'react'
import { contextNameFault } from '../../shared/model/conversation/conversation'
import { useApp, useLibraryState, useStores } from '../state/context'
import { newDraftPlace } from '../state/run-state'
import { NameField } from '../ui/controls/NameField'
import { Composer } from './Composer'
import { useDraft, useFirstComposer } from './draft/use-composer'
import { freeName } from './free-name'

/** Form for a new conversation: its name, and the message that creates it. */
export function NewConversation() {
  const { drafts } = useStores()
  const conversations = useLibraryState((state) => state.conversations)
  const home = useApp(({ status }) => status?.home)
  const draft = useDraft(newDraftPlace)
  const taken = useMemo(() => new Set<string>(conversations.map(({ key }) => key)), [conversations])
  const suggestion = useMemo(() => freeName(new Date(), taken), [taken])
  const name = draft.name ?? suggestion
  const fault = contextNameFault(name) ?? (taken.has(name) ? 'That name is taken.' : undefined)
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
        <NameField
          name={name}
          fault={fault}
          hint={`Its folder will be contexts/${name}.`}
          onChange={(typed) => drafts.getState().set(newDraftPlace, { ...draft, name: typed })}
        />
      </div>
      <Composer composing={composing} placeholder="Write the first message" />
    </>
  )
}
