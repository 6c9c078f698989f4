import { useRef } from 'react'
import { fixedKeys } from '../../../shared/model/keys/fixed-keys'
import { windowCommandNames } from '../../../shared/model/keys/window-commands'
import { isKeyFault } from '../../../shared/model/settings/settings'
import { useSettings } from '../../state/context'
import { useKeptFocus } from '../../ui/behaviour/use-kept-focus'
import { Button } from '../../ui/controls/Button'
import { useKeyTable } from '../../ui/controls/command-keys'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { SettingFaults } from '../rows/Faults'
import { SettingRow } from '../rows/SettingRow'
import { CommandRow } from './CommandRow'
import { KeptNote } from './KeptNote'
import { KeyList } from './KeyList'
import { QuickKeyRow } from './QuickKeyRow'
import { useOwnKeys } from './use-own-keys'

/** Section of Settings with the sheet of shortcuts: keys of commands, which can be changed, and fixed ones. */
export function KeyboardSection() {
  const edit = useOwnKeys()
  const { problems } = useKeyTable()
  const faults = useSettings(({ view }) => view?.faults)
  const refusal = useSettings(({ refusals }) => refusals.preferences)
  const isStandard = edit.own === undefined || Object.keys(edit.own).length === 0
  const all = useRef<HTMLDivElement>(null)
  // Undo goes with its note.
  useKeptFocus(all, () => all.current?.querySelector('button')?.focus())
  return (
    <>
      <RefusalNote title="Not saved." refusal={refusal} />
      <SettingFaults
        faults={[
          ...(faults ?? []).filter(isKeyFault),
          ...problems.map((message) => ({ file: 'settings.json', message })),
        ]}
      />
      <section aria-label="Everywhere" className="key-rows">
        <h3 className="settings-head">Everywhere</h3>
        <div ref={all}>
          <SettingRow
            name="Keys of commands"
            words="A key counts by what your keyboard types with it; where that is none of A to Z, by its place."
            control={
              <Button isSmall isDisabled={isStandard} keepsFocus onClick={() => edit.reset()}>
                All back to the standard
              </Button>
            }
          />
          {edit.kept !== undefined && edit.kept.command === undefined && <KeptNote edit={edit} />}
        </div>
        <QuickKeyRow />
        {windowCommandNames.map((command) => (
          <CommandRow key={command} command={command} edit={edit} />
        ))}
      </section>
      {Object.entries(fixedKeys).map(([title, rows]) => (
        <section key={title} aria-label={title}>
          <h3 className="settings-head">{title}</h3>
          {rows.map(({ name, keys }) => (
            <SettingRow key={name} name={name} control={<KeyList keys={keys} />} />
          ))}
        </section>
      ))}
    </>
  )
}
