import { ImageOff, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import {
  type EntryImage,
  type KeptImage,
  shownImageName,
} from '../../../shared/model/conversation/images'
import { IconButton } from '../controls/Button'
import { Icon } from '../controls/Icon'
import { formatByteSize } from '../format/format'

/** Most images of a message; the raw view has all. */
const mostShown = 20

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
  const shown = images.slice(0, mostShown)
  return (
    <ul className="message-images" aria-label="Images">
      {shown.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move, and one may occur twice
        <li key={index}>
          <MessageImage contextKey={contextKey} image={image} />
        </li>
      ))}
      {images.length > shown.length && (
        <li className="t3 small">and {images.length - shown.length} more</li>
      )}
    </ul>
  )
}

function MessageImage(props: { readonly contextKey: LibraryKey; readonly image: ShownImage }) {
  const { contextKey, image } = props
  const [isGone, setGone] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const name = visibleText(shownImageName(image.name))
  const address = imageUrl(contextKey, image)
  if (isGone || address === undefined)
    return (
      <span className="message-image gone t3 small">
        <Icon of={ImageOff} />
        <span className="cut">
          <bdi>{name}</bdi>
        </span>
        <span>{'at' in image ? 'cannot be shown' : 'its file is not there'}</span>
      </span>
    )
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <button type="button" className="message-image" aria-label={`Show ${name} larger`}>
          <img
            src={address}
            alt={name}
            loading="lazy"
            decoding="async"
            draggable={false}
            onError={() => setGone(true)}
          />
        </button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog image-view"
          aria-describedby={undefined}
          // Not on its button: the tooltip there would take the first Esc.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          // In React's tree it is inside of a turn, whose keys must not act here.
          onKeyDown={(event) => event.stopPropagation()}
          // One level out: the dialog alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
        >
          <header className="dialog-head">
            <Dialog.Title className="cut">
              <bdi>{name}</bdi>
            </Dialog.Title>
            <span className="t2 number grow">
              {'bytes' in image ? formatByteSize(image.bytes) : ''}
            </span>
            <IconButton label="Close" icon={X} onClick={() => setOpen(false)} />
          </header>
          <div className="image-whole">
            <img src={address} alt={name} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
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
