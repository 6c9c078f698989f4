import { useMemo } from 'react'
import { formatByteSize } from '../../../shared/model/basics/byte-size'
import { visibleText } from '../../../shared/model/basics/visible'
import type { PictureInText } from '../../../shared/model/calls/pictures-in-text'
import { PictureList } from './PictureList'

/** Pictures that stood in a text. */
export function TextPictures(props: { readonly pictures: readonly PictureInText[] }) {
  const { pictures } = props
  const shown = useMemo(
    () =>
      pictures.map(({ type, base64, bytes, name }) => ({
        name: visibleText(name),
        address: `data:${type.mime};base64,${base64}`,
        note: `${type.ending.toUpperCase()}, ${formatByteSize(bytes)}`,
        missing: 'cannot be shown',
      })),
    [pictures],
  )
  return <PictureList pictures={shown} label="Pictures in the text" />
}
