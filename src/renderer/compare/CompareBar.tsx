import { ArrowLeftRight, ChevronFirst, ChevronLast, Share } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useId } from 'react'
import type { ComparisonOverview } from '../../shared/model/comparison/comparison-view'
import { useCompare, useStores } from '../state/context'
import { IconButton } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { MenuContent } from '../ui/controls/MenuContent'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { Tooltip } from '../ui/controls/Tooltip'
import { differenceText, forkText } from './comparison-labels'

const layouts = { split: 'Side by side', unified: 'Unified' } as const

/** Content of the bar of a comparison: where both part, exchange and export. */
export function CompareBar(props: { readonly view: ComparisonOverview | undefined }) {
  const { view } = props
  const { compare } = useStores()
  if (view === undefined) return <span className="grow" />
  return (
    <>
      <span className="t2 cut grow" title={forkText(view)}>
        {forkText(view)}
      </span>
      <IconButton
        label="Exchange the sides"
        icon={ArrowLeftRight}
        onClick={() => void compare.getState().swap()}
      />
      <ExportMenu />
    </>
  )
}

/** Line below the bar: how much differs, how it is shown, and the steps between differences. */
export function CompareTools(props: {
  readonly view: ComparisonOverview
  readonly isNarrow: boolean
  readonly hasDifferences: boolean
  readonly areNumbersShown: boolean
  readonly onNumbers: () => void
  readonly onStep: (step: 1 | -1) => void
}) {
  const { view, isNarrow, hasDifferences } = props
  const options = useCompare((state) => state.options)
  const setOptions = useCompare((state) => state.setOptions)
  return (
    <div className="compare-tools">
      <span className="t3 small number grow compare-difference">{differenceText(view)}</span>
      {!isNarrow && (
        <SegmentedControl
          label="Layout"
          value={options.layout}
          options={layouts}
          onChoose={(chosen) => setOptions({ layout: chosen })}
        />
      )}
      <Check label="Words" isOn={options.words} onChange={(words) => setOptions({ words })} />
      <Check
        label="Only what differs"
        isOn={options.onlyDiffering}
        onChange={(onlyDiffering) => setOptions({ onlyDiffering })}
      />
      <button
        type="button"
        className={`button small ghost ${props.areNumbersShown ? 'on' : ''}`}
        aria-expanded={props.areNumbersShown}
        onClick={props.onNumbers}
      >
        Numbers
      </button>
      <span className="compare-steps">
        <IconButton
          label="Previous difference"
          keys={['Shift', 'F7']}
          icon={ChevronFirst}
          isDisabled={!hasDifferences}
          onClick={() => props.onStep(-1)}
        />
        <IconButton
          label="Next difference"
          keys={['F7']}
          icon={ChevronLast}
          isDisabled={!hasDifferences}
          onClick={() => props.onStep(1)}
        />
      </span>
    </div>
  )
}

function Check(props: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <label className="compare-check small t2" htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        checked={props.isOn}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      {props.label}
    </label>
  )
}

function ExportMenu() {
  const save = useCompare((state) => state.save)
  const isSaving = useCompare((state) => state.saving !== undefined)
  return (
    <DropdownMenu.Root modal={false}>
      <Tooltip text="Export comparison">
        <DropdownMenu.Trigger
          className="icon-button large"
          aria-label="Export comparison"
          disabled={isSaving}
        >
          <Icon of={Share} />
        </DropdownMenu.Trigger>
      </Tooltip>
      <MenuContent align="end" label="Export comparison">
        <DropdownMenu.Item className="menu-row" onSelect={() => void save('md')}>
          <span className="grow">As Markdown…</span>
        </DropdownMenu.Item>
        <DropdownMenu.Item className="menu-row" onSelect={() => void save('html')}>
          <span className="grow">As HTML…</span>
        </DropdownMenu.Item>
      </MenuContent>
    </DropdownMenu.Root>
  )
}
