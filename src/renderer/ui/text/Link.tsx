import { Image } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { Icon } from '../controls/Icon'
import { formatByteSize } from '../format/format'
import { useTextServices } from './text-services'

const openable = /^(https?:\/\/|mailto:)/i

/**
 * Link in a text, opened only by a click, with its address in the tooltip. One that may not be opened is shown as
 * text, with its address.
 */
export function Link(props: { readonly url: string; readonly children: ReactNode }) {
  const { url, children } = props
  const { openLink } = useTextServices()
  if (!openable.test(url))
    return (
      <span className="dead-link">
        {children} <span className="t3">({shortened(url)})</span>
      </span>
    )
  // A middle click would open a window of Skein; links open in the system's browser only.
  const open = (event: MouseEvent) => {
    event.preventDefault()
    if (event.button < 2) openLink(url)
  }
  return (
    <a href={url} title={url} onClick={open} onAuxClick={open}>
      {children}
    </a>
  )
}

/** Image in a text as a link: it is not loaded, since that would tell its host who reads. */
export function ImageLink(props: { readonly url: string; readonly alt: string }) {
  const { url, alt } = props
  const words = visibleText(alt === '' ? 'image' : alt)
  return (
    <span className="image-link">
      <Icon of={Image} label="Image, not loaded" />
      {url.startsWith('data:') ? (
        <span title={shortened(url)}>
          {words} <span className="t3">(inside the text, {formatByteSize(url.length)})</span>
        </span>
      ) : (
        <Link url={url}>{words}</Link>
      )}
    </span>
  )
}

function shortened(url: string): string {
  const text = visibleText(url)
  return text.length <= 200 ? text : `${text.slice(0, 150)}…${text.slice(-40)}`
}
