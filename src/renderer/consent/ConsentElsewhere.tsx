import { plural } from '../../shared/model/basics/plural'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useActions, useConsent, useLibraryState } from '../state/context'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { Note } from '../ui/notes/Note'

/** Note that calls wait in other conversations, with a way to the one that waits longest. */
export function ConsentElsewhere(props: { readonly contextKey: LibraryKey | undefined }) {
  const { openConversation } = useActions()
  const isElsewhere = ({ key }: { readonly key: LibraryKey }) => key !== props.contextKey
  const first = useConsent(({ waiting }) => waiting.find(isElsewhere))
  const total = useConsent(({ waiting }) => waiting.filter(isElsewhere).length)
  const title = useLibraryState(
    ({ conversations }) => conversations.find(({ key }) => key === first?.key)?.title,
  )
  if (first === undefined) return null
  const name = visibleText(title ?? first.key)
  return (
    <Note
      tone="warn"
      isBar
      title={`${formatQuantity(total, 'call')} elsewhere ${plural(total, 'needs', 'need')} your approval.`}
      actions={
        <Button isSmall onClick={() => openConversation(first.key)}>
          <span className="cut">Open {name}</span>
        </Button>
      }
    />
  )
}
