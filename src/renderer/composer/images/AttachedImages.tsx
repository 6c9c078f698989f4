import { Image } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { imageTypeOf, shownImageName } from '../../../shared/model/conversation/images'
import type { AttachedImage } from '../../state/run-state'
import { Icon } from '../../ui/controls/Icon'
import { formatByteSize } from '../../ui/format/format'
import { AttachedChip } from './AttachedChip'

/** List of a draft's images, each with name, size and a button to remove it. */
export function AttachedImages(props: {
  readonly images: readonly AttachedImage[]
  readonly isFixed: boolean
  readonly onDetach: (id: string) => void
}) {
  const { images, isFixed, onDetach } = props
  if (images.length === 0) return null
  return (
    <div className="attached-images">
      <ul aria-label="Images to send">
        {images.map((image) => {
          const name = visibleText(shownImageName(image.name))
          return (
            <AttachedChip
              key={image.id}
              name={name}
              isFixed={isFixed}
              onDetach={() => onDetach(image.id)}
            >
              <Thumbnail bytes={image.bytes} />
              <span className="cut">
                <bdi>{name}</bdi>
              </span>
              <span className="t3 number">{formatByteSize(image.bytes.length)}</span>
            </AttachedChip>
          )
        })}
      </ul>
      <p className="t3 small">
        Images are not saved with a draft: send them before you close the window.
      </p>
    </div>
  )
}

/** Pixels of the canvas: twice its size on the page, for fine screens. */
const side = 48

/** Image drawn from its bytes: the page's policy lets it load no images. */
function Thumbnail(props: { readonly bytes: Uint8Array }) {
  const { bytes } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    let isOver = false
    decoded(bytes)
      .then((bitmap) => {
        if (!isOver && canvas.current !== null) fill(canvas.current, bitmap)
        bitmap.close()
      })
      .catch(() => {
        if (!isOver) setBroken(true)
      })
    return () => {
      isOver = true
    }
  }, [bytes])
  if (isBroken) return <Icon of={Image} />
  return (
    <span className="thumbnail" aria-hidden="true">
      <canvas ref={canvas} width={side} height={side} />
    </span>
  )
}

function decoded(bytes: Uint8Array): Promise<ImageBitmap> {
  const type = imageTypeOf(bytes)?.mime ?? ''
  return createImageBitmap(new Blob([new Uint8Array(bytes)], { type }))
}

/** Draws the largest square in the middle of the image. */
function fill(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const { width, height } = bitmap
  const edge = Math.min(width, height)
  const [x, y] = [(width - edge) / 2, (height - edge) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, x, y, edge, edge, 0, 0, side, side)
}
