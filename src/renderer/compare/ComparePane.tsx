import { Equal } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { ComparisonOverview } from '../../shared/model/comparison/comparison-view'
import type { CompareOptions } from '../state/compare-state'
import { useCompare, useSettings, useStores } from '../state/context'
import { useBarStart } from '../state/use-bar-start'
import { focusOn, focusSoon, focusTarget } from '../ui/behaviour/focus'
import { useDelayedFlag, useMedia, useRem, useWidth } from '../ui/behaviour/hooks'
import { hasCommandModifier } from '../ui/behaviour/keys'
import { useFocusWhileOpen } from '../ui/behaviour/use-focus-while-open'
import { Icon } from '../ui/controls/Icon'
import { formatByteSize, formatCount } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { ViewFrame } from '../ui/panes/ViewFrame'
import { PathText } from '../ui/text/PathText'
import { CompareBar, CompareTools } from './CompareBar'
import { CompareRows, type StepDifference } from './CompareRows'
import { displayRows } from './display-rows'
import { Numbers } from './Numbers'
import { SideChoice } from './SideChoice'
import { SideHead } from './SideHead'

/** Narrower windows show a comparison unified, in px and in rem of the view. */
const narrowWindow = '(max-width: 820px)'
const narrowRem = 38

/** View over the transcript that compares two conversations from their fork. */
export function ComparePane() {
  const { compare } = useStores()
  const start = useBarStart()
  const page = useRef<HTMLElement>(null)
  const step = useRef<StepDifference>(undefined)
  const [areNumbersShown, setNumbersShown] = useState(false)
  const [number, setNumber] = useState<number>()
  const points = useCompare((state) => state.points)
  const view = useCompare((state) => state.view)
  const phase = useCompare((state) => state.phase)
  const generation = useCompare((state) => state.generation)
  const setOptions = useCompare((state) => state.setOptions)
  const { options, isNarrow, rem } = useFittingOptions(page)
  const display = useMemo(
    () => (view === undefined ? undefined : displayRows(view.runs, options)),
    [view, options],
  )
  useFocusOfPhase(phase)
  useStepKeys((by) => step.current?.(by))
  return (
    <ViewFrame
      ref={page}
      pane="compare"
      label="Comparison"
      title="Compare"
      start={start}
      closeLabel="Close comparison"
      onClose={() => compare.getState().hide()}
      bar={<CompareBar view={view} />}
    >
      {view !== undefined && (
        <CompareTools
          view={view}
          isNarrow={isNarrow}
          hasDifferences={(display?.differences.length ?? 0) > 0}
          areNumbersShown={areNumbersShown}
          onNumbers={() => setNumbersShown(!areNumbersShown)}
          onStep={(by) => step.current?.(by)}
        />
      )}
      <Saved />
      {phase === 'choosing' && points !== undefined && <SideChoice left={points.left} />}
      {phase === 'reading' && <Reading />}
      {phase === 'failed' && <Failed />}
      {view !== undefined && points?.right !== undefined && display !== undefined && (
        <>
          <Unread view={view} />
          <div className={`compare-sides ${isNarrow ? 'stacked' : ''}`}>
            <SideHead letter="A" side={view.left} point={points.left} />
            <SideHead letter="B" side={view.right} point={points.right} />
          </div>
          {areNumbersShown && <Numbers view={view} />}
          {display.differences.length === 0 && <NothingDiffers view={view} />}
          <CompareRows
            key={generation}
            view={view}
            display={display}
            options={options}
            rem={rem}
            stepRef={step}
            onStep={setNumber}
            onUnfold={() => setOptions({ onlyDiffering: false })}
          />
        </>
      )}
      <LiveRegion>
        {view === undefined || display === undefined || number === undefined
          ? ''
          : `Difference ${formatCount(number)} of ${formatCount(display.differences.length)}`}
      </LiveRegion>
    </ViewFrame>
  )
}

