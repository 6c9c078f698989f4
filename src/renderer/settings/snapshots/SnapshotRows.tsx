import { visibleText } from '../../../shared/model/basics/visible'
import { useSnapshots, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatByteSize, formatQuantity } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { RestoreRow } from './RestoreRow'
import { TakeRow } from './TakeRow'

/** Rows of Settings that write the home into one file, and make a folder of one. */
export function SnapshotRows() {
  const refusal = useSnapshots((state) => state.refusal)
  return (
    <>
      <RefusalNote
        title={refusal?.act === 'restore' ? 'Nothing was restored.' : 'No snapshot was taken.'}
        refusal={refusal?.error}
      />
      <SnapshotResult />
      <TakeRow />
      <RestoreRow />
      <SnapshotSteps />
    </>
  )
}

/** How far it is, with a button that stops it. */
function SnapshotSteps() {
  const { snapshots } = useStores()
  const step = useSnapshots((state) => state.step)
  if (step === undefined) return null
  const { act, phase, bytes, totalBytes } = step
  const words =
    phase === 'checking' ? 'Reading it back' : act === 'take' ? 'Writing the snapshot' : 'Restoring'
  return (
    <div className="settings-after import-progress">
      <span className="small t2 settings-words">{words}</span>
      <progress aria-label={words} max={Math.max(totalBytes, 1)} value={bytes} />
      <span className="small t2 number">
        {formatByteSize(bytes)} of {formatByteSize(totalBytes)}
      </span>
      <Button kind="ghost" isSmall onClick={() => void snapshots.getState().stop()}>
        Stop
      </Button>
    </div>
  )
}

function SnapshotResult() {
  const done = useSnapshots((state) => state.done)
  if (done === undefined) return null
  const { act, files, bytes, shown, leftOut } = done
  const size = `${formatQuantity(files, 'file')}, ${formatByteSize(bytes)}`
  const place = visibleText(shown)
  return (
    <Note
      tone={leftOut.length === 0 ? 'info' : 'warn'}
      title={act === 'take' ? 'The snapshot is whole.' : 'The snapshot was restored.'}
    >
      {act === 'take' ? `${size}, read back: ${place}` : `${size}. Open the folder ${place}`}
      {leftOut.length > 0 &&
        ` Left out, since they are no files: ${leftOut.map(visibleText).join(', ')}`}
    </Note>
  )
}
