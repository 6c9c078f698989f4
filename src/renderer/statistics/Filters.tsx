import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { StatisticsAnswer } from '../../shared/model/statistics/answer'
import { useStatistics, useStores } from '../state/context'
import { Icon } from '../ui/controls/Icon'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { formatCount } from '../ui/format/format'
import { modelName, projectName } from './marks/labels'
import { rangeNames } from './marks/use-show-mark'

type Choices = StatisticsAnswer['choices']

/** The time, source, project and model that the view is about. */
export function Filters(props: { readonly choices: Choices | undefined }) {
  const { choices } = props
  const { statistics } = useStores()
  const range = useStatistics((state) => state.range)
  const chosen = useStatistics((state) => state.chosen)
  const choose = (more: object) => statistics.getState().choose({ ...chosen, ...more })
  return (
    <div className="statistics-filters">
      <SegmentedControl
        label="Time"
        value={range}
        options={rangeNames}
        onChoose={(value) => statistics.getState().setRange(value)}
      />
      <Filter
        name="Source"
        all="All sources"
        rows={choices?.sources ?? []}
        nameOf={(source) => sourceLabel(source ?? '')}
        chosen={chosen.source}
        onChoose={(source) => choose({ source: source ?? undefined })}
      />
      <Filter
        name="Project"
        all="Any project"
        rows={choices?.projects ?? []}
        nameOf={projectName}
        chosen={chosen.project}
        onChoose={(project) => choose({ project })}
      />
      <Filter
        name="Model"
        all="Any model"
        rows={choices?.models ?? []}
        nameOf={modelName}
        chosen={chosen.model}
        onChoose={(model) => choose({ model })}
      />
    </div>
  )
}

/** Menu of one filter; nothing where there is nothing to choose. */
function Filter(props: {
  readonly name: string
  readonly all: string
  readonly rows: Choices['projects']
  readonly nameOf: (value: string | null) => string
  /** Undefined for all. */
  readonly chosen: string | null | undefined
  readonly onChoose: (value: string | null | undefined) => void
}) {
  const { name, all, rows, nameOf, chosen, onChoose } = props
  if (rows.length < 2 && chosen === undefined) return null
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button small statistics-filter">
        <span className="unseen">{name}: </span>
        <span className="cut">{chosen === undefined ? all : nameOf(chosen)}</span>
        <Icon of={ChevronDown} size={12} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          loop
          // One level out: the menu alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
        >
          <DropdownMenu.RadioGroup value={idOf(chosen)}>
            <Item value={idOf(undefined)} onChoose={() => onChoose(undefined)}>
              {all}
            </Item>
            {rows.map((row) => (
              <Item
                key={idOf(row.name)}
                value={idOf(row.name)}
                count={row.conversations}
                onChoose={() => onChoose(row.name)}
              >
                {nameOf(row.name)}
              </Item>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Item(props: {
  readonly value: string
  readonly count?: number
  readonly onChoose: () => void
  readonly children: string
}) {
  return (
    <DropdownMenu.RadioItem
      value={props.value}
      className="menu-row"
      title={props.children}
      onSelect={() => props.onChoose()}
    >
      <span className="grow cut">{props.children}</span>
      {props.count !== undefined && (
        <span className="menu-hint number">{formatCount(props.count)}</span>
      )}
      <DropdownMenu.ItemIndicator asChild>
        <Icon of={Check} />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  )
}

/** None and all are not taken for a name. */
function idOf(value: string | null | undefined): string {
  return value === undefined ? 'all' : JSON.stringify(value)
}
