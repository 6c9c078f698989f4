import type { LibraryKey } from '../../shared/model/conversation'
import { useLibraryState } from '../state/context'
import { ShortTime } from '../ui/ShortTime'
import { visibleText } from '../ui/visible-text'

/** Who gave the title that a conversation has in Skein, and when; nothing where it has none. */
export function TitleFacts({ contextKey }: { readonly contextKey: LibraryKey }) {
  const titled = useLibraryState(
    ({ conversations }) => conversations.find(({ key }) => key === contextKey)?.titled,
  )
  if (titled === undefined) return null
  const { by, model, at } = titled
  return (
    <>
      <dt>Title</dt>
      <dd>
        <span>
          {by === 'person' ? 'written by you' : `by ${visibleText(model ?? 'a model')}`},{' '}
          <ShortTime ms={at * 1000} />
        </span>
      </dd>
    </>
  )
}
