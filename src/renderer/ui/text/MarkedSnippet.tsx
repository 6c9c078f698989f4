import { useMemo } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { snippetParts } from './snippet-parts'

/** Snippet of a hit, with the words marked. */
export function MarkedSnippet(props: {
  readonly snippet: string
  readonly ranges: readonly (readonly [number, number])[]
  /** About as many characters as fit before the first mark; wide ones count twice. */
  readonly unitsBeforeMark: number
}) {
  const { snippet, ranges, unitsBeforeMark } = props
  const parts = useMemo(
    () => snippetParts(snippet, ranges, unitsBeforeMark),
    [snippet, ranges, unitsBeforeMark],
  )
  return parts.map(({ text, isMarked }, index) =>
    isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
      <mark key={index}>{visibleText(text)}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
      <span key={index}>{visibleText(text)}</span>
    ),
  )
}
