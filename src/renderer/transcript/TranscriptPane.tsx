import { ArrowDown } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ErrorReport } from '../../shared/model/basics/errors'
import { useReading, useSettings, useStores, useTranscript } from '../state/context'
import { isRunActive } from '../state/run-state'
import { focusOn, focusTarget } from '../ui/behaviour/focus'
import { useDelayedFlag, useRem } from '../ui/behaviour/hooks'
import { useKeptFocus } from '../ui/behaviour/use-kept-focus'
import { Button } from '../ui/controls/Button'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { Note } from '../ui/notes/Note'
import { FindBar } from './find/FindBar'
import { type ListItem, useItems, useLive } from './items/use-items'
import { TranscriptList } from './list/TranscriptList'
import { FailedTranscript, LoadingTranscript } from './list/TranscriptStates'
import { OutlineSheet } from './outline/OutlineSheet'
import { LabelQuestion } from './parts/LabelQuestion'
import { SkimBar } from './skim/SkimBar'
import { useSkimming } from './skim/use-skimming'
import { AudioBar } from './speech/AudioBar'
import { NewsButton, useIsNewsButtonShown } from './unread/NewsButton'
import { useNewsBorder } from './unread/use-news-border'

/** Open transcript with its bars and its rows, or what stands in their place while loading and after a failure. */
export function TranscriptPane(props: { readonly sizeBytes: number | undefined }) {
  const phase = useTranscript((state) => state.phase)
  const key = useTranscript((state) => state.key)
  const failure = useTranscript((state) => state.failure)
  // A shorter wait is not shown.
  const isSlow = useDelayedFlag(phase === 'loading', 120)
  if (phase === 'failed' && failure !== undefined) return <FailedTranscript failure={failure} />
  if (phase !== 'ready')
    return isSlow ? <LoadingTranscript sizeBytes={props.sizeBytes} /> : <div className="scroll" />
  return <ReadyTranscript key={key} />
}

function ReadyTranscript() {
  const all = useItems()
  const { items: skimmed, hidden } = useSkimming(all)
  const items = useNewsBorder(skimmed)
  const generation = useTranscript((state) => state.generation)
  const opensAt = useTranscript((state) => state.opensAt)
  const isLoading = useTranscript(
    ({ before, after }) => before.type === 'loading' || after.type === 'loading',
  )
  const isComplete = useTranscript(({ run }) => run.atEnd && run.pages[0]?.before === undefined)
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const rem = useRem(textZoom)
  // The list needs its scroller's size for its very first layout.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const scale = useRef<number>(undefined)
  // A turn goes when other pages take its page's place, and the button to the end when it was pressed.
  useKeptFocus(frame, () => void focusOn('transcript', { preventScroll: true }))
  const isEmpty = isComplete && all.every(({ type }) => type === 'seam' || type === 'day')
  return (
    <>
      <TranscriptBars />
      {hidden !== undefined && <SkimBar hidden={hidden} />}
      <FindBar />
      <div ref={frame} className="transcript-frame" data-pane="transcript">
        <div
          ref={setScroller}
          className="transcript-scroller"
          role="feed"
          aria-label="Transcript"
          aria-busy={isLoading}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the feed scrolls and has keys of its own
          tabIndex={0}
          {...focusTarget('transcript')}
        >
          {scroller !== null && (
            <TranscriptList
              key={generation}
              items={items}
              scroller={scroller}
              rem={rem}
              opensAt={opensAt}
              generation={generation}
              scale={scale}
            />
          )}
        </div>
        {isEmpty && (
          <p className="transcript-empty t2">No messages yet. Write the first one below.</p>
        )}
        <div className="end-button">
          <NewsButton />
          <EndButton items={items} />
        </div>
        <Announcer />
      </div>
      <AudioBar items={all} />
      <LabelQuestion />
      <OutlineSheet />
    </>
  )
}

