import { ImageOff } from 'lucide-react'
import { useRef, useState } from 'react'
import { Icon } from '../controls/Icon'
import { PictureView } from './PictureView'
import type { ShownPicture } from './shown-picture'

/** Pictures in a row, 20 at most; each opens a larger view, in which the arrows go from one to the next. */
export function PictureList(props: {
  readonly pictures: readonly ShownPicture[]
  readonly label?: string
}) {
  const { pictures, label = 'Images' } = props
  const shown = pictures.slice(0, mostShown)
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<number>()
  const buttons = useRef(new Map<number, HTMLButtonElement>())
  const isThere = (index: number) => {
    const address = shown[index]?.address
    return address !== undefined && !gone.has(address)
  }
  const there = shown.map((_, index) => index).filter(isThere)
  return (
    <ul className="message-images" aria-label={label}>
      {shown.map((picture, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move, and one may occur twice
        <li key={index}>
          {isThere(index) ? (
            <button
              type="button"
              className="message-image"
              aria-label={`Show ${picture.name} larger`}
              aria-haspopup="dialog"
              title={picture.note === '' ? undefined : picture.note}
              ref={(button) => {
                if (button === null) buttons.current.delete(index)
                else buttons.current.set(index, button)
              }}
              onClick={() => setOpen(index)}
            >
              <img
                src={picture.address}
                alt={picture.name}
                loading="lazy"
                decoding="async"
                draggable={false}
                onError={() => setGone((old) => new Set(old).add(picture.address ?? ''))}
              />
            </button>
          ) : (
            <span className="message-image gone t3 small">
              <Icon of={ImageOff} />
              <span className="cut">
                <bdi>{picture.name}</bdi>
              </span>
              <span>{picture.missing}</span>
            </span>
          )}
        </li>
      ))}
      {pictures.length > shown.length && (
        <li className="t3 small">and {pictures.length - shown.length} more</li>
      )}
      {open !== undefined && (
        <PictureView
          pictures={there.flatMap((index) => shown[index] ?? [])}
          at={Math.max(0, there.indexOf(open))}
          onMove={(to) => setOpen(there[to])}
          onClose={() => setOpen(undefined)}
          onClosed={() => buttons.current.get(open)?.focus()}
        />
      )}
    </ul>
  )
}

/** Most pictures of a list; the raw view has all. */
const mostShown = 20
