import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { Composer } from './Composer'
import { useComposer } from './draft/use-composer'

/** Composer of an open conversation. */
export function OpenComposer(props: { readonly contextKey: LibraryKey }) {
  return <Composer composing={useComposer(props.contextKey)} placeholder="Write a message" />
}
