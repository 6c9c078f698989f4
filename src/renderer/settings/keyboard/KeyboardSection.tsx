import { fixedKeys } from '../../../shared/model/keys/fixed-keys'
import { windowCommandNames } from '../../../shared/model/keys/window-commands'
import { isKeyFault } from '../../../shared/model/settings/settings'
import { useSettings } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { useKeyTable } from '../../ui/controls/command-keys'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { SettingFaults } from '../rows/Faults'
import { SettingRow } from '../rows/SettingRow'
import { CommandRow, KeyList } from './CommandRow'
import { type OwnKeysEdit, useOwnKeys } from './use-own-keys'

/** Section of Settings with the sheet of shortcuts: keys of commands, which can be changed, and fixed ones. */
export function KeyboardSection() {
  const edit = useOwnKeys()
  const { problems } = useKeyTable()
  const faults = useSettings(({ view }) => view?.faults)
  const refusal = useSettings(({ refusals }) => refusals.preferences)
  const isStandard = edit.own === undefined || Object.keys(edit.own).length === 0
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
        <SettingRow
          name="Keys of commands"
          words="A key counts by what your keyboard types with it; where that is none of A to Z, by its place."
          control={
            <Button isSmall isDisabled={isStandard} onClick={() => edit.reset()}>
              All back to the standard
            </Button>
          }
        />
        {edit.kept !== undefined && edit.kept.command === undefined && <KeptNote edit={edit} />}
        {windowCommandNames.map((command) => (
          <div key={command}>
            <CommandRow command={command} edit={edit} />
            {edit.kept?.command === command && <KeptNote edit={edit} />}
          </div>
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

/** Note of a change that was kept, with Undo. */
function KeptNote(props: { readonly edit: OwnKeysEdit }) {
  const { kept, undo } = props.edit
  return (
    <Note
      tone="plain"
      title={kept?.words}
      actions={
        <Button isSmall onClick={undo}>
          Undo
        </Button>
      }
    />
  )
}
