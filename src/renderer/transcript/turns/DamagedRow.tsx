import { TriangleAlert } from 'lucide-react'
import { memo, useMemo } from 'react'
import { useReading } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { bytesFromBase64, hexDump } from '../../ui/format/bytes'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { LongText } from '../../ui/text/LongText'
import { copyTextOf, type ItemOf, sourceLinesOf } from '../items/items'
import { TurnFrame } from './TurnFrame'

/** Row of a damaged line: its number and the reason; its bytes on demand. */
export const DamagedRow = memo(function DamagedRow(props: { readonly item: ItemOf<'damaged'> }) {
  const { damaged, key } = props.item
  const isOpen = useReading(({ folds }) => folds[key] === true)
  const setFold = useReading((state) => state.setFold)
  const where = damaged.line === undefined ? 'A line' : `Line ${formatCount(damaged.line)}`
  const title = damaged.torn ? `${where} is not finished` : `${where} is damaged`
  const kept = damaged.torn ? 'It may still be growing.' : 'Kept as is; nothing else is affected.'
  const bytes = useMemo(
    () => (isOpen ? bytesFromBase64(damaged.bytes) : undefined),
    [isOpen, damaged],
  )
  return (
    <TurnFrame
      itemKey={key}
      label={title}
      knot="bad"
      places={sourceLinesOf(props.item)}
      copyText={() => copyTextOf(props.item)}
      hasActions={false}
      className="damage-turn"
    >
      <div className="damage">
        <Icon of={TriangleAlert} />
        <span className="label">{title}</span>
        <span className="t2 cut">
          {formatQuantity(damaged.length, 'byte')} at offset {formatCount(damaged.offset)} of{' '}
          {damaged.file}: {damaged.reason}. {kept}
        </span>
        <span className="grow" />
        <Button kind="ghost" isSmall isExpanded={isOpen} onClick={() => setFold(key, !isOpen)}>
          {isOpen ? 'Hide bytes' : 'Show bytes'}
        </Button>
      </div>
      {bytes !== undefined && (
        <div className="damage-bytes">
          <div data-part="damaged">
            <LongText text={new TextDecoder().decode(bytes)} firstLines={20} label="As text" />
          </div>
          <LongText text={hexDump(bytes)} firstLines={12} wraps={false} label="As bytes" />
          {bytes.length < damaged.length && (
            <p className="t3 small">
              Shows its first {formatQuantity(bytes.length, 'byte')}; what is not shown begins at
              offset {formatCount(damaged.offset + bytes.length)}.
            </p>
          )}
        </div>
      )}
    </TurnFrame>
  )
})
