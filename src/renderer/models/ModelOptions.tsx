import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { RecentModel } from '../../shared/model/settings/model-info'
import { useModels } from '../state/context'
import { optionId, PickerField } from '../ui/controls/PickerField'
import { formatQuantity } from '../ui/format/format'
import { modelLabels } from './model-labels'
import { findModels, indexModels, type ModelRow, type ModelSource } from './model-rows'

const noRecent: readonly RecentModel[] = []

/** Field that filters a list of models; the focus stays in it while arrows move through the list. */
export function ModelOptions(props: {
  readonly sources: readonly ModelSource[]
  /** The model that answers now. */
  readonly used: RecentModel | undefined
  readonly onChoose: (row: ModelRow) => void
}) {
  const { sources, used, onChoose } = props
  const [query, setQuery] = useState('')
  const [cursor, setCursor] = useState(0)
  const recent = useModels(({ view }) => view?.recent) ?? noRecent
  const isAsking = useModels(({ asking }) => asking.size > 0)
  const shownQuery = useDeferredValue(query)
  const indexed = useMemo(() => indexModels(sources, recent), [sources, recent])
  const typedAt = sources.find(({ baseUrl }) => baseUrl === used?.baseUrl) ?? sources[0]
  const { rows, more } = useMemo(
    () => findModels(indexed, shownQuery, typedAt),
    [indexed, shownQuery, typedAt],
  )
  const here = Math.min(cursor, rows.length - 1)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: with other rows another option is at the cursor
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [here, rows])

  /** Chooses by the typed query: the drawn rows may be a letter behind it. */
  function chooseHere(): void {
    const now = query === shownQuery ? rows : findModels(indexed, query, typedAt).rows
    const row = now[Math.min(cursor, now.length - 1)]
    if (row !== undefined) onChoose(row)
  }

  return (
    <>
      <PickerField
        icon={Search}
        label="Find a model"
        placeholder="Parts of a name, such as claude 4.5"
        list={id}
        count={rows.length}
        here={here}
        value={query}
        onType={(value) => {
          setQuery(value)
          setCursor(0)
        }}
        onMove={setCursor}
        onEnter={chooseHere}
      />
      <div className="picker-list" ref={list} role="listbox" id={id} aria-label="Models">
        {rows.map((row, at) => (
          <Option
            key={row.key}
            id={optionId(id, at)}
            row={row}
            isHere={at === here}
            isUsed={row.baseUrl === used?.baseUrl && row.model.id === used.model}
            onChoose={() => onChoose(row)}
          />
        ))}
      </div>
      <p className="picker-count t3 small" role="status">
        {rows.length === 0
          ? isAsking
            ? 'Loading models…'
            : query.trim() === ''
              ? 'No models are known. Enter a key in Settings, or start a local server.'
              : 'No results.'
          : more > 0
            ? `${formatQuantity(more, 'more model', 'more models')}: type to narrow.`
            : formatQuantity(rows.length, 'model')}
      </p>
    </>
  )
}

function Option(props: {
  readonly id: string
  readonly row: ModelRow
  readonly isHere: boolean
  readonly isUsed: boolean
  readonly onChoose: () => void
}) {
  const { id, row, isHere, isUsed, onChoose } = props
  const { model, provider, isTyped, isRecent } = row
  const marks = [...(isUsed ? ['in use'] : []), ...(isRecent && !isUsed ? ['recent'] : [])]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which names this option as its active one
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={id}
      role="option"
      aria-selected={isHere}
      className={`picker-row ${isHere ? 'selected' : ''}`}
      onClick={onChoose}
    >
      <span className="picker-name">
        <span className="label cut">
          {isTyped ? `Use “${visibleText(model.id)}”` : visibleText(model.name ?? model.id)}
        </span>
        {model.name !== undefined && (
          <span className="mono micro t3 cut">{visibleText(model.id)}</span>
        )}
      </span>
      <span className="picker-facts micro t2 number">
        {[...marks, ...modelLabels(model), visibleText(provider)].map((words) => (
          <span key={words}>{words}</span>
        ))}
      </span>
    </div>
  )
}
