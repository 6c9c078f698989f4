import { Switch } from 'radix-ui'
import { useId } from 'react'
import { useSettings, useStores } from '../../state/context'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { SettingRow } from '../rows/SettingRow'
import { TextSetting } from '../rows/TextSetting'

/** Rows of Settings for generated titles: on or off, and by which model. */
export function TitleRows() {
  const { settings } = useStores()
  const preferences = useSettings(({ view }) => view?.preferences)
  const setPreferences = useSettings((state) => state.setPreferences)
  const refusal = useSettings(({ refusals }) => refusals.preferences)
  const switchId = useId()
  const modelId = useId()
  if (preferences === undefined) return null
  const { titles, titleModel } = preferences
  return (
    <>
      <RefusalNote title="Not saved." refusal={refusal} />
      <SettingRow
        name="Let the model title conversations"
        labelFor={switchId}
        words="After the first answer, the model gets the beginning and end once more and writes a title. It never replaces yours."
        control={
          <Switch.Root
            id={switchId}
            className="switch"
            checked={titles}
            onCheckedChange={(wanted) => void setPreferences({ titles: wanted })}
          >
            <Switch.Thumb className="switch-thumb" />
          </Switch.Root>
        }
      />
      <SettingRow
        name="Model for titles"
        labelFor={modelId}
        words="Uses the conversation’s endpoint. A small model is enough. Empty: the conversation’s model."
        control={
          <TextSetting
            id={modelId}
            value={titleModel}
            placeholder="The conversation’s model"
            onSave={async (model) => {
              await setPreferences({ titleModel: model })
              return settings.getState().refusals.preferences === undefined
            }}
            onFocus={() => undefined}
          />
        }
      />
    </>
  )
}
