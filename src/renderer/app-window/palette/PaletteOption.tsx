import { useMemo } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { KeyHint } from '../../ui/controls/Button'
import { useSpokenKeys } from '../../ui/controls/command-keys'
import { Icon } from '../../ui/controls/Icon'
import { SourceMark } from '../../ui/controls/SourceMark'
import { MarkedSnippet } from '../../ui/text/MarkedSnippet'
import { markedRanges, type PaletteItem } from './palette-items'

/** Longest name that is drawn whole; what is longer is cut off by the row anyway. */
const longestDrawn = 300

/** Option of the palette: its name with the typed words marked, where it belongs, and its keys. */
export function PaletteOption(props: {
  readonly id: string
  readonly item: PaletteItem
  readonly query: string
  readonly isHere: boolean
  readonly onChoose: () => void
}) {
  const { id, item, query, isHere, onChoose } = props
  const name = item.name.slice(0, longestDrawn)
  const spoken = useSpokenKeys(item.keys)
  const ranges = useMemo(() => markedRanges(name, query), [name, query])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which names this option as its active one
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={id}
      role="option"
      aria-selected={isHere}
      className={`picker-row palette-row ${isHere ? 'selected' : ''}`}
      onClick={onChoose}
    >
      {item.source === undefined ? <Icon of={item.icon} /> : <SourceMark source={item.source} />}
      <span className="cut palette-name">
        <MarkedSnippet snippet={name} ranges={ranges} unitsBeforeMark={400} />
      </span>
      {item.hint !== undefined && (
        <span className="cut micro t3 palette-hint">{visibleText(item.hint)}</span>
      )}
      {item.keys !== undefined && <KeyHint keys={item.keys} />}
      {spoken !== '' && <span className="unseen">{spoken}</span>}
    </div>
  )
}
