import { randomUUID } from 'node:crypto'
import type { GivenTextFile } from '../../../shared/model/attachments/text-files'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { GivenImage } from '../../../shared/model/conversation/images'
import type { RunId } from '../../../shared/model/run/run'
import type { Endpoint } from '../../settings/endpoint/endpoint'
import type { ContextBeginning, Store, TranscriptWriter } from '../../store/store'
import { checkImages } from '../../store/texts/attachments'
import type { ProviderStream } from '../chat/provider'
import type { ConsentAnswer, ConsentQuestion } from '../steps/consent'
import type { RunProgress } from '../steps/run-progress'
import { checkTextFiles } from '../steps/text-files'
import { type Clock, systemClock } from '../timing/clock'
import { ActiveRun } from './active-run'
import { type BranchRequest, beginBranch, describeUnaskedBranch } from './begin-branch'
import type { JoinedDelta } from './join-deltas'
import type { Preparation, PreparationRequest, PreparedRun } from './prepare'
import { type RunInput, run } from './run'

export type { RunProgress } from '../steps/run-progress'
export type { JoinedDelta } from './join-deltas'

/** Everything that the runs of a home need. */
export interface RunsDeps {
  readonly store: Store
  /** Chooses model, address and key for a context when a run starts. */
  readonly endpoint: (context: string) => Promise<Endpoint>
  readonly provider: (endpoint: Endpoint) => ProviderStream
  readonly tellDelta: (delta: JoinedDelta & { runId: RunId; key: LibraryKey }) => void
  readonly tellProgress: (progress: RunProgress) => void
  /** Called when entries of this context are on the disk; resolves when the app window knows of them. */
  readonly appended: (key: LibraryKey) => Promise<void>
  /** Prepares a run when it starts; without it the model has a prompt and no tools. */
  readonly prepare?: Preparation['prepare']
  /** Runs `pre_message` on a user message; without it the message stays as it is. */
  readonly hear?: Preparation['hear']
  /** Asks a person; without it tools that write do not run. */
  readonly consent?: (question: ConsentQuestion, signal: AbortSignal) => Promise<ConsentAnswer>
  readonly clock?: Clock
}

/** An active run, with the text so far. */
export interface RunningAnswer extends RunProgress {
  readonly content: string
  readonly reasoning: string
  /** The next delta has this number; a late window continues from here. */
  readonly nextSeq: number
}

/** The active runs of a home: at most one in each context. */
export interface Runs {
  /**
   * Writes the user message and asks the model; without text, asks again from the present window.
   * Resolves when the message is durable; the answer continues in the background.
   *
   * @throws AppError `busy`, `locked`, `no-model`, `no-key`, `exists`, `not-found`, `disk-full`, `bad-argument` (an
   *   image): no entry was written
   */
  start(request: RunRequest): Promise<RunId>
  /**
   * Creates a context from its beginning and the user message, both at once, and asks the model there.
   *
   * @throws AppError `no-model`, `no-key`, `exists`, `disk-full`: there is no such context. An error after it was made
   *   says that it is there.
   */
  startIn(beginning: ContextBeginning, request: BranchRequest): Promise<RunId>
  /** Stops a run; its text so far is kept. Does nothing when it has ended. */
  cancel(runId: RunId): void
  running(): readonly RunningAnswer[]
  isRunning(context: string): boolean
  /** Resolves when the last run there has given its lock back, which it does right after its end was told. */
  released(context: string): Promise<void>
  /** Stops all of them and resolves when their entries are on the disk and their locks given back. */
  close(): Promise<void>
}

/** The message to send, and its context. */
export interface RunRequest {
  readonly context: LibraryKey
  readonly text?: string
  /** The id of the message's entry, by which whoever sends it finds it again; a new one where it is absent. */
  readonly entryId?: EntryId | undefined
  /** Images of the message, whose text may be '' then. */
  readonly images?: readonly GivenImage[]
  /** Text files of the message, whose text may be '' then. */
  readonly files?: readonly GivenTextFile[]
  readonly create: boolean
}

type WrittenRequest = Omit<RunRequest, 'create'> & Pick<RunInput, 'writtenText'>

