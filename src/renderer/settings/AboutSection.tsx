import { useEffect } from 'react'
import type { BundledPackage } from '../state/app/app'
import { useApp, useStores } from '../state/context'
import { formatQuantity } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { SettingRow } from './rows/SettingRow'
import { UpdateRow } from './UpdateRow'

/** Section of Settings with the versions that Skein runs on and the licences of what is bundled. */
export function AboutSection() {
  const { app } = useStores()
  const version = useApp(({ status }) => status?.version)
  const parts = useApp((state) => state.parts)
  const failure = useApp((state) => state.partsFailure)
  const load = () => void app.getState().loadParts()
  useEffect(() => void app.getState().loadParts(), [app])
  return (
    <>
      <SettingRow
        name="Skein"
        words="MIT License. Nothing leaves this machine but the messages you send to the model."
        control={<span className="t2 number">{version}</span>}
      />
      {failure !== undefined && (
        <FailureNote title="The licences could not be read." failure={failure} onAgain={load} />
      )}
      {parts !== undefined && (
        <>
          <UpdateRow place={parts.updates} />
          <Version name="Electron" value={parts.electron} />
          <Version name="Chromium" value={parts.chromium} />
          <Version name="Node" value={parts.node} />
          <Licences packages={parts.packages} />
        </>
      )}
    </>
  )
}

function Version(props: { readonly name: string; readonly value: string }) {
  return <SettingRow name={props.name} control={<span className="t2 number">{props.value}</span>} />
}

function Licences(props: { readonly packages: readonly BundledPackage[] }) {
  const { packages } = props
  return (
    <section className="licences" aria-labelledby="licences">
      <h3 id="licences" className="label">
        Licences
      </h3>
      <p className="small t2">{`Skein contains the code of ${formatQuantity(packages.length, 'package')}.`}</p>
      <ul>
        {packages.map(({ name, version, license, words }) => (
          <li key={`${name}@${version}`}>
            <details>
              <summary>
                {name} <span className="t3 number">{version}</span>{' '}
                <span className="t3">{license}</span>
              </summary>
              <pre className="licence-words small">
                {words === '' ? 'The package brings no text of its licence.' : words}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}
