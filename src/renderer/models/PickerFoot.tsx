import { useApp, useModels, useStores } from '../state/context'
import { useNow } from '../ui/behaviour/hooks'
import { Button } from '../ui/controls/Button'
import { formatAge } from './model-labels'
import type { ModelSource } from './model-rows'

/** Serves its list without a key; without one it is fetched only when a person presses the button. */
const publicList = 'https://openrouter.ai/api/v1'

const minuteMs = 60_000

/** Foot of the model picker: age and failures of the model lists, and buttons to fetch them again. */
export function PickerFoot(props: {
  readonly sources: readonly ModelSource[]
  readonly onClose: () => void
}) {
  const { sources, onClose } = props
  const { models, app } = useStores()
  const lists = useModels((state) => state.lists)
  const isAsking = useModels(({ asking }) => asking.size > 0)
  const settings = useApp((state) => state.settings)
  const now = useNow(minuteMs)
  const isAsked = lists[publicList] !== undefined
  const open = sources.find(({ baseUrl }) => baseUrl === publicList && !isAsked)
  const shown = sources.flatMap(({ name, baseUrl }) => {
    const list = lists[baseUrl]
    return list === undefined ? [] : [{ name, ...list }]
  })
  const oldest = shown
    .flatMap(({ fetchedAt }) => (fetchedAt === null ? [] : [fetchedAt]))
    .reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)

  return (
    <footer className="picker-foot">
      <div className="grow small t2">
        {Number.isFinite(oldest) && <p>Lists fetched {formatAge(oldest, now)}.</p>}
        {shown.map(
          ({ name, baseUrl, failure, fetchedAt }) =>
            failure !== undefined && (
              <p key={baseUrl} className="err-t">
                {name}: {failure}
                {fetchedAt !== null && ` Its list of ${formatAge(fetchedAt, now)} is shown.`}
              </p>
            ),
        )}
      </div>
      {settings === undefined && (
        <Button
          kind="ghost"
          isSmall
          onClick={() => {
            onClose()
            app.getState().openSettings('model')
          }}
        >
          Providers and keys…
        </Button>
      )}
      {open !== undefined && (
        <Button
          kind="ghost"
          isSmall
          onClick={() => void models.getState().loadLists([publicList], true)}
        >
          Fetch OpenRouter’s list
        </Button>
      )}
      <Button
        isSmall
        isBusy={isAsking}
        onClick={() => {
          const known = shown.map(({ baseUrl }) => baseUrl)
          void models.getState().loadLists(known, true)
        }}
      >
        Fetch again
      </Button>
    </footer>
  )
}
