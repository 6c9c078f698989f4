import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import { keptImages } from '../../../shared/model/conversation/images'
import { useTranscript } from '../../state/context'
import { EntryImages } from '../../ui/text/EntryImages'

/** Images of a user message in a context; nothing in other systems' conversations. */
export function MessageImages(props: { readonly entry: Entry }) {
  const key = useTranscript((state) => state.key)
  const images = keptImages(props.entry.metadata)
  if (key === undefined || images.length === 0 || parseLibraryKey(key).source !== 'chibi')
    return null
  return <EntryImages contextKey={key} images={images} />
}
