import { entryTimeMs } from '../../../shared/model/basics/time'
import type { Entry } from '../../../shared/model/conversation/entry'
import { Tooltip } from '../../ui/controls/Tooltip'
import { clockTime } from '../../ui/format/format'
import { metadataFactsOf } from '../entries/metadata'

/** Flags of an entry without a head; nothing where it has none. */
export function HeadlessEntryFlags(props: { readonly entry: Entry }) {
  const { isRecovered, isDamaged, isDeep } = metadataFactsOf(props.entry)
  if (!isRecovered && !isDamaged && !isDeep) return null
  return (
    <div className="turn-marks">
      <EntryFlags entry={props.entry} />
    </div>
  )
}

/** Flags of an entry that was not read as a whole: recovered, damaged, too deep. */
export function EntryFlags(props: { readonly entry: Entry }) {
  const { isRecovered, isDamaged, isDeep } = metadataFactsOf(props.entry)
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

/** Returns a speaker and the time, for screen readers. */
export function turnLabel(name: string, timestamp: number | null): string {
  const atMs = entryTimeMs(timestamp)
  return atMs === undefined ? name : `${name}, ${clockTime(atMs)}`
}

/** Returns an entry's time in Unix ms; undefined without a valid one. */
export function shownTimeMs(entry: Pick<Entry, 'timestamp'>): number | undefined {
  return entryTimeMs(entry.timestamp)
}