/** Bars under the title: another writer, unread parts, changes on the disk. */
function TranscriptBars() {
  const { transcript, reading } = useStores()
  const lock = useTranscript((state) => state.lock)
  const before = useTranscript((state) => state.before)
  const after = useTranscript((state) => state.after)
  const changedOnDisk = useTranscript((state) => state.changedOnDisk)
  const fault = useReading((state) => state.fault)
  const notice = useTranscript((state) => state.notice)
  const branches = useTranscript((state) => state.branches)

  async function goToCurrent(): Promise<void> {
    const { key, open } = transcript.getState()
    if (key === undefined) return
    await open(key)
    reading.getState().askForEnd()
  }
  return (
    <>
      {notice !== undefined && (
        <Note tone="warn" isBar title="The transcript is incomplete.">
          {notice}
        </Note>
      )}
      {fault !== undefined && (
        <Note
          tone="warn"
          isBar
          title={fault.title}
          actions={
            <Button isSmall onClick={() => reading.getState().dismissFault()}>
              Dismiss
            </Button>
          }
        >
          {fault.words}
        </Note>
      )}
      {lock.state === 'held' && (
        <Note tone="warn" isBar isLock title={`${lock.holder} is writing here.`}>
          You can read; writing is locked until it is done.
        </Note>
      )}
      {branches?.way !== undefined && (
        <Note
          tone="info"
          isBar
          title="This is another branch."
          actions={
            <Button isSmall onClick={() => void goToCurrent()}>
              Current branch
            </Button>
          }
        >
          The conversation goes on elsewhere.
        </Note>
      )}
      {changedOnDisk && (
        <Note
          tone="info"
          isBar
          title="The files of this conversation were replaced on disk."
          actions={
            <Button isSmall onClick={() => void transcript.getState().readAgain()}>
              Reload
            </Button>
          }
        >
          You see the earlier version.
        </Note>
      )}
      {before.type === 'failed' && (
        <EdgeFailure
          title="Earlier entries could not be read."
          failure={before.failure}
          onRetry={() => void transcript.getState().loadBefore()}
        />
      )}
      {after.type === 'failed' && (
        <EdgeFailure
          title="Later entries could not be read."
          failure={after.failure}
          onRetry={() => void transcript.getState().loadAfter()}
        />
      )}
    </>
  )
}

function EdgeFailure(props: {
  readonly title: string
  readonly failure: ErrorReport
  readonly onRetry: () => void
}) {
  return (
    <Note
      tone="error"
      isBar
      title={props.title}
      detail={props.failure.detail}
      actions={
        <Button isSmall onClick={props.onRetry}>
          Try again
        </Button>
      }
    >
      {props.failure.message} Nothing is deleted.
    </Note>
  )
}

/** Button to the end while the reader is further up; it says when rows are new, where no other button leads to these. */
function EndButton(props: { readonly items: readonly ListItem[] }) {
  const { transcript, reading } = useStores()
  const isReadingUp = useReading((state) => state.isReadingUp)
  const atEnd = useTranscript(({ run }) => run.atEnd)
  const moreBelow = useTranscript((state) => state.moreBelow)
  const last = props.items.at(-1)
  const lastItem =
    last?.type === 'live' ? `${last.key} ${last.run.content.length}` : (last?.key ?? '')
  /** The last item when the reader left the end, with its length. */
  const [seen, setSeen] = useState(lastItem)
  if (!isReadingUp && seen !== lastItem) setSeen(lastItem)
  const isNewsButtonShown = useIsNewsButtonShown()
  if (!isReadingUp) return null
  const hasNew = !isNewsButtonShown && (moreBelow || (atEnd && seen !== lastItem))

  async function goToEnd(): Promise<void> {
    await transcript.getState().goToEnd()
    reading.getState().askForEnd()
  }
  return (
    <Button
      isSmall
      kind={hasNew ? 'primary' : 'plain'}
      icon={ArrowDown}
      onClick={() => void goToEnd()}
    >
      {hasNew ? 'New below' : 'To the end'}
    </Button>
  )
}

/** Live region that announces the start and end of an answer, but not its text. */
function Announcer() {
  const run = useLive()
  const words =
    run === undefined
      ? ''
      : isRunActive(run)
        ? run.phase === 'retrying'
          ? 'Trying again'
          : 'The answer is being written'
        : { complete: 'The answer is complete', stopped: 'Stopped', failed: 'The answer failed' }[
            run.phase as 'complete' | 'stopped' | 'failed'
          ]
  return <LiveRegion label="Answer">{words}</LiveRegion>
}
