import { useMemo } from 'react'
import type { Entry } from '../../../shared/model/conversation/entry'
import {
  type SavedOutput,
  savedOutputNote,
  savedOutputOf,
  withOutput,
} from '../../../shared/model/conversation/tool-results'
import { useReading, useTranscript } from '../../state/context'
import { outputKey } from '../../state/transcript-state'
import { Button } from '../../ui/controls/Button'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { RefusalNote } from '../../ui/notes/RefusalNote'

/** Returns the content of a result, with the parts of its saved output that were read since. */
export function useOutputText(result: Entry): string {
  const saved = useMemo(() => savedOutputOf(result), [result])
  const more = useReading(({ outputs }) =>
    saved === undefined ? undefined : outputs[addressKey(result, saved)]?.text,
  )
  if (saved === undefined || more === undefined || more === '') return result.content
  return withOutput(result.content, { from: saved.to, to: saved.to }, more)
}

/** Note on a saved output of which not all is shown, with a button that reads on; or why nothing of it is. */
export function SavedOutputNote(props: { readonly result: Entry }) {
  const { result } = props
  const saved = useMemo(() => savedOutputOf(result), [result])
  const key = useTranscript((state) => state.key)
  const read = useReading(({ outputs }) =>
    saved === undefined ? undefined : outputs[addressKey(result, saved)],
  )
  const readOutput = useReading((state) => state.readOutput)
  if (saved === undefined || key === undefined) return null
  if (saved.missing !== undefined)
    return <p className="tool-kept t2 small">{savedOutputNote(saved)}</p>
  const { shown = 0, bytes = 0 } = saved
  const now = read ?? { to: shown, bytes, isReading: false }
  if (now.to >= now.bytes) return null
  const place = { file: result.file, output: saved.file }
  return (
    <div className="tool-kept t2 small">
      {read?.failure !== undefined && (
        <RefusalNote title="The output could not be read." refusal={read.failure} />
      )}
      <p>
        Shows the first {formatCount(now.to)} of {formatQuantity(now.bytes, 'byte')}.{' '}
        <Button
          isSmall
          kind="ghost"
          isBusy={now.isReading}
          onClick={() => void readOutput(key, place, { to: shown, bytes })}
        >
          Show more
        </Button>
      </p>
    </div>
  )
}

function addressKey({ file }: Entry, { file: output }: SavedOutput): string {
  return outputKey({ file, output })
}
