import { visibleText } from '../../../shared/model/basics/visible'
import type { ImportingView } from '../../../shared/model/settings/source-roots'
import { useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatByteSize } from '../../ui/format/format'

/** Progress of the export that is imported now, with a button that stops it. */
export function ImportProgress(props: { readonly importing: ImportingView }) {
  const { name, bytes, totalBytes } = props.importing
  const { sources } = useStores()
  const shown = visibleText(name)
  const isCopying = totalBytes > 0
  return (
    <div className="settings-after import-progress">
      <span className="small t2 settings-words">Importing {shown}</span>
      <progress
        aria-label={`Import of ${shown}`}
        max={isCopying ? totalBytes : undefined}
        value={isCopying ? bytes : undefined}
      />
      <span className="small t2 number">
        {isCopying
          ? `${formatByteSize(bytes)} of ${formatByteSize(totalBytes)}`
          : 'Looking for conversations'}
      </span>
      <Button kind="ghost" isSmall onClick={() => void sources.getState().stopImport()}>
        Stop
      </Button>
    </div>
  )
}
