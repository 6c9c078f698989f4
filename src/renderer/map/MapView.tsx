import { GitCommitHorizontal } from 'lucide-react'
import { useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { FamilyMap } from '../../shared/model/map/family-map'
import { useMap, useStores } from '../state/context'
import type { MapMode } from '../state/map-state'
import { useBarStart } from '../state/use-bar-start'
import { focusSoon, focusTarget } from '../ui/behaviour/focus'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { useFocusWhileOpen } from '../ui/behaviour/use-focus-while-open'
import { Button } from '../ui/controls/Button'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatQuantity } from '../ui/format/format'
import { ErrorBoundary } from '../ui/notes/ErrorBoundary'
import { FailureNote } from '../ui/notes/FailureNote'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { ViewFrame } from '../ui/panes/ViewFrame'
import { MapOfFamily } from './MapOfFamily'
import { HeatMenu } from './painting/HeatMenu'

const modes: Readonly<Record<MapMode, string>> = { entries: 'By entries', time: 'By time' }

/** View over the transcript: the family of a conversation as a map, with the tree of its branches beside it. */
export function MapView() {
  const { map: store } = useStores()
  const start = useBarStart()
  const map = useMap((state) => state.map)
  useFocusWhileOpen(
    () => focusSoon('map'),
    () => store.getState().leavesFocus,
  )
  return (
    <ViewFrame
      pane="map"
      label="Map of branches"
      title="Map"
      start={start}
      closeLabel="Close map"
      onClose={() => store.getState().hide()}
      bar={<MapBar />}
    >
      <MapNotes />
      {map == null ? (
        <Waiting />
      ) : (
        <ErrorBoundary what="The map" of={map}>
          <MapOfFamily map={map} />
        </ErrorBoundary>
      )}
    </ViewFrame>
  )
}

function MapBar() {
  const { map: store } = useStores()
  const key = useMap((state) => state.key)
  const map = useMap((state) => state.map)
  const mode = useMap((state) => state.mode)
  const isCounting = useMap((state) => state.isCounting)
  const isBent = useMap((state) => state.straightKey !== state.key)
  const title = map?.conversations.find((one) => one.key === key)?.title
  return (
    <>
      {key !== undefined && <SourceMark source={parseLibraryKey(key).source} />}
      <span className="cut map-name">{visibleText(title ?? '')}</span>
      <span className="t3 small cut grow number">
        {map != null && <Amounts map={map} />}
        {isCounting && ', counting…'}
      </span>
      {isBent && (
        <Button
          kind="ghost"
          isSmall
          icon={GitCommitHorizontal}
          onClick={() => store.getState().straighten()}
        >
          Straighten the open path
        </Button>
      )}
      <HeatMenu />
      <SegmentedControl
        label="Lines"
        value={mode}
        options={modes}
        onChoose={(chosen) => store.getState().setMode(chosen)}
      />
    </>
  )
}

function Amounts({ map }: { readonly map: FamilyMap }) {
  const [branches, entries] = useMemo(() => {
    const inner = new Set(map.nodes.flatMap(({ kind, parent }) => (kind === 'run' ? [parent] : [])))
    const leaves = map.nodes.filter(({ kind, id }) => kind === 'run' && !inner.has(id))
    return [leaves.length, map.facts.ids.length]
  }, [map])
  return `${formatQuantity(branches, 'branch', 'branches')}, ${formatQuantity(entries, 'entry', 'entries')}`
}

/** Notes of the map: a failure, and what is still being read. */
function MapNotes() {
  const { map: store } = useStores()
  const failure = useMap((state) => state.failure)
  const isCounting = useMap((state) => state.isCounting)
  return (
    <>
      {failure !== undefined && (
        <div className="map-note">
          <FailureNote
            title="Not read."
            failure={failure}
            onAgain={() => void store.getState().load()}
          />
        </div>
      )}
      <LiveRegion>
        {isCounting && 'Still reading conversations. More branches may appear.'}
      </LiveRegion>
    </>
  )
}

/** View in the place of the map. It has the focus until there is a map, however long that takes. */
function Waiting() {
  const isUnknown = useMap(({ map }) => map === undefined)
  const isCounting = useMap((state) => state.isCounting)
  const hasFailed = useMap(({ failure }) => failure !== undefined)
  const isWaiting = !hasFailed && (isUnknown || isCounting)
  const isLong = useDelayedFlag(isWaiting, 300)
  return (
    <div className="scroll map-empty" tabIndex={-1} {...focusTarget('map')}>
      {isLong && <p className="t3">Reading the conversations of this family…</p>}
      {!isWaiting && !hasFailed && <p className="t3">This conversation has no entries yet.</p>}
    </div>
  )
}
