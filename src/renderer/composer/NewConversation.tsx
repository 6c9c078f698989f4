import { useApp } from '../state/context'
import type { ComposerCommand } from '../ui/controls/composer-command'
import { Composer } from './Composer'
import { useFirstComposer } from './draft/use-composer'

/** Form for a new conversation: its first message creates it. */
export function NewConversation(props: {
  /** Commands that a slash lists. */
  readonly commands: readonly ComposerCommand[]
}) {
  const home = useApp(({ status }) => status?.home)
  const composing = useFirstComposer()
  return (
    <>
      <div className="scroll new-conversation">
        <h2>New conversation</h2>
        <p className="t2">
          {home?.exists === false
            ? `Your first message creates ${home.shown} and is saved there as plain text.`
            : 'Saved as plain text files that you can open with anything.'}
        </p>
      </div>
      <Composer
        composing={composing}
        commands={props.commands}
        placeholder="Write the first message. / for prompts and commands, @ for files and conversations"
        takesFocus
      />
    </>
  )
}
