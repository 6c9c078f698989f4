import type { ReleasePackage, UpdatePlace } from '../../shared/model/updates'
import { useApp, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { formatByteSize, formatQuantity } from '../ui/format/format'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { SettingRow } from './rows/SettingRow'

/**
 * Row of Settings, About that asks for a newer Skein when a person wants it, and says where it is. A package that names no place to ask, or
 * whose place cannot be read, says so.
 */
export function UpdateRow(props: { readonly place: UpdatePlace }) {
  const { place } = props
  const { app } = useStores()
  const version = useApp(({ status }) => status?.version)
  const update = useApp((state) => state.update)
  const failure = useApp((state) => state.updateFailure)
  const isChecking = useApp((state) => state.isChecking)
  if (place.type !== 'named')
    return (
      <SettingRow
        name="Updates"
        words={
          place.type === 'off'
            ? 'This package names no place to ask, so nobody is asked.'
            : 'update-feed.json of this package cannot be read, so nobody is asked.'
        }
        control={<span className="t2">Off</span>}
      />
    )
  const words =
    update?.type === 'newer'
      ? `Skein ${update.version} is available.`
      : update?.type === 'current'
        ? `Skein ${version ?? ''} is up to date.`
        : ''
  return (
    <>
      <SettingRow
        name="Updates"
        words={`Asks ${place.host} when you press the button, never by itself. Skein downloads and installs nothing.`}
        control={
          <Button isSmall isBusy={isChecking} onClick={() => void app.getState().checkForUpdates()}>
            Check for updates
          </Button>
        }
      />
      <LiveRegion>{words}</LiveRegion>
      <RefusalNote title="Updates could not be checked." refusal={failure} />
      {update?.type === 'current' && <Note tone="info">{words}</Note>}
      {update?.type === 'newer' && (
        <>
          <Note
            tone="info"
            actions={
              <Button isSmall onClick={() => void app.getState().openLink(place.page)}>
                Open the download page…
              </Button>
            }
          >
            {words}
          </Note>
          {update.packages.length > 0 && <Packages packages={update.packages} />}
        </>
      )}
    </>
  )
}

function Packages(props: { readonly packages: readonly ReleasePackage[] }) {
  const { packages } = props
  return (
    <details className="licences">
      <summary className="small">
        {formatQuantity(packages.length, 'package')} with {packages.length === 1 ? 'its' : 'their'}{' '}
        SHA-512
      </summary>
      <ul>
        {packages.map(({ name, size, sha512 }) => (
          <li key={name}>
            {name} <span className="t3 number">{formatByteSize(size)}</span>
            <pre className="licence-words small">{sha512}</pre>
          </li>
        ))}
      </ul>
    </details>
  )
}
