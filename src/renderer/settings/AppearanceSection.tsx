import { Minus, Plus } from 'lucide-react'
import { Switch } from 'radix-ui'
import { useId } from 'react'
import type { Preferences } from '../../shared/model/settings/settings'
import { useActions, useSettings } from '../state/context'
import { Button, IconButton } from '../ui/controls/Button'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { SettingRow } from './rows/SettingRow'

/** Section of Settings for theme, contrast, density, text size and notifications. */
export function AppearanceSection() {
  const preferences = useSettings(({ view }) => view?.preferences)
  const setPreferences = useSettings((state) => state.setPreferences)
  const refusal = useSettings(({ refusals }) => refusals.preferences)
  const { zoom } = useActions()
  const notifies = useId()
  if (preferences === undefined) return null
  const set = (change: Partial<Preferences>) => void setPreferences(change)
  return (
    <>
      <RefusalNote title="Not saved." refusal={refusal} />
      <SettingRow
        name="Theme"
        control={
          <SegmentedControl
            label="Theme"
            value={preferences.theme}
            options={{ system: 'System', light: 'Light', dark: 'Dark' }}
            onChoose={(theme) => set({ theme })}
          />
        }
      />
      <SettingRow
        name="Contrast"
        words="More: text contrast of 7:1 and stronger lines."
        control={
          <SegmentedControl
            label="Contrast"
            value={preferences.contrast}
            options={{ system: 'System', normal: 'Normal', more: 'More' }}
            onChoose={(contrast) => set({ contrast })}
          />
        }
      />
      <SettingRow
        name="Density"
        words="Compact fits a fifth more rows."
        control={
          <SegmentedControl
            label="Density"
            value={preferences.density}
            options={{ comfortable: 'Comfortable', compact: 'Compact' }}
            onChoose={(density) => set({ density })}
          />
        }
      />
      <SettingRow
        name="Text size"
        words="Scales the whole window."
        control={
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend of its own
          <div className="row-x" role="group" aria-label="Text size">
            <IconButton
              label="Smaller text"
              keys="zoom-out"
              icon={Minus}
              isDisabled={preferences.textZoom <= 0.8}
              onClick={() => zoom('out')}
            />
            <output className="zoom-value number">
              {Math.round(preferences.textZoom * 100)} %
            </output>
            <IconButton
              label="Larger text"
              keys="zoom-in"
              icon={Plus}
              isDisabled={preferences.textZoom >= 2}
              onClick={() => zoom('in')}
            />
            <Button kind="ghost" isSmall onClick={() => zoom('reset')}>
              Reset
            </Button>
          </div>
        }
      />
      <SettingRow
        name="Notifications"
        labelFor={notifies}
        words="While another program is in front: a long answer has ended, or a tool waits for your approval."
        control={
          <Switch.Root
            id={notifies}
            className="switch"
            checked={preferences.notifies}
            onCheckedChange={(wanted) => set({ notifies: wanted })}
          >
            <Switch.Thumb className="switch-thumb" />
          </Switch.Root>
        }
      />
    </>
  )
}
