import { useId, useState } from 'react'
import { useSettings } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'
import { SettingRow } from '../rows/SettingRow'

/** Most models shown at once; typing finds the others. */
const shownModels = 60

/** Row that tests the endpoint and offers the models of its answer. */
export function CheckRow() {
  const check = useSettings((state) => state.check)
  const isChecking = useSettings((state) => state.isChecking)
  const answer = useSettings((state) => state.answer)
  return (
    <>
      <SettingRow
        name="Test connection"
        words="Lists the endpoint’s models, at no cost."
        control={
          <Button isBusy={isChecking} onClick={() => void check()}>
            Test
          </Button>
        }
        from={isChecking && <span className="t3 small">asking</span>}
      />
      {answer !== undefined && (
        <div className="check-answer">
          <Note tone={answer.ok ? 'info' : 'error'}>{answer.message}</Note>
          {answer.models.length > 0 && <Models models={answer.models} />}
        </div>
      )}
    </>
  )
}

function Models(props: { readonly models: readonly string[] }) {
  const { models } = props
  const [filter, setFilter] = useState('')
  const chosen = useSettings(({ view }) => view?.model.value)
  const setModel = useSettings((state) => state.setModel)
  const id = useId()
  const found = models.filter((model) => model.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <div className="check-models">
      <div className="field">
        <input
          id={id}
          type="search"
          aria-label="Filter models"
          placeholder={`Filter ${formatQuantity(models.length, 'model')}`}
          value={filter}
          spellCheck={false}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      <ul aria-label="Models">
        {found.slice(0, shownModels).map((model) => (
          <li key={model}>
            <button
              type="button"
              className={`model-choice ${model === chosen ? 'selected' : ''}`}
              aria-pressed={model === chosen}
              onClick={() => void setModel({ model })}
            >
              {model}
            </button>
          </li>
        ))}
      </ul>
      {found.length > shownModels && (
        <p className="t3 micro">
          {formatQuantity(found.length - shownModels, 'more', 'more')}: type to narrow.
        </p>
      )}
    </div>
  )
}
