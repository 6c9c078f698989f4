import type { LibraryKey } from '../../shared/model/conversation'
import { Composer } from './Composer'
import { useComposer } from './use-composer'

/** The composer under an open conversation. */
export function OpenComposer(props: { readonly contextKey: LibraryKey }) {
  return <Composer composing={useComposer(props.contextKey)} placeholder="Write a message" />
}
