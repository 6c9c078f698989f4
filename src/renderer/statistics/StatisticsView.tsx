import type { StatisticsAnswer } from '../../shared/model/statistics/answer'
import { useStatistics, useStores } from '../state/context'
import { useBarStart } from '../state/use-bar-start'
import { focusOn } from '../ui/behaviour/focus'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { useFocusWhileOpen } from '../ui/behaviour/use-focus-while-open'
import { Button } from '../ui/controls/Button'
import { formatCount, formatQuantity } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { ProgressLine } from '../ui/notes/ProgressLine'
import { ScrolledPart } from '../ui/panes/ScrolledPart'
import { ViewFrame } from '../ui/panes/ViewFrame'
import { Filters } from './Filters'
import { ShowMarkContext } from './marks/show-mark-context'
import { useShowMark } from './marks/use-show-mark'
import { ModelsPanel, ProjectsPanel, ToolsPanel } from './panels/GroupPanels'
import { BranchesPanel, LengthsPanel, VoicePanel } from './panels/StepPanels'
import { UsagePanel } from './panels/UsagePanel'
import { WhenPanel } from './panels/WhenPanel'
import { Totals } from './Totals'
import { Unread } from './Unread'
import './statistics.css'

/** View over the transcript of numbers over all conversations. */
export function StatisticsView() {
  const { statistics } = useStores()
  const start = useBarStart()
  const answer = useStatistics((state) => state.answer)
  const failure = useStatistics((state) => state.failure)
  const { show, shown } = useShowMark()
  useFocusWhileOpen(
    () => focusOn('statistics'),
    () => statistics.getState().leavesFocus,
  )
  return (
    <ViewFrame
      pane="statistics"
      label="Statistics"
      title="Statistics"
      start={start}
      closeLabel="Close statistics"
      onClose={() => statistics.getState().hide()}
      bar={<span className="grow" />}
    >
      <Filters choices={answer?.choices} />
      <Reading reading={answer?.reading} />
      <ScrolledPart label="Numbers" focus="statistics" className="statistics-scroll">
        {failure !== undefined && (
          <FailureNote
            title="The statistics could not be read."
            failure={failure}
            onAgain={() => void statistics.getState().read()}
          />
        )}
        {answer !== undefined && (
          <ShowMarkContext value={show}>
            <Numbers answer={answer} />
          </ShowMarkContext>
        )}
      </ScrolledPart>
      <LiveRegion>{shown}</LiveRegion>
    </ViewFrame>
  )
}

function Numbers(props: { readonly answer: StatisticsAnswer }) {
  const { statistics, reading, unread, unreadTotal, choices } = props.answer
  const { entries, entriesWithRepeats, speech } = statistics
  const isReading = useStatistics((state) => state.isReading)
  const isSlow = useDelayedFlag(isReading, 300)
  const isEmpty = statistics.conversations === 0
  const hasAny = choices.sources.length > 0
  return (
    <div className={isSlow ? 'statistics-numbers old' : 'statistics-numbers'} aria-busy={isSlow}>
      {unreadTotal > 0 && <Unread sentences={unread} total={unreadTotal} />}
      {isEmpty && reading.isDone ? (
        hasAny ? (
          <NothingHere />
        ) : (
          <p className="words t2">No conversations yet. There is nothing to count.</p>
        )
      ) : isEmpty ? null : (
        <>
          <Totals statistics={statistics} />
          {entriesWithRepeats > entries.total && (
            <p className="statistics-once small t2">
              A beginning that branches share counts once: {formatCount(entries.total)} entries
              instead of {formatCount(entriesWithRepeats)}.
            </p>
          )}
          <div className="panels">
            <div className="panel-column">
              <WhenPanel rows={statistics.hours} />
              <UsagePanel usage={statistics.usage} />
              <ModelsPanel rows={statistics.models} />
            </div>
            <div className="panel-column">
              <ToolsPanel rows={statistics.tools} />
              <ProjectsPanel rows={statistics.projects} />
              <LengthsPanel
                lengths={statistics.lengths}
                averageEntries={statistics.averages.entries}
              />
              <BranchesPanel branches={statistics.branches} />
              {speech !== null && <VoicePanel speech={speech} />}
            </div>
          </div>
        </>
      )}
    </div>
  )
}

/** No entry fits the time and the filters. */
function NothingHere() {
  const { statistics } = useStores()
  function showAll(): void {
    statistics.getState().choose({})
    statistics.getState().setRange('all')
  }
  return (
    <div className="words">
      <p className="t2">No entry is of this time and these filters.</p>
      <Button isSmall onClick={showAll}>
        Show all
      </Button>
    </div>
  )
}

/** Progress of the reading; nothing when all is read. */
function Reading(props: { readonly reading: StatisticsAnswer['reading'] | undefined }) {
  const { reading } = props
  const failure = useStatistics((state) => state.failure)
  const isSlow = useDelayedFlag(reading?.isDone !== true && failure === undefined, 300)
  const { read = 0, total = 0 } = reading ?? {}
  return (
    <>
      {isSlow && (
        <ProgressLine label="Read" done={read} total={total}>
          {total === 0
            ? 'Looking for conversations…'
            : `Still reading: ${formatCount(read)} of ${formatQuantity(total, 'conversation')}. Until then a beginning that branches share may count more than once.`}
        </ProgressLine>
      )}
      {/* Read aloud at the beginning and the end only: each number in between would be noise. */}
      <LiveRegion>{isSlow ? 'Still reading conversations.' : ''}</LiveRegion>
    </>
  )
}
