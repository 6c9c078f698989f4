import { rawLineBytes } from '../../../shared/model/basics/weight'
import type { EntryId } from '../../../shared/model/conversation/entry'
import { useReading } from '../../state/context'
import { lineAddressKey } from '../../state/transcript-state'
import { formatByteSize, formatCount, formatQuantity } from '../../ui/format/format'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { CopyButton } from '../../ui/text/CodeBlock'
import { LongText } from '../../ui/text/LongText'

/** Span of a source line in bytes, with its number where it is known. */
export interface NumberedLine {
  readonly file: string
  readonly line?: number | undefined
  readonly offset: number
  readonly length: number
  /** The id of its entry. */
  readonly id?: EntryId
}

/** Source lines of a turn, as in the file. */
export function RawLines(props: { readonly places: readonly NumberedLine[] }) {
  return (
    <div className="raw-lines">
      {props.places.map((place) => (
        <RawLineView key={lineAddressKey(place)} place={place} />
      ))}
    </div>
  )
}

function RawLineView(props: { readonly place: NumberedLine }) {
  const { place } = props
  const raw = useReading(({ raws }) => raws[lineAddressKey(place)])
  const line = raw?.type === 'shown' ? raw.line : place.line
  return (
    <div className="code">
      <div className="code-head">
        <span className="cut">
          {place.file}
          {line === undefined ? '' : `, line ${formatCount(line)}`}, byte{' '}
          {formatCount(place.offset)}, {formatByteSize(place.length)}
        </span>
        <span className="grow" />
        {raw?.type === 'shown' && <CopyButton label="Copy source line" text={raw.text} />}
      </div>
      {raw === undefined || raw.type === 'loading' ? (
        <div className="long-text t3 small">Reading the line…</div>
      ) : raw.type === 'failed' ? (
        <RefusalNote title="The line could not be read." refusal={raw.failure} />
      ) : (
        <>
          <LongText text={raw.text} firstLines={40} label="Source line" />
          {raw.cut && (
            <div className="long-text t3 small">
              Shows the first {formatCount(rawLineBytes)} of {formatQuantity(place.length, 'byte')}.
            </div>
          )}
        </>
      )}
    </div>
  )
}
