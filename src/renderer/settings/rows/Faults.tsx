import { TriangleAlert } from 'lucide-react'
import type { SettingFault } from '../../../shared/model/settings/settings'
import { Icon } from '../../ui/controls/Icon'

/** List of the faults in configuration files, each with its file and line; nothing without faults. */
export function SettingFaults(props: { readonly faults: readonly SettingFault[] }) {
  const { faults } = props
  if (faults.length === 0) return null
  return (
    <>
      <h3 className="settings-head">
        Invalid settings <span className="t3 number">{faults.length}</span>
      </h3>
      <ul className="settings-faults" aria-label="Invalid settings">
        {faults.map((fault, index) => (
          // A list may have the same fault twice, and nothing in a row has a state of its own.
          // biome-ignore lint/suspicious/noArrayIndexKey: it is all that tells equal faults apart
          <li key={index}>
            <Icon of={TriangleAlert} size={12} className="err-t" />
            <span className="origin-chip fault">{faultLocation(fault)}</span>
            <span className="grow">
              <FaultWords fault={fault} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Sentence about a fault, which says the key once. */
function FaultWords(props: { readonly fault: SettingFault }) {
  const { key, message } = props.fault
  if (key === undefined) return message
  const isNamed = message.startsWith(`${key} `)
  return (
    <>
      <span className="mono small">{isNamed ? key : `${key}: `}</span>
      {isNamed ? message.slice(key.length) : message}
    </>
  )
}

/** Fault of a setting, in place of the row's description. */
export function FaultText(props: { readonly fault: SettingFault }) {
  return (
    <span className="err-t fault-words">
      <Icon of={TriangleAlert} size={12} />
      {faultLocation(props.fault)}: {props.fault.message}
    </span>
  )
}

/** Reason why a change was refused, in place of the row's description; read aloud. */
export function RefusedChange(props: { readonly message: string }) {
  return (
    <span className="err-t fault-words" role="alert">
      <Icon of={TriangleAlert} size={12} />
      Not changed. {props.message}
    </span>
  )
}

/** Returns the file of a fault, with its line where it is known: `config.toml:18`. */
export function faultLocation({ file, line }: SettingFault): string {
  return line === undefined ? file : `${file}:${line}`
}
