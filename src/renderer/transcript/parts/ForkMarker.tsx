import { ChevronLeft, ChevronRight, GitCompareArrows } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { ForkView } from '../../state/transcript-state'
import { IconButton } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { MenuContent } from '../../ui/controls/MenuContent'
import { Tooltip } from '../../ui/controls/Tooltip'
import { formatCount } from '../../ui/format/format'
import { useTurnActions } from './use-turn-actions'

/** Marker of a fork, "2 / 3": arrows open the neighbouring branches, the number lists all. */
export function ForkMarker(props: { readonly fork: ForkView }) {
  const { fork } = props
  const { goWay, compareWay } = useTurnActions()
  const marker = useRef<HTMLSpanElement>(null)
  const go = (index: number) => goWay(fork, index, marker.current?.closest('[data-item]') ?? null)
  const place = `${formatCount(fork.index + 1)} / ${formatCount(fork.ways.length)}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <span className="fork" ref={marker} role="group" aria-label="Branches here">
      <IconButton
        label="Previous branch"
        keys={['[']}
        icon={ChevronLeft}
        size="small"
        isDisabled={fork.index === 0}
        onClick={() => go(fork.index - 1)}
      />
      <DropdownMenu.Root modal={false}>
        <Tooltip text="All branches from here">
          <DropdownMenu.Trigger className="fork-number number" aria-label={`Branch ${place}`}>
            {place}
          </DropdownMenu.Trigger>
        </Tooltip>
        <MenuContent align="end" label="All branches from here" className="fork-menu">
          <DropdownMenu.RadioGroup
            value={String(fork.index)}
            onValueChange={(index) => go(Number(index))}
          >
            {fork.ways.map((way, index) => (
              <DropdownMenu.RadioItem key={way.node} value={String(index)} className="menu-row">
                <span className="fork-place number">{formatCount(index + 1)}</span>
                <span className="cut">
                  {way.title === '' ? 'Without words' : visibleText(way.title)}
                </span>
                {index === fork.index && <span className="menu-hint">open</span>}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          {fork.ways.map(
            (way, index) =>
              index !== fork.index && (
                <DropdownMenu.Item
                  key={way.node}
                  className="menu-row"
                  onSelect={() => compareWay(fork, index)}
                >
                  <Icon of={GitCompareArrows} />
                  <span className="cut">Compare with {formatCount(index + 1)}</span>
                </DropdownMenu.Item>
              ),
          )}
        </MenuContent>
      </DropdownMenu.Root>
      <IconButton
        label="Next branch"
        keys={[']']}
        icon={ChevronRight}
        size="small"
        isDisabled={fork.index === fork.ways.length - 1}
        onClick={() => go(fork.index + 1)}
      />
    </span>
  )
}
