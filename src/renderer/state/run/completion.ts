import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { RunState } from '../../../shared/ipc/runs/completion'
import type { GivenTextFile } from '../../../shared/model/attachments/text-files'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { isCallUser, runErrorType, speakerOf } from '../../../shared/model/conversation/entry'
import type { GivenImage } from '../../../shared/model/conversation/images'
import { separateThoughts } from '../../../shared/model/conversation/thoughts'
import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'
import { toErrorReport } from '../base/failure'
import { newDraftPlace } from './drafts'

/** Shortest time between two updates of streamed text. */
const publishMs = 50

/** Run as the window shows it: main's state, and the text that is not an entry yet. */
export interface LiveRun extends RunState {
  /** Counts the answers of this run that have become entries. */
  readonly part: number
  readonly content: string
  readonly reasoning: string
  /** When the last delta came, in Unix ms; absent while none is expected. */
  readonly heardAtMs?: number | undefined
  /** The failure is in the transcript as an entry. */
  readonly isErrorAppended: boolean
}

/** Refusal of an action of a run. */
export interface RunRefusal extends ErrorReport {
  readonly of: 'message' | 'retry' | 'stop'
}

/** State and actions of the store of runs. */
export interface CompletionState {
  /** The last run of each conversation, after its end too while its text is not an entry. */
  readonly runs: Readonly<Record<string, LiveRun>>
  /** Messages that are being written to the disk, by conversation. */
  readonly sending: Readonly<Record<string, string>>
  /** The last refusal by conversation. */
  readonly refusals: Readonly<Record<string, RunRefusal>>
  /** Begins a conversation with what is attached to the new draft. Resolves to its key, or undefined where it was refused. */
  begin(text: string): Promise<LibraryKey | undefined>
  /** Writes a message with the images that are attached to its draft. Resolves to whether it is durable. */
  start(key: LibraryKey, text: string): Promise<boolean>
  /** Writes a message with images and text files of its own; the draft stays as it is. Resolves to whether it is durable. */
  startBeside(key: LibraryKey, text: string, attached: GivenAttachments): Promise<boolean>
  retry(key: LibraryKey): Promise<void>
  stop(key: string): Promise<void>
  /** Reads the active runs from main: after a reload, and when a delta is missing. */
  resync(): Promise<void>
  foldState(state: RunState): void
  foldDelta(delta: AnswerDelta): void
  /** Removes answers that became entries from the live text; returns the item keys that they had, by row key. */
  settle(key: string, rows: readonly TranscriptRow[]): ReadonlyMap<string, string>
  dismissRefusal(key: string): void
  /** Drops an ended run: its entries are on the disk. A run that could not be written stays. */
  forget(key: string): void
  /** Drops all runs: another home is open. */
  reset(): void
}
/** Images and text files of a message. */
export interface GivenAttachments {
  readonly images: readonly GivenImage[]
  readonly files: readonly GivenTextFile[]
}

/** Store of runs. */
export type CompletionStore = StoreApi<CompletionState>

/**
 * Delta of an answer; `seq` counts those of a run from 0. `parted` separates two thoughts and has no text of its
 * own.
 */
export interface AnswerDelta {
  readonly runId: RunState['runId']
  readonly key: LibraryKey
  readonly seq: number
  readonly kind: 'content' | 'reasoning' | 'parted'
  readonly text: string
}

/** Returns true until a run has ended. */
export function isRunActive(run: Pick<RunState, 'phase'> | undefined): boolean {
  return run?.phase === 'sending' || run?.phase === 'streaming' || run?.phase === 'retrying'
}

/** Returns the key of a streaming answer's item. Its entry takes the key over, so that nothing moves. */
export function liveItemKey(run: Pick<LiveRun, 'runId' | 'part'>): string {
  return `live:${run.runId}:${run.part}`
}

/**
 * Makes the store of runs: it starts and stops them and collects their deltas. Text is published at most every 50
 * ms.
 *
 * @param attachedAt returns the images and text files of the draft at a place
 */
