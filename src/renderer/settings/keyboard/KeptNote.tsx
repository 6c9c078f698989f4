import { Button } from '../../ui/controls/Button'
import { Note } from '../../ui/notes/Note'
import type { OwnKeysEdit } from './use-own-keys'

/** Note of a change of keys that was saved, with Undo. */
export function KeptNote(props: { readonly edit: OwnKeysEdit }) {
  const { kept, undo } = props.edit
  return (
    <Note
      tone="plain"
      title={kept?.words}
      actions={
        <Button isSmall onClick={() => void undo()}>
          Undo
        </Button>
      }
    />
  )
}
