import { visibleText } from '../../../shared/model/basics/visible'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useLibraryState } from '../../state/context'
import { ShortTime } from '../../ui/text/ShortTime'

/** Facts of a given title, by whom and when; nothing for a conversation without one. */
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
