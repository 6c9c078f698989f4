import { ListFilter, PanelRight } from 'lucide-react'
import { useFacets, usePreview, useSearch, useStores } from '../state/context'
import { useBarStart } from '../state/use-bar-start'
import { focusOn } from '../ui/behaviour/focus'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { useFocusWhileOpen } from '../ui/behaviour/use-focus-while-open'
import { IconButton } from '../ui/controls/Button'
import { ViewFrame } from '../ui/panes/ViewFrame'
import { FacetPanel } from './FacetPanel'
import { HitList } from './HitList'
import { NoHits } from './NoHits'
import { PreviewPane, type PreviewRows } from './PreviewPane'
import { QueryField } from './QueryField'
import { SearchFoot } from './SearchFoot'
import { QueryHelp } from './SearchHelp'
import { SearchNotes } from './SearchNotes'
import { SearchStatus } from './SearchStatus'

/** View of the search, over the middle pane. */
export function SearchView(props: {
  /** Draws the rows of the preview: the transcript's turns. */
  readonly Rows: PreviewRows
}) {
  const { search, preview, facets } = useStores()
  const start = useBarStart()
  const isPreviewOpen = usePreview((state) => state.isOpen)
  // Where nothing is found there is nothing to preview.
  const hasHits = useSearch(
    ({ text, shown, phase }) =>
      text.trim() !== '' && (shown.hits.length > 0 || phase === 'searching'),
  )
  const areFacetsOpen = useFacets((state) => state.isOpen)
  const hasFacets = useFacets((state) => state.facets.some(({ values }) => values.length > 0))
  useFocusWhileOpen(
    () => {
      if (search.getState().opensAt === 'query' || !focusOn('hits')) focusOn('search')
    },
    () => search.getState().leavesFocus,
  )
  return (
    <ViewFrame
      pane="search"
      label="Search"
      title="Search"
      start={start}
      closeLabel="Close search"
      onClose={() => search.getState().hide()}
      bar={
        <>
          <span className="t3 small cut grow">everything, every branch</span>
          <IconButton
            label={areFacetsOpen ? 'Hide filters' : 'Show filters'}
            icon={ListFilter}
            isPressed={areFacetsOpen}
            onClick={() => facets.getState().setOpen(!areFacetsOpen)}
          />
          <IconButton
            label={isPreviewOpen ? 'Hide preview' : 'Show preview'}
            keys="toggle-details"
            icon={PanelRight}
            isPressed={isPreviewOpen}
            onClick={() => preview.getState().setOpen(!isPreviewOpen)}
          />
        </>
      }
    >
      <div className="search-head">
        <QueryField />
        <SearchStatus />
      </div>
      <SearchNotes />
      <div className="search-body">
        <div className="search-columns">
          {areFacetsOpen && (hasHits || hasFacets) && <FacetPanel />}
          <div className="search-found">
            <Found />
          </div>
          {isPreviewOpen && hasHits && <PreviewPane Rows={props.Rows} />}
        </div>
      </div>
      <SearchFoot />
    </ViewFrame>
  )
}

/** The hits, or what stands in their place. */
function Found() {
  const isAsked = useSearch(({ text }) => text.trim() !== '')
  const phase = useSearch((state) => state.phase)
  const isStale = useSearch((state) => state.isStale)
  const hasHits = useSearch(({ shown }) => shown.hits.length > 0)
  const isSlow = useDelayedFlag(phase === 'searching', 120)
  if (!isAsked) return <QueryHelp />
  // Hits of an earlier query stay for a moment only: most searches are done by then.
  if (hasHits && !(isStale && isSlow)) return <HitList />
  if (phase === 'done') return <NoHits />
  return <div className="scroll">{phase === 'searching' && isSlow && <GhostHits />}</div>
}

function GhostHits() {
  return (
    <div className="ghost-hits" aria-hidden="true">
      {['38%', '71%', '55%', '44%', '66%', '58%'].map((width) => (
        <div key={width} className="ghost-hit">
          <span className="ghost-line" style={{ width: '6rem' }} />
          <span className="ghost-line" style={{ width }} />
        </div>
      ))}
    </div>
  )
}