/** Returns the runs of a home, none of them active. */
export function openRuns(deps: RunsDeps): Runs {
  const clock = deps.clock ?? systemClock
  const active = new Map<RunId, ActiveRun>()
  const starting = new Set<string>()
  /**
   * Promises, by context, that the last run there has given its lock back, which it does right after its last event.
   */
  const left = new Map<string, Promise<void>>()
  /** Runs before their first event, and what stops each. */
  const beginning = new Map<Promise<unknown>, AbortController>()
  const prepare = deps.prepare ?? ((request) => bareRun(deps.store, request))

  function isRunning(context: string): boolean {
    return starting.has(context) || [...active.values()].some((one) => one.progress.key === context)
  }

  /** Returns true while a run has not reached its last event: from then on the next one may start. */
  function isBusy(context: string): boolean {
    const runs = [...active.values()].filter((one) => one.progress.key === context)
    return starting.has(context) || runs.some((one) => one.isBusy)
  }

  async function begin(
    request: WrittenRequest,
    writer: TranscriptWriter,
    endpoint: Endpoint,
    controller: AbortController,
  ): Promise<RunId> {
    const { context, text, entryId, writtenText, images, files } = request
    const runId = randomUUID() as RunId
    const { consent } = deps
    const { signal } = controller
    const prepared = await prepare({ context, text, images, files, endpoint, signal })
    const events = run(
      { ...prepared.input, entryId, writtenText },
      {
        ...prepared.deps,
        writer,
        provider: deps.provider(endpoint),
        clock,
        newId: () => randomUUID() as EntryId,
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
    const one = new ActiveRun(
      { runId, key: context, phase: 'sending', model: endpoint.model.value },
      controller,
      {
        tellDelta: (delta) => deps.tellDelta({ ...delta, runId, key: context }),
        tellProgress: deps.tellProgress,
        appended: () => deps.appended(context),
        clock,
      },
    )
    active.set(runId, one)
    if (first !== undefined && !first.done) await one.hear(first.value)
    deps.tellProgress(one.progress)
    one.ended = one.takeToEnd(events, writer, () => active.delete(runId))
    const isLeft = one.ended.catch(() => undefined)
    left.set(context, isLeft)
    void isLeft.then(() => {
      if (left.get(context) === isLeft) left.delete(context)
    })
    return runId
  }

  /** Allows one start at a time in a context, and requires an endpoint that is ready. */
  async function whenReady<T>(
    context: LibraryKey,
    like: LibraryKey,
    work: (endpoint: Endpoint, controller: AbortController) => Promise<T>,
  ): Promise<T> {
    if (isBusy(context))
      throw new AppError('busy', `An answer is being written in "${context}". Stop it first.`)
    starting.add(context)
    try {
      await left.get(context)
      const endpoint = await deps.endpoint(like)
      if (endpoint.notReady !== undefined)
        throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
      return await stoppable((controller) => work(endpoint, controller))
    } finally {
      starting.delete(context)
    }
  }

  /** Makes a start that `close` can stop: hooks run before the user message is on the disk, and one may be slow. */
  async function stoppable<T>(work: (controller: AbortController) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const working = work(controller)
    beginning.set(working, controller)
    try {
      return await working
    } finally {
      beginning.delete(working)
    }
  }

  async function beginWith(
    writer: TranscriptWriter,
    request: WrittenRequest,
    endpoint: Endpoint,
    controller: AbortController,
  ): Promise<RunId> {
    try {
      return await begin(request, writer, endpoint, controller)
    } catch (error) {
      await writer.close()
      throw error
    }
  }

  return {
    start: (request) =>
      whenReady(request.context, request.context, async (endpoint, controller) => {
        const { context, create, images = [], files = [] } = request
        // Before a context is made for it.
        checkImages(images)
        checkTextFiles(files)
        const writer = await deps.store.openWriter(context, { create })
        return beginWith(writer, request, endpoint, controller)
      }),
    startIn: (beginning, request) =>
      whenReady(request.context, request.like ?? request.context, async (endpoint, controller) => {
        const { context } = request
        const facts = {
          id: randomUUID() as EntryId,
          username: endpoint.username.value,
          timestamp: Math.floor(clock.now() / 1000),
        }
        const { writer, writtenText } = await beginBranch(
          beginning,
          request,
          facts,
          deps,
          controller.signal,
        )
        try {
          await deps.appended(context)
          return await beginWith(writer, { context, writtenText }, endpoint, controller)
        } catch (error) {
          await writer.close()
          throw describeUnaskedBranch(context, error)
        }
      }),
    cancel(runId) {
      active.get(runId)?.controller.abort()
    },
    running: () => [...active.values()].map((one) => ({ ...one.progress, ...one.deltas.soFar() })),
    isRunning,
    released: async (context) => left.get(context),
    async close() {
      for (const controller of beginning.values()) controller.abort()
      await Promise.allSettled(beginning.keys())
      const all = [...active.values()]
      for (const one of all) one.controller.abort()
      await Promise.all(all.map((one) => one.ended))
    },
  }
}

/** A run with nothing but the prompt. */
async function bareRun(
  store: Store,
  { context, text, images, files, endpoint }: PreparationRequest,
): Promise<PreparedRun> {
  const { systemPrompt: system, summary } = await store.readNotes(context)
  const prompt = { system, summary }
  const { model, username } = endpoint
  const message = { text, images, files }
  return { input: { ...message, model: model.value, username: username.value, prompt }, deps: {} }
}
