import { useMemo } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import {
  type EntryImage,
  type KeptImage,
  shownImageName,
} from '../../../shared/model/conversation/images'
import { formatByteSize } from '../format/format'
import { PictureList } from '../pictures/PictureList'

/** Image of an entry: kept in our home, or in the conversation or export that the entry is from. */
type ShownImage =
  | KeptImage
  | (EntryImage & { readonly place: Pick<Entry, 'file' | 'offset' | 'id'> })

/** Images of an entry, 20 at most; each opens a larger view. */
export function EntryImages(props: {
  readonly contextKey: LibraryKey
  readonly images: readonly ShownImage[]
}) {
  const { contextKey, images } = props
  const pictures = useMemo(
    () =>
      images.map((image) => ({
        name: visibleText(shownImageName(image.name)),
        address: imageUrl(contextKey, image),
        note: 'bytes' in image ? formatByteSize(image.bytes) : '',
        missing: 'at' in image ? 'cannot be shown' : 'its file is not there, or cannot be drawn',
      })),
    [contextKey, images],
  )
  return <PictureList pictures={pictures} />
}

/** Returns the URL at which main serves the image; undefined where a name is not well-formed Unicode. */
function imageUrl(key: LibraryKey, image: ShownImage): string | undefined {
  try {
    return `image/${encodeURIComponent(key)}/${encodeURIComponent(nameOf(image))}`
  } catch {
    // Half of a surrogate pair.
    return undefined
  }
}

function nameOf(image: ShownImage): string {
  if (!('at' in image)) return image.file
  const { file, offset, id } = image.place
  return JSON.stringify([file, offset, id, image.at])
}
