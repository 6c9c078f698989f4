import type { RunEvent, RunFailure } from '../../../shared/model/run/run'
import type { TranscriptWriter } from '../../store/store'
import {
  changeBy,
  type ProgressChange,
  progressAfter,
  type RunProgress,
} from '../steps/run-progress'
import type { Clock } from '../timing/clock'
import { type DeltaJoiner, type JoinedDelta, joinDeltas } from './join-deltas'

/** The listeners of an active run, and its clock. */
export interface ActiveRunDeps {
  readonly tellDelta: (delta: JoinedDelta) => void
  readonly tellProgress: (progress: RunProgress) => void
  /** Called when entries are on the disk; resolves when the app window knows of them. */
  readonly appended: () => Promise<void>
  readonly clock: Pick<Clock, 'now'>
}

/** A run between its first event and its end: its progress, its text so far, and what aborts it. */
export class ActiveRun {
  progress: RunProgress
  readonly deltas: DeltaJoiner
  readonly controller: AbortController
  /** Resolves when its entries are on the disk and its lock is given back. */
  ended: Promise<void> = Promise.resolve()
  private readonly deps: ActiveRunDeps

  constructor(progress: RunProgress, controller: AbortController, deps: ActiveRunDeps) {
    this.progress = progress
    this.controller = controller
    this.deps = deps
    this.deltas = joinDeltas(deps.tellDelta)
  }

  /** Its last event has not come. */
  get isBusy(): boolean {
    const { phase } = this.progress
    return phase !== 'complete' && phase !== 'stopped' && phase !== 'failed'
  }

  /** Passes an event on: as progress, as deltas, or as entries that are on the disk. */
  async hear(event: RunEvent): Promise<void> {
    const isAnother = event.type === 'requested' && this.progress.answerId !== event.answerId
    if (isAnother) this.deltas.restart()
    if (event.type === 'appended' || event.type === 'ended') this.deltas.flush()
    const change = changeBy(this.progress, event, this.deps.clock.now())
    if (change !== undefined) this.change(change)
    if (event.type === 'delta') this.deltas.add(event.kind, event.text)
    if (event.type === 'appended') await this.deps.appended()
  }

  /** Takes the run from here to its end; the lock is given back whatever happens. */
  async takeToEnd(
    events: AsyncIterator<RunEvent>,
    writer: TranscriptWriter,
    left: () => void,
  ): Promise<void> {
    try {
      for (let next = await events.next(); !next.done; next = await events.next())
        await this.hear(next.value)
    } catch (error) {
      // A mistake of ours: the run has ended all the same, and its text is in the transcript or the partial file.
      const message = error instanceof Error ? error.message : String(error)
      this.change({ phase: 'failed', failure: internalFailure(message) })
    } finally {
      this.deltas.close()
      left()
      await writer.close()
      await this.deps.appended()
    }
  }

  private change(change: ProgressChange): void {
    this.progress = progressAfter(this.progress, change)
    this.deps.tellProgress(this.progress)
  }
}

function internalFailure(message: string): RunFailure {
  return {
    kind: 'storage',
    message: `An internal error interrupted this answer: ${message}`,
    advice: 'The partial answer is kept. Try again.',
    attempts: 1,
  }
}
