import { type FormEvent, type RefObject, useState } from 'react'
import {
  contextNameFault,
  type LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { useContexts, useLibraryState, useStores } from '../state/context'
import { useShownTitle } from '../state/use-shown-title'
import { Button } from '../ui/controls/Button'
import { HintedField } from '../ui/controls/HintedField'
import { Sheet } from '../ui/panes/Sheet'
import { RefusedAction } from './RefusedAction'

/** Dialog for a new name of a context's folder. */
export function RenameQuestion(props: {
  readonly contextKey: LibraryKey
  readonly before: RefObject<Element | null>
}) {
  const { contextKey, before } = props
  const { contexts } = useStores()
  const now = parseLibraryKey(contextKey).key as string
  const [name, setName] = useState(now)
  const isBusy = useContexts((state) => state.isBusy)
  const leave = useContexts((state) => state.leave)
  const isTaken = useLibraryState(
    ({ conversations }) => name !== now && conversations.some(({ key }) => key === name),
  )
  const fault = contextNameFault(name) ?? (isTaken ? 'That name is taken.' : undefined)

  function rename(event: FormEvent): void {
    event.preventDefault()
    if (name === now) leave()
    else if (fault === undefined) void contexts.getState().rename(name)
  }
  return (
    <Sheet title="Rename folder" about={useShownTitle(contextKey)} before={before} onClose={leave}>
      <form onSubmit={rename}>
        <div className="dialog-body question">
          <HintedField
            label="Name"
            value={name}
            fault={fault}
            hint={`The folder ${name === now ? 'is' : 'becomes'} contexts/${name}. Messages stay the same.`}
            selectsAll
            onChange={setName}
          />
          <RefusedAction />
        </div>
        <footer className="dialog-foot">
          <span className="grow" />
          <Button onClick={leave}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={fault !== undefined}>
            Rename
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}
