import type { Entry } from '../../shared/model/entry'
import { momentOf } from '../../shared/model/time'
import { clockTime } from '../ui/format'
import { Tooltip } from '../ui/Tooltip'
import { factsOf } from './metadata'

/** What is not whole about an entry without a head. */
export function QuietMarks(props: { readonly entry: Entry }) {
  const { isRecovered, isDamaged, isDeep } = factsOf(props.entry)
  if (!isRecovered && !isDamaged && !isDeep) return null
  return (
    <div className="turn-marks">
      <Marks entry={props.entry} />
    </div>
  )
}

/** What is not whole about an entry. */
export function Marks(props: { readonly entry: Entry }) {
  const { isRecovered, isDamaged, isDeep } = factsOf(props.entry)
  return (
    <>
      {isRecovered && (
        <Tooltip text="The rest of its line could not be read.">
          <span className="chip warn">recovered from a damaged line</span>
        </Tooltip>
      )}
      {isDamaged && (
        <Tooltip text="Bytes that are not text are shown as U+FFFD. The file is unchanged.">
          <span className="chip warn">some bytes are not text</span>
        </Tooltip>
      )}
      {isDeep && (
        <Tooltip text="Metadata that is nested too deeply is shown as text. The file is unchanged.">
          <span className="chip warn">deep metadata is shown as text</span>
        </Tooltip>
      )}
    </>
  )
}

/** A speaker and the time, as they are read out. */
export function spoken(name: string, timestamp: number | null): string {
  const atMs = momentOf(timestamp)
  return atMs === undefined ? name : `${name}, ${clockTime(atMs)}`
}

/** An entry's time in milliseconds. */
export function msOf(entry: Pick<Entry, 'timestamp'>): number | undefined {
  return momentOf(entry.timestamp)
}
