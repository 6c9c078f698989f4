import { useMemo } from 'react'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import { entryImages, keptImages } from '../../../shared/model/conversation/images'
import { useTranscript } from '../../state/context'
import { EntryImages } from '../../ui/text/EntryImages'

/** Images of an entry: those in a context's folder, and those that a conversation or its export has. */
export function MessageImages(props: { readonly entry: Entry }) {
  const { entry } = props
  const key = useTranscript((state) => state.key)
  const isOurs = key !== undefined && parseLibraryKey(key).source === 'chibi'
  const images = useMemo(
    () => [
      ...(isOurs ? keptImages(entry.metadata) : []),
      ...entryImages(entry.metadata).map((image) => ({ ...image, place: entry })),
    ],
    [entry, isOurs],
  )
  if (key === undefined || images.length === 0) return null
  return <EntryImages contextKey={key} images={images} />
}
