import { visibleText } from '../../shared/model/basics/visible'
import type { Sent, SentAround, SentNeighbour } from '../../shared/model/run/sent'
import { useSent, useStores } from '../state/context'
import { type ComparisonTarget, comparisonTargets } from '../state/run-state'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { exactTime } from '../ui/format/format'
import { ComparisonView } from './comparison/ComparisonView'
import { SentFailureNote } from './FailedNote'

const names: Readonly<Record<ComparisonTarget, string>> = {
  previous: 'Previous answer',
  beforeWindow: 'Last answer before the summary',
  next: 'Next',
  afterWindow: 'First answer after the next summary',
}
/** True where the other answer came later in the conversation. */
const isLater: Readonly<Record<ComparisonTarget, boolean>> = {
  previous: false,
  beforeWindow: false,
  next: true,
  afterWindow: true,
}

/** Comparison of a request with that of an answer nearby, and the choice of that answer. */
export function CompareView(props: { readonly sent: Sent }) {
  const around = useSent((state) => state.around)
  if (around.type === 'failed') return <SentFailureNote failure={around.failure} />
  if (around.type === 'loading')
    return (
      <p className="sent-empty t3" role="status">
        Loading answers…
      </p>
    )
  const places = comparisonTargets(around.value)
  if (places.length === 0)
    return <p className="sent-empty t3">There is no other answer to compare with.</p>
  return <Chosen sent={props.sent} around={around.value} places={places} />
}

function Chosen(props: {
  readonly sent: Sent
  readonly around: SentAround
  readonly places: readonly ComparisonTarget[]
}) {
  const { sent: store } = useStores()
  const other = useSent((state) => state.other)
  const { sent, around, places } = props
  if (other === undefined) return null
  const { place } = other
  const neighbour = around[place]
  return (
    <>
      <div className="sent-choice">
        <SegmentedControl
          label="Compare with"
          value={place}
          options={Object.fromEntries(places.map((each) => [each, names[each]])) as Names}
          onChoose={(chosen) => store.getState().compareWith(chosen)}
        />
        {neighbour !== undefined && <Neighbour neighbour={neighbour} />}
      </div>
      {other.sent.type === 'failed' && <SentFailureNote failure={other.sent.failure} />}
      {other.sent.type === 'loading' && (
        <p className="sent-empty t3" role="status">
          Loading the other request…
        </p>
      )}
      {other.sent.type === 'here' &&
        (isLater[place] ? (
          <ComparisonView before={sent} after={other.sent.value} />
        ) : (
          <ComparisonView before={other.sent.value} after={sent} />
        ))}
    </>
  )
}

/** Typed as complete, though only present targets are in it: the control offers just those. */
type Names = Record<ComparisonTarget, string>

function Neighbour(props: { readonly neighbour: SentNeighbour }) {
  const { atMs, model, words } = props.neighbour
  const facts = [
    ...(atMs === null ? [] : [exactTime(atMs)]),
    ...(model === undefined ? [] : [visibleText(model)]),
  ].join(' · ')
  return (
    <p className="small t2 cut">
      {facts === '' ? '' : `${facts} · `}
      <q className="t1">{visibleText(words)}</q>
    </p>
  )
}
