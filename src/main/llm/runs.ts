import { randomUUID } from 'node:crypto'
import type { LibraryKey } from '../../shared/model/conversation'
import type { EntryDraft, EntryId } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import type { RunEvent, RunFailure, RunId } from '../../shared/model/run'
import type { Endpoint } from '../settings/model-choice'
import type { ContextBeginning } from '../store/creation'
import type { Store } from '../store/store'
import type { TranscriptWriter } from '../store/writer'
import type { Tool } from '../tools/tool'
import { type Clock, systemClock } from './clock'
import type { ConsentAnswer } from './consent'
import { type DeltaJoiner, type JoinedDelta, joinDeltas } from './deltas'
import type { ProviderStream } from './provider'
import { run } from './run'
import { messageEntry } from './run-entries'
import { type ConsentQuestion, callsAfter, type RunningCall } from './running-calls'

/** What a run is doing, as it is told. */
export interface RunProgress {
  readonly runId: RunId
  readonly key: LibraryKey
  readonly phase: 'sending' | 'streaming' | 'retrying' | 'complete' | 'stopped' | 'failed'
  readonly model?: string
  readonly attempt?: number
  /** The id that the answer's entry will have: where it stands, the streamed text is no longer needed. */
  readonly answerId?: EntryId
  /** With `retrying`: when the next attempt starts, in Unix milliseconds. */
  readonly retryAtMs?: number
  /** The tools that are at work now, or wait for a person's word. */
  readonly calls?: readonly RunningCall[]
  readonly failure?: RunFailure
}

/** A run that is going on, with the text so far. */
export interface RunningAnswer extends RunProgress {
  readonly content: string
  readonly reasoning: string
  /** The next delta has this number; a window that came late goes on from here. */
  readonly nextSeq: number
}

export interface RunsDeps {
  readonly store: Store
  /** Chooses model, address and key for a context, at the moment of asking. */
  readonly endpoint: (context: string) => Promise<Endpoint>
  readonly provider: (endpoint: Endpoint) => ProviderStream
  readonly tellDelta: (delta: JoinedDelta & { runId: RunId; key: LibraryKey }) => void
  readonly tellProgress: (progress: RunProgress) => void
  /** Entries of this context are on the disk; resolves when the window has been told of them. */
  readonly appended: (key: LibraryKey) => Promise<void>
  /** What the model may call in a context, at the moment of asking, and its fuel (see RunInput); without it nothing. */
  readonly tools?: (
    context: LibraryKey,
  ) => Promise<{ readonly tools: readonly Tool[]; readonly fuel?: number }>
  /** Asks a person; without it tools that write do not run. */
  readonly consent?: (question: ConsentQuestion, signal: AbortSignal) => Promise<ConsentAnswer>
  readonly clock?: Clock
}

/** The runs that are going on: one at most in a context. */
export interface Runs {
  /**
   * Writes the person's words and asks the model; without text, asks again from the window as it stands.
   * Resolves when the words are durable; the answer goes on in the background.
   *
   * @throws AppError `busy`, `locked`, `no-model`, `no-key`, `exists`, `not-found`, `disk-full`: nothing was written
   */
  start(request: RunRequest): Promise<RunId>
  /**
   * Makes a context that begins with what is given and the person's words, all at once, and asks the model there.
   *
   * @throws AppError `no-model`, `no-key`, `exists`, `disk-full`: there is no such context. An error after it was made
   *   says that it is there.
   */
  startIn(beginning: ContextBeginning, request: BranchRequest): Promise<RunId>
  /** Stops a run; what came stays. Does nothing when it has ended. */
  cancel(runId: RunId): void
  running(): readonly RunningAnswer[]
  isRunning(context: string): boolean
  /** Stops all of them and resolves when their entries are on the disk and their locks given back. */
  close(): Promise<void>
}

/** What to ask, and where. */
export interface RunRequest {
  readonly context: LibraryKey
  readonly text?: string
  readonly create: boolean
}

/** What to ask in a context that is made for it. */
export interface BranchRequest {
  readonly context: LibraryKey
  readonly text?: string
  /** The context whose model and settings hold here as well: the one that it was branched from. */
  readonly like?: LibraryKey
}

interface Going {
  progress: RunProgress
  readonly deltas: DeltaJoiner
  readonly controller: AbortController
  ended: Promise<void>
}

