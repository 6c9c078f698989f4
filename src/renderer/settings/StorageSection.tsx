import { FolderOpen } from 'lucide-react'
import { useActions, useApp, useStores } from '../state/context'
import { Button } from '../ui/Button'
import { counted } from '../ui/format'
import { Note } from '../ui/Note'
import { PathText } from '../ui/PathText'
import { Row } from './Row'

/** Where the conversations are on the disk. */
export function StorageSection() {
  const { app } = useStores()
  const { openHome } = useActions()
  const status = useApp((state) => state.status)
  const opening = useApp((state) => state.opening)
  const openFailure = useApp((state) => state.openFailure)
  const outsideFailure = useApp((state) => state.outsideFailure)
  if (status === undefined) return null
  const { home, version } = status
  return (
    <>
      {openFailure !== undefined && (
        <Note tone="error" title="The home was not opened." detail={openFailure.detail}>
          {openFailure.message}
        </Note>
      )}
      {outsideFailure !== undefined && (
        <Note tone="error" title="Not shown." detail={outsideFailure.detail}>
          {outsideFailure.message}
        </Note>
      )}
      <Row
        name="Home"
        words={
          home.exists
            ? `${counted(home.contexts, 'context')}, one folder each, plain JSON lines.${home.sample ? ' This is the sample library.' : ''}`
            : 'Not there yet: the first message creates it.'
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
      <Row
        name="Another home"
        words="A chibi home that you keep elsewhere. Nothing is moved or copied."
        control={
          <Button isSmall isBusy={opening === 'choose'} onClick={() => void openHome('choose')}>
            Open another folder…
          </Button>
        }
      />
      <Row
        name="Skein"
        words="Nothing leaves this machine but the messages you send to the model."
        control={<span className="t2 number">{version}</span>}
      />
    </>
  )
}