/** Returns how the comparison is shown: unified where there is no room for two columns. */
function useFittingOptions(page: RefObject<HTMLElement | null>): {
  readonly options: CompareOptions
  readonly isNarrow: boolean
  readonly rem: number
} {
  const chosen = useCompare((state) => state.options)
  const rem = useRem(useSettings(({ view }) => view?.preferences.textZoom ?? 1))
  const width = useWidth(page)
  const isWindowNarrow = useMedia(narrowWindow)
  const isNarrow = isWindowNarrow || (width > 0 && width < narrowRem * rem)
  const options = useMemo(
    () => (isNarrow ? { ...chosen, layout: 'unified' as const } : chosen),
    [chosen, isNarrow],
  )
  return { options, isNarrow, rem }
}

/** Progress of a comparison that takes longer than a moment. */
function Reading() {
  const isLong = useDelayedFlag(true, 300)
  return (
    <div className="compare-empty t3" tabIndex={-1} {...focusTarget('compare')}>
      <span role="status">{isLong ? 'Reading and comparing both conversations…' : ''}</span>
    </div>
  )
}

function Failed() {
  const failure = useCompare((state) => state.failure)
  const again = useCompare((state) => state.again)
  if (failure === undefined) return null
  return (
    <div className="compare-empty" tabIndex={-1} {...focusTarget('compare')}>
      <FailureNote title="Not compared." failure={failure} onAgain={() => void again()} />
    </div>
  )
}

function Unread(props: { readonly view: ComparisonOverview }) {
  const { unread, aligned } = props.view
  const failure = useCompare((state) => state.rowsFailure)
  const again = useCompare((state) => state.again)
  return (
    <>
      {unread.length > 0 && (
        <Note tone="warn" isBar title="Not all could be read.">
          {visibleText(unread.join(' '))} The comparison is without it.
        </Note>
      )}
      {!aligned && (
        <Note tone="info" isBar>
          The two differ too much to look for equal entries: everything is shown as different.
        </Note>
      )}
      {failure !== undefined && (
        <FailureNote title="Not all is shown." failure={failure} onAgain={() => void again()} />
      )}
    </>
  )
}

function NothingDiffers(props: { readonly view: ComparisonOverview }) {
  const isEmpty = props.view.runs.length === 0
  return (
    <p className="compare-equal t2" role="status">
      <Icon of={Equal} />
      {isEmpty
        ? 'Both end at their fork: neither has entries of its own.'
        : 'Nothing differs: after the fork both say the same.'}
    </p>
  )
}

/** Where the comparison was written, or why it was not. */
function Saved() {
  const saved = useCompare((state) => state.saved)
  const failure = useCompare((state) => state.saveFailure)
  const dismiss = useCompare((state) => state.dismissSaved)
  if (failure !== undefined)
    return <RefusalNote title="Not exported." refusal={failure} onDismiss={dismiss} />
  if (saved === undefined) return null
  return (
    <Note
      tone="info"
      isBar
      title="Exported."
      actions={
        <button type="button" className="button small ghost" onClick={dismiss}>
          Dismiss
        </button>
      }
    >
      {formatByteSize(saved.bytes)} in <PathText path={saved.file} />
    </Note>
  )
}

/** F7 and Shift+F7 go to the next and the previous difference, wherever the focus is. */
function useStepKeys(step: StepDifference): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F7' || hasCommandModifier(event)) return
      event.preventDefault()
      step(event.shiftKey ? -1 : 1)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}

/** Moves the focus into the view, also when what it shows becomes another, and back when it closes. */
function useFocusOfPhase(phase: string): void {
  const { compare } = useStores()
  useFocusWhileOpen(
    () => undefined,
    () => compare.getState().leavesFocus,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another phase draws another target
  useLayoutEffect(() => {
    const here = document.activeElement
    const isInView = here !== null && here !== document.body && here.closest('.compare') !== null
    if (!isInView && !focusOn('compare')) focusSoon('compare')
  }, [phase])
}
