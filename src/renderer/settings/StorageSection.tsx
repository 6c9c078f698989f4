import { FolderOpen } from 'lucide-react'
import { Switch } from 'radix-ui'
import { useId } from 'react'
import {
  useActions,
  useApp,
  useLibraryState,
  useSearches,
  useSettings,
  useStores,
} from '../state/context'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { PathText } from '../ui/text/PathText'
import { CheckupRows } from './CheckupRows'
import { SettingRow } from './rows/SettingRow'
import { SnapshotRows } from './snapshots/SnapshotRows'

/** A side file that is written for every conversation, or not. */
function Switched(props: {
  readonly preference: 'keepPage' | 'logRequests'
  readonly name: string
  readonly words: string
}) {
  const { preference, name, words } = props
  const isOn = useSettings(({ view }) => view?.preferences[preference])
  const setPreferences = useSettings((state) => state.setPreferences)
  const id = useId()
  if (isOn === undefined) return null
  return (
    <SettingRow
      name={name}
      labelFor={id}
      words={words}
      control={
        <Switch.Root
          id={id}
          className="switch"
          checked={isOn}
          onCheckedChange={(wanted) => void setPreferences({ [preference]: wanted })}
        >
          <Switch.Thumb className="switch-thumb" />
        </Switch.Root>
      }
    />
  )
}

/** Whether recent searches are kept; turning it off clears them. */
function RecentSearchesRow() {
  const { searches } = useStores()
  const keepsRecent = useSearches((state) => state.keepsRecent)
  const recent = useSearches((state) => state.recent.length)
  const id = useId()
  const kept = recent === 0 ? '' : ` ${formatQuantity(recent, 'search', 'searches')} now.`
  return (
    <SettingRow
      name="Keep recent searches"
      labelFor={id}
      words={
        keepsRecent
          ? `On this machine, in no home.${kept} Turning it off clears them; saved searches stay.`
          : 'None are kept. Saved searches stay.'
      }
      control={
        <Switch.Root
          id={id}
          className="switch"
          checked={keepsRecent}
          onCheckedChange={(wanted) => searches.getState().setKeepsRecent(wanted)}
        >
          <Switch.Thumb className="switch-thumb" />
        </Switch.Root>
      }
    />
  )
}

/** Section of Settings for the home's folder and the side files that Skein writes. */
export function StorageSection() {
  const { app } = useStores()
  const { openHome } = useActions()
  const status = useApp((state) => state.status)
  const opening = useApp((state) => state.opening)
  const openFailure = useApp((state) => state.openFailure)
  const outsideFailure = useApp((state) => state.outsideFailure)
  const refusal = useSettings(({ refusals }) => refusals.preferences)
  // The status counts once, when the home is opened.
  const listed = useLibraryState(({ phase, conversations }) =>
    phase === 'ready'
      ? conversations.filter(({ source, gone }) => source === 'chibi' && !gone).length
      : undefined,
  )
  if (status === undefined) return null
  const { home } = status
  return (
    <>
      <RefusalNote title="The home was not opened." refusal={openFailure} />
      <RefusalNote title="Not shown." refusal={outsideFailure} />
      <SettingRow
        name="Home"
        words={
          home.exists
            ? `${formatQuantity(listed ?? home.contexts, 'conversation')}, one folder each, as plain JSON lines.${home.sample ? ' This is the sample library.' : ''}`
            : 'Created with your first message.'
        }
        control={<PathText path={home.shown} />}
        from={
          home.exists && (
            <Button isSmall icon={FolderOpen} onClick={() => void app.getState().reveal('', '')}>
              Show
            </Button>
          )
        }
      />
      <SettingRow
        name="Another home"
        words="A folder of conversations somewhere else. Nothing is moved or copied."
        control={
          <Button isSmall isBusy={opening === 'choose'} onClick={() => void openHome('choose')}>
            Open another folder…
          </Button>
        }
      />
      <SnapshotRows />
      <CheckupRows />
      <RefusalNote title="Not saved." refusal={refusal} />
      <Switched
        preference="keepPage"
        name="transcript.md"
        words="When you start fresh for the model, the earlier messages are also saved there as plain text."
      />
      <Switched
        preference="logRequests"
        name="requests.jsonl"
        words="Logs each request to a model beside its conversation, without keys. The file grows with every request."
      />
      <RecentSearchesRow />
    </>
  )
}
