import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import type { ConfigFile, ConfigValue, SettingFault } from '../../../shared/model/settings/settings'
import { useSettings } from '../../state/context'
import { IconButton } from '../../ui/controls/Button'
import { FaultText, faultLocation, RefusedChange } from '../rows/Faults'
import { OriginButton, SettingRow } from '../rows/SettingRow'
import { ConfigControl } from './ConfigControl'
import { isFaultIn, offerInFile, overridingOffer } from './config-labels'

/** Row of a key of chibi's files, which changes it in its file or removes it there. */
export function ConfigRow(props: {
  readonly value: ConfigValue
  /** The file that is changed. */
  readonly file: ConfigFile
  readonly fault: SettingFault | undefined
  /** The file cannot be parsed, so nothing in it can be changed. */
  readonly isBroken: boolean
  readonly isSelected: boolean
  readonly onExplain: () => void
}) {
  const { value, file, fault, isBroken, isSelected, onExplain } = props
  const { key, name, used } = value
  const setValue = useSettings((state) => state.setValue)
  const refusal = useSettings(({ configRefusals }) => configRefusals[key])
  const id = useId()
  const upper = overridingOffer(value, file)
  const own = offerInFile(value, file)
  const isFixed = isBroken || upper !== undefined || (file === 'local.toml' && !value.isOfContexts)
  const change = (text: string | null) =>
    setValue({ key, value: text, file, was: own?.value ?? null })
  const reset = async () => {
    // The button goes with the value, so the focus goes to the field.
    if (await change(null)) document.getElementById(id)?.focus()
  }
  const canReset =
    !isBroken && (own !== undefined || (fault !== undefined && isFaultIn(fault, file)))
  return (
    <SettingRow
      name={name}
      configKey={key}
      labelFor={id}
      isSelected={isSelected}
      words={
        refusal !== undefined ? (
          <RefusedChange message={refusal.message} />
        ) : fault !== undefined ? (
          <FaultText fault={fault} />
        ) : upper !== undefined ? (
          `Set in ${upper.where}, which overrides ${file}. Change it there.`
        ) : own !== undefined && used === undefined ? (
          `${own.value} in ${own.where} is overridden.`
        ) : file === 'local.toml' && !value.isOfContexts ? (
          'Applies to the whole home.'
        ) : (
          value.words
        )
      }
      control={
        <ConfigControl
          id={id}
          value={value}
          text={used?.value ?? ''}
          isBad={fault !== undefined || refusal !== undefined}
          onFocus={onExplain}
          {...(isFixed ? {} : { onSave: (text) => change(text === '' ? null : text) })}
        />
      }
      from={
        <>
          <OriginButton
            value={fault === undefined ? used : { origin: file, where: faultLocation(fault) }}
            name={name}
            isFault={fault !== undefined}
            onExplain={onExplain}
          />
          {canReset && (
            <IconButton
              label={`Remove ${name} from ${file}`}
              icon={RotateCcw}
              size="small"
              onClick={() => void reset()}
            />
          )}
        </>
      }
    />
  )
}