export function createCompletionStore(
  api: Api,
  attachedAt: (place: string) => GivenAttachments = () => ({ images: [], files: [] }),
): CompletionStore {
  /** Text by run, ahead of what is published. */
  const buffers = new Map<string, { nextSeq: number; content: string; reasoning: string }>()
  /** Deltas that came after a missing one. */
  let early: AnswerDelta[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isResyncing = false

  return createStore<CompletionState>()((set, get) => {
    function put(run: LiveRun): void {
      set(({ runs }) => ({ runs: { ...runs, [run.key]: run } }))
    }

    function publish(): void {
      timer = undefined
      const changed: Record<string, LiveRun> = {}
      for (const run of Object.values(get().runs)) {
        const buffer = buffers.get(run.runId)
        if (buffer === undefined) continue
        const { content, reasoning } = buffer
        if (content !== run.content || reasoning !== run.reasoning)
          changed[run.key] = { ...run, content, reasoning, heardAtMs: Date.now() }
      }
      if (Object.keys(changed).length > 0) set(({ runs }) => ({ runs: { ...runs, ...changed } }))
    }

    function take(delta: AnswerDelta): void {
      const buffer = buffers.get(delta.runId)
      if (buffer === undefined || delta.seq !== buffer.nextSeq) return
      buffer.nextSeq++
      if (delta.kind === 'parted') Object.assign(buffer, separateThoughts(buffer))
      else buffer[delta.kind] += delta.text
      if (timer === undefined) timer = setTimeout(publish, publishMs)
    }

    function refuse(key: string, of: RunRefusal['of'], error: unknown): void {
      set(({ refusals }) => ({ refusals: { ...refusals, [key]: { ...toErrorReport(error), of } } }))
    }

    async function ask(
      key: LibraryKey,
      of: RunRefusal['of'],
      call: () => Promise<{ runId: RunState['runId'] }>,
    ): Promise<boolean> {
      set(({ refusals }) => ({ refusals: without(refusals, key) }))
      try {
        const { runId } = await call()
        if (get().runs[key]?.runId !== runId) get().foldState({ runId, key, phase: 'sending' })
        return true
      } catch (error) {
        refuse(key, of, error)
        return false
      }
    }

    function startWith(
      key: LibraryKey,
      text: string,
      attached: GivenAttachments,
    ): Promise<boolean> {
      return ask(key, 'message', () => api.completion.start({ key, text, ...toSend(attached) }))
    }

    async function whileSending<T>(
      place: string,
      text: string,
      work: () => Promise<T>,
    ): Promise<T> {
      set(({ sending }) => ({ sending: { ...sending, [place]: text } }))
      try {
        return await work()
      } finally {
        set(({ sending }) => ({ sending: without(sending, place) }))
      }
    }

    return {
      runs: {},
      sending: {},
      refusals: {},

      begin: (text) =>
        whileSending(newDraftPlace, text, async () => {
          set(({ refusals }) => ({ refusals: without(refusals, newDraftPlace) }))
          try {
            const attached = toSend(attachedAt(newDraftPlace))
            const { key, runId } = await api.completion.begin({ text, ...attached })
            if (get().runs[key]?.runId !== runId) get().foldState({ runId, key, phase: 'sending' })
            return key
          } catch (error) {
            refuse(newDraftPlace, 'message', error)
            return undefined
          }
        }),

      start: (key, text) => whileSending(key, text, () => startWith(key, text, attachedAt(key))),

      startBeside: startWith,

      async retry(key) {
        await ask(key, 'retry', () => api.completion.retry({ key }))
      },

      async stop(key) {
        const run = get().runs[key]
        if (run === undefined || !isRunActive(run)) return
        try {
          await api.completion.cancel({ runId: run.runId })
        } catch (error) {
          refuse(key, 'stop', error)
        }
      },

      async resync() {
        if (isResyncing) return
        isResyncing = true
        try {
          for (const { content, reasoning, nextSeq, ...state } of await api.completion.running()) {
            get().foldState(state)
            buffers.set(state.runId, { nextSeq, content, reasoning })
          }
          const waiting = early.sort((a, b) => a.seq - b.seq)
          early = []
          for (const delta of waiting) take(delta)
          publish()
        } catch {
          // The next delta out of order tries again; the entry itself comes with the transcript.
        } finally {
          isResyncing = false
        }
      },

      foldState(state) {
        const known = get().runs[state.key]
        const isNew = known?.runId !== state.runId
        if (isNew) {
          if (known !== undefined) buffers.delete(known.runId)
          buffers.set(state.runId, { nextSeq: 0, content: '', reasoning: '' })
        }
        const start = { part: 0, content: '', reasoning: '', isErrorAppended: false }
        put({ ...(isNew || known === undefined ? start : liveFields(known)), ...state })
        publish()
      },

      foldDelta(delta) {
        if (get().runs[delta.key]?.runId !== delta.runId)
          get().foldState({ runId: delta.runId, key: delta.key, phase: 'streaming' })
        const nextSeq = buffers.get(delta.runId)?.nextSeq ?? 0
        if (delta.seq <= nextSeq) return take(delta)
        early.push(delta)
        void get().resync()
      },

      settle(key, rows) {
        const shown = new Map<string, string>()
        let run = get().runs[key]
        if (run === undefined) return shown
        publish()
        run = get().runs[key] ?? run
        for (const row of rows) {
          if (row.type !== 'entry') continue
          // After an entry comes a tool or another request: that is no silence of the model.
          run = { ...run, heardAtMs: undefined }
          if (row.entry.entry_type === runErrorType) run = { ...run, isErrorAppended: true }
          // A message written by a call is not part of the streamed text.
          if (speakerOf(row.entry) !== 'agent' || isCallUser(row.entry)) continue
          // Each answer takes over the key of the present part, even where nothing was shown of it yet.
          shown.set(rowKey(row), liveItemKey(run))
          run = { ...run, part: run.part + 1, content: '', reasoning: '' }
          const buffer = buffers.get(run.runId)
          if (buffer !== undefined) Object.assign(buffer, { content: '', reasoning: '' })
        }
        put(run)
        return shown
      },

      dismissRefusal: (key) => set(({ refusals }) => ({ refusals: without(refusals, key) })),

      reset() {
        buffers.clear()
        early = []
        set({ runs: {}, sending: {}, refusals: {} })
      },

      forget(key) {
        const run = get().runs[key]
        if (run === undefined || isRunActive(run)) return
        // Text that could not be written is nowhere else.
        if (run.failure?.kind === 'storage') return
        buffers.delete(run.runId)
        set(({ runs }) => ({ runs: without(runs, key) }))
      },
    }
  })
}

interface SentFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  text?: string
}

function toSend({ images, files }: GivenAttachments): { images?: SentFile[]; files?: SentFile[] } {
  const copied = (given: readonly GivenTextFile[]) =>
    given.map(({ name, bytes, text }) => ({
      name,
      bytes: new Uint8Array(bytes),
      ...(text === undefined ? {} : { text }),
    }))
  return {
    ...(images.length === 0 ? {} : { images: copied(images) }),
    ...(files.length === 0 ? {} : { files: copied(files) }),
  }
}

function liveFields(run: LiveRun) {
  const { part, content, reasoning, heardAtMs, isErrorAppended } = run
  return { part, content, reasoning, heardAtMs, isErrorAppended }
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _gone, ...rest } = record
  return rest
}
