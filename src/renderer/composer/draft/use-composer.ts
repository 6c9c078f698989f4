import { useMemo } from 'react'
import { withFrames } from '../../../shared/model/attachments/text-files'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import {
  type Stores,
  useActions,
  useBranching,
  useCompletion,
  useDrafts,
  useQueue,
  useSettings,
  useStores,
  useTranscript,
} from '../../state/context'
import { isRunActive, type LiveRun, newDraftPlace, type RunRefusal } from '../../state/run-state'
import { settingsFor } from '../../state/settings/settings'
import type { AdoptedConversation, UnwrittenSummary } from '../../state/transcript-state'
import { useNow } from '../../ui/behaviour/hooks'
import { type DraftAttachments, useImages } from '../images/use-images'
import { useMeasured } from './use-measured'

/** State and actions of a composer. */
export interface ComposerState {
  /** The open conversation; undefined while its first message is being written. */
  readonly contextKey: LibraryKey | undefined
  readonly text: string
  /** Names of the fields that the saved prompt in the draft had at first. */
  readonly fields: readonly string[]
  readonly attaching: DraftAttachments
  readonly run: LiveRun | undefined
  readonly isRunning: boolean
  readonly isSending: boolean
  /** Why nothing can be written now. */
  readonly lockWords: string | undefined
  readonly needsModel: boolean
  readonly notReady: string | undefined
  readonly canSend: boolean
  /** The message can be queued; it is sent when the current answer is complete. */
  readonly canQueue: boolean
  readonly refusal: RunRefusal | undefined
  /** The origin of an adopted conversation, until its note is dismissed. */
  readonly adopted: AdoptedConversation | undefined
  /** Why the branch has no summary that was wished for, until its note is dismissed. */
  readonly unwritten: UnwrittenSummary | undefined
  /** The draft is too long to store: it is lost with the window. */
  readonly isNotKept: boolean
  setText(text: string): void
  /** Sets which fields of the text are asked for. */
  setFields(names: readonly string[]): void
  /** Sends the draft, or the text that its fields give it. */
  send(text?: string): void
  /** Appends the message to the queue. */
  enqueue(text?: string): void
  stop(): void
  dismissRefusal(): void
  dismissAdopted(): void
  dismissUnwritten(): void
}

/** Returns the composer of an open conversation. */
export function useComposer(key: LibraryKey): ComposerState {
  const { drafts, completion } = useStores()
  const { send, enqueue } = useActions()
  const draft = useDraft(key)
  const lock = useLockWords()
  const shared = useShared(key, key)
  const attaching = useImages(key, key)
  const whole = useMemo(
    () =>
      withFrames(
        draft.text,
        attaching.files.map(({ frame }) => frame),
      ),
    [draft.text, attaching.files],
  )
  useMeasured(key, whole, attaching.images.length)
  const isQueueSending = useQueue(key).isSending === true
  const canWrite = hasContent(draft.text, attaching) && lock === undefined
  return {
    ...shared,
    contextKey: key,
    text: draft.text,
    fields: draft.fields ?? none,
    attaching,
    lockWords: lock,
    canSend: canWrite && shared.isFree && !isQueueSending,
    canQueue: canWrite && (shared.isRunning || isQueueSending) && !shared.isSending,
    ...changesOf(drafts, key),
    send: (text = draft.text) => void send(key, textToSend(text)),
    enqueue: (text = draft.text) => enqueue(key, textToSend(text)),
    stop: () => void completion.getState().stop(key),
  }
}

/** Returns the composer of a conversation that does not exist yet: its first message creates it. */
export function useFirstComposer(): ComposerState {
  const { drafts } = useStores()
  const { begin } = useActions()
  const draft = useDraft(newDraftPlace)
  const shared = useShared(undefined, newDraftPlace)
  const attaching = useImages(newDraftPlace, undefined)
  return {
    ...shared,
    contextKey: undefined,
    text: draft.text,
    fields: draft.fields ?? none,
    attaching,
    lockWords: undefined,
    canSend: hasContent(draft.text, attaching) && shared.isFree,
    canQueue: false,
    ...changesOf(drafts, newDraftPlace),
    send: (text = draft.text) => void begin(textToSend(text)),
    enqueue: () => undefined,
    stop: () => undefined,
  }
}

const none: readonly string[] = []

/** Returns what changes a draft; it reads the present one, since a change may come before the last one is drawn. */
function changesOf(
  drafts: Stores['drafts'],
  place: string,
): Pick<ComposerState, 'setText' | 'setFields'> {
  return {
    setText(text) {
      const { fields } = drafts.getState().get(place)
      drafts
        .getState()
        .set(place, text === '' || fields === undefined ? { text } : { text, fields })
    },
    setFields(fields) {
      const { text } = drafts.getState().get(place)
      drafts.getState().set(place, fields.length === 0 ? { text } : { text, fields })
    },
  }
}

/** Returns true with text, images or files: those alone are a message too. */
function hasContent(text: string, { images, files, isReading }: DraftAttachments): boolean {
  return !isReading && (text.trim() !== '' || images.length > 0 || files.length > 0)
}

/** Returns the text to send; white space alone, beside images or files, becomes none. */
function textToSend(text: string): string {
  return text.trim() === '' ? '' : text
}

/** Returns the draft at a place; the first call reads the stored one. */
function useDraft(place: string) {
  const known = useDrafts(({ drafts }) => drafts[place])
  const get = useDrafts((state) => state.get)
  return known ?? get(place)
}

function useShared(key: LibraryKey | undefined, place: string) {
  const { completion, branching } = useStores()
  const adopted = useBranching((state) => state.adopted[place])
  const unwritten = useBranching((state) => state.unwritten[place])
  const run = useCompletion(({ runs }) => (key === undefined ? undefined : runs[key]))
  const isSending = useCompletion(({ sending }) => sending[place] !== undefined)
  const refusal = useCompletion(({ refusals }) => refusals[place])
  const view = useSettings((state) => settingsFor(state, key))
  const isNotKept = useDrafts(
    ({ notKept, filesNotKept }) => notKept[place] === true || filesNotKept[place] === true,
  )
  const isRunning = isRunActive(run)
  const needsModel = view !== undefined && !view.ready
  return {
    run,
    isRunning,
    isSending,
    refusal,
    needsModel,
    notReady: needsModel ? view.notReady : undefined,
    isNotKept,
    adopted,
    unwritten,
    isFree: !isRunning && !isSending && !needsModel,
    dismissRefusal: () => completion.getState().dismissRefusal(place),
    dismissAdopted: () => branching.getState().dismissAdopted(place),
    dismissUnwritten: () => branching.getState().dismissUnwritten(place),
  }
}

/** Returns when the lock of another holder becomes free, by its heartbeat; undefined without such a lock. */
function useLockWords(): string | undefined {
  const lock = useTranscript((state) => state.lock)
  const now = useNow(lock.state === 'held' ? 1000 : undefined)
  if (lock.state !== 'held') return undefined
  const beat = Math.max(0, Math.round(now / 1000 - lock.beatAt))
  const limit = Math.round(lock.staleAt - lock.beatAt)
  return `Unlocks when its heartbeat is ${limit} s old; last beat ${beat} s ago`
}
