import { Check, ChevronLeft, ChevronRight, Copy, X, ZoomIn, ZoomOut } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from '../controls/Button'
import type { ShownPicture } from './shown-picture'

/** Sizes of a picture: 0 fits it into the window, others are times its own size. */
const zooms = [0, 1, 2, 4] as const

/** Larger view of a picture. Arrows, Home and End go to others, plus and minus zoom, 0 fits, Escape closes. */
export function PictureView(props: {
  readonly pictures: readonly ShownPicture[]
  readonly at: number
  readonly onMove: (to: number) => void
  readonly onClose: () => void
  /** Called when the focus may go back. */
  readonly onClosed: () => void
}) {
  const { pictures, at, onMove, onClose, onClosed } = props
  const [zoom, setZoom] = useState(0)
  const [size, setSize] = useState<{
    readonly of: string
    readonly width: number
    height: number
  }>()
  const image = useRef<HTMLImageElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  const isZoomed = zoom > 0
  // The arrows scroll what has the focus.
  useEffect(() => {
    if (isZoomed) whole.current?.focus()
  }, [isZoomed])
  const picture = pictures[at]
  if (picture === undefined) return null
  const { name, address = '', note } = picture
  const known = size?.of === address ? size : undefined
  const times = zooms[zoom] ?? 0

  function move(to: number): void {
    if (to < 0 || to >= pictures.length || to === at) return
    setZoom(0)
    onMove(to)
  }
  const zoomTo = (to: number) => setZoom(Math.max(0, Math.min(zooms.length - 1, to)))

  function actOf(key: string): (() => void) | undefined {
    switch (key) {
      case 'ArrowLeft':
        return () => move(at - 1)
      case 'ArrowRight':
        return () => move(at + 1)
      case 'Home':
        return () => move(0)
      case 'End':
        return () => move(pictures.length - 1)
      case '+':
      case '=':
        return () => zoomTo(zoom + 1)
      case '-':
        return () => zoomTo(zoom - 1)
      case '0':
        return () => zoomTo(0)
      default:
        return undefined
    }
  }

  function press(event: KeyboardEvent): void {
    // In React's tree it is inside of a turn, whose keys must not act here.
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const act = actOf(event.key)
    // What is zoomed scrolls by the arrows.
    if (act === undefined || (times > 0 && event.key.startsWith('Arrow'))) return
    event.preventDefault()
    act()
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
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
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onClosed()
          }}
          onKeyDown={press}
          // One level out: the dialog alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
        >
          <header className="dialog-head">
            <Dialog.Title className="cut">
              <bdi>{name}</bdi>
            </Dialog.Title>
            <span className="t2 number grow">
              {[
                ...(note === '' ? [] : [note]),
                ...(known === undefined ? [] : [`${known.width} × ${known.height}`]),
              ].join(', ')}
            </span>
            {pictures.length > 1 && (
              <>
                <IconButton
                  label="Previous picture"
                  icon={ChevronLeft}
                  keepsFocus
                  isDisabled={at === 0}
                  onClick={() => move(at - 1)}
                />
                <span className="t2 number" role="status">
                  {at + 1} of {pictures.length}
                </span>
                <IconButton
                  label="Next picture"
                  icon={ChevronRight}
                  keepsFocus
                  isDisabled={at === pictures.length - 1}
                  onClick={() => move(at + 1)}
                />
              </>
            )}
            <IconButton
              label="Zoom out"
              icon={ZoomOut}
              keepsFocus
              isDisabled={zoom === 0}
              onClick={() => zoomTo(zoom - 1)}
            />
            <IconButton
              label="Zoom in"
              icon={ZoomIn}
              keepsFocus
              isDisabled={zoom === zooms.length - 1}
              onClick={() => zoomTo(zoom + 1)}
            />
            <CopyPicture image={() => image.current} key={address} />
            <IconButton label="Close" icon={X} onClick={onClose} />
          </header>
          {/* biome-ignore lint/a11y/useSemanticElements: no field set, a box that scrolls */}
          <div
            ref={whole}
            className="image-whole"
            role="group"
            aria-label={isZoomed ? 'Zoomed picture' : 'Picture'}
            // Not zoomed it keeps the focus that it has.
            tabIndex={isZoomed ? 0 : -1}
          >
            <img
              ref={image}
              src={address}
              alt={name}
              className={times > 0 ? 'zoomed' : ''}
              style={times > 0 && known !== undefined ? { width: known.width * times } : undefined}
              onLoad={({ currentTarget }) =>
                setSize({
                  of: address,
                  width: currentTarget.naturalWidth,
                  height: currentTarget.naturalHeight,
                })
              }
            />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Button that copies a picture as PNG; its icon shows that it did, or that the clipboard refused. */
function CopyPicture(props: { readonly image: () => HTMLImageElement | null }) {
  const [state, setState] = useState<'rest' | 'copied' | 'refused'>('rest')
  const labels = { rest: 'Copy picture', copied: 'Copied', refused: 'The picture was not copied' }
  return (
    <IconButton
      label={labels[state]}
      icon={state === 'copied' ? Check : Copy}
      onClick={() => {
        copyPicture(props.image()).then(
          () => setState('copied'),
          () => setState('refused'),
        )
      }}
    />
  )
}

async function copyPicture(image: HTMLImageElement | null): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = image?.naturalWidth ?? 0
  canvas.height = image?.naturalHeight ?? 0
  if (image !== null) canvas.getContext('2d')?.drawImage(image, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('the picture has no points')
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
}