export function openRuns(deps: RunsDeps): Runs {
  const clock = deps.clock ?? systemClock
  const going = new Map<RunId, Going>()
  const starting = new Set<string>()

  function isRunning(context: string): boolean {
    return starting.has(context) || [...going.values()].some((one) => one.progress.key === context)
  }

  function tell(one: Going, change: Omit<RunProgress, 'runId' | 'key'>): void {
    const { runId, key, model, attempt, answerId } = one.progress
    one.progress = {
      runId,
      key,
      ...(model === undefined ? {} : { model }),
      ...(attempt === undefined ? {} : { attempt }),
      ...(answerId === undefined ? {} : { answerId }),
      ...change,
    }
    deps.tellProgress(one.progress)
  }

  async function hear(one: Going, event: RunEvent): Promise<void> {
    switch (event.type) {
      case 'appended':
        one.deltas.flush()
        return deps.appended(one.progress.key)
      case 'requested':
        if (one.progress.answerId !== event.answerId) one.deltas.restart()
        return tell(one, {
          phase: 'sending',
          model: event.model,
          attempt: event.attempt,
          answerId: event.answerId,
        })
      case 'delta':
        if (one.progress.phase !== 'streaming') tell(one, { phase: 'streaming' })
        return one.deltas.add(event.kind, event.text)
      case 'retrying': {
        const retryAtMs = clock.now() + event.waitMs
        return tell(one, {
          phase: 'retrying',
          attempt: event.attempt,
          retryAtMs,
          failure: event.failure,
        })
      }
      case 'tool':
        return tell(one, {
          phase: one.progress.phase,
          calls: callsAfter(one.progress.calls, event),
        })
      case 'ended':
        one.deltas.flush()
        return tell(one, {
          phase: event.outcome,
          ...(event.failure === undefined ? {} : { failure: event.failure }),
        })
    }
  }

  /** Takes a run from its first event to its end; the lock is given back whatever happens. */
  async function takeToEnd(
    one: Going,
    events: AsyncIterator<RunEvent>,
    writer: TranscriptWriter,
  ): Promise<void> {
    try {
      for (let next = await events.next(); !next.done; next = await events.next())
        await hear(one, next.value)
    } catch (error) {
      // A mistake of ours: the run has ended all the same, and its text is in the transcript or the partial file.
      const message = error instanceof Error ? error.message : String(error)
      tell(one, { phase: 'failed', failure: ownMistake(message) })
    } finally {
      one.deltas.close()
      going.delete(one.progress.runId)
      await writer.close()
      await deps.appended(one.progress.key)
    }
  }

  async function begin(
    request: Pick<RunRequest, 'context' | 'text'>,
    writer: TranscriptWriter,
    endpoint: Endpoint,
  ): Promise<RunId> {
    const { context, text } = request
    const runId = randomUUID() as RunId
    const controller = new AbortController()
    const notes = await deps.store.readNotes(context)
    const { consent } = deps
    const able = await deps.tools?.(context)
    const events = run(
      {
        text,
        model: endpoint.model.value,
        username: endpoint.username.value,
        prompt: { system: notes.systemPrompt, summary: notes.summary },
        fuel: able?.fuel,
      },
      {
        writer,
        provider: deps.provider(endpoint),
        clock,
        newId: () => randomUUID() as EntryId,
        tools: able?.tools,
        ...(consent === undefined
          ? {}
          : {
              consent: (call, preview, signal) =>
                consent({ runId, key: context, call, preview }, signal),
            }),
      },
      controller.signal,
    )
    // The first event is the person's message, durable; a failure to write it is the caller's to hear.
    const first = text === undefined ? undefined : await events.next()
    const deltas = joinDeltas((delta) => deps.tellDelta({ ...delta, runId, key: context }))
    const one: Going = {
      progress: { runId, key: context, phase: 'sending', model: endpoint.model.value },
      deltas,
      controller,
      ended: Promise.resolve(),
    }
    going.set(runId, one)
    if (first !== undefined && !first.done) await hear(one, first.value)
    deps.tellProgress(one.progress)
    one.ended = takeToEnd(one, events, writer)
    return runId
  }

  /** Keeps the context for one start at a time, and asks nobody while nothing is set up to be asked. */
  async function whenReady<T>(
    context: LibraryKey,
    like: LibraryKey,
    work: (endpoint: Endpoint) => Promise<T>,
  ): Promise<T> {
    if (isRunning(context))
      throw new AppError('busy', `An answer is being written in "${context}". Stop it first.`)
    starting.add(context)
    try {
      const endpoint = await deps.endpoint(like)
      if (endpoint.notReady !== undefined)
        throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
      return await work(endpoint)
    } finally {
      starting.delete(context)
    }
  }

  async function beginWith(
    writer: TranscriptWriter,
    request: Pick<RunRequest, 'context' | 'text'>,
    endpoint: Endpoint,
  ): Promise<RunId> {
    try {
      return await begin(request, writer, endpoint)
    } catch (error) {
      await writer.close()
      throw error
    }
  }

  return {
    start: (request) =>
      whenReady(request.context, request.context, async (endpoint) => {
        const { context, create } = request
        const writer = await deps.store.openWriter(context, { create })
        return beginWith(writer, request, endpoint)
      }),
    startIn: (beginning, { context, text, like = context }) =>
      whenReady(context, like, async (endpoint) => {
        const facts = {
          id: randomUUID() as EntryId,
          username: endpoint.username.value,
          context,
          timestamp: Math.floor(clock.now() / 1000),
        }
        const words = text === undefined ? [] : [messageEntry(text, facts)]
        const entries = followedBy(beginning.entries, words)
        const writer = await deps.store.openWriter(context, {
          create: true,
          beginning: { ...beginning, entries },
        })
        try {
          await deps.appended(context)
          return await beginWith(writer, { context }, endpoint)
        } catch (error) {
          await writer.close()
          throw notAsked(context, error)
        }
      }),
    cancel(runId) {
      going.get(runId)?.controller.abort()
    },
    running: () => [...going.values()].map((one) => ({ ...one.progress, ...one.deltas.soFar() })),
    isRunning,
    async close() {
      const all = [...going.values()]
      for (const one of all) one.controller.abort()
      await Promise.all(all.map((one) => one.ended))
    },
  }
}

async function* followedBy(
  first: ContextBeginning['entries'],
  then: readonly EntryDraft[],
): AsyncGenerator<EntryDraft> {
  yield* first
  yield* then
}

function notAsked(context: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const message = `"${context}" was made, but the model was not asked there: ${error.message}`
  return new AppError(error.code, message, { cause: error })
}

function ownMistake(message: string): RunFailure {
  return {
    kind: 'storage',
    message: `Skein made a mistake while it wrote this answer: ${message}`,
    advice: 'What came is kept. Try again.',
    attempts: 1,
  }
}
