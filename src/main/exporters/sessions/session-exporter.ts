import { homedir } from 'node:os'
import path from 'node:path'
import type { Entry } from '../../../shared/model/conversation/entry'
import { callUserMessage } from '../../../shared/model/conversation/entry'
import { lostArguments, lostHalves, lostMetadata } from '../parts/entry-losses'
import { isExportableTime } from '../parts/exact-time'
import type { Exportable, Exporter, ExportOptions } from '../parts/exporter'
import type { EntryLoss, LossFollower } from '../parts/loss'
import { exportedEntriesWhere } from '../parts/rows'
import { BranchedSteps, type TreeStep } from './branched-steps'
import { callArguments } from './call-arguments'
import { callToolName, type SessionPlaces, sessionImages, sessionKindOf } from './session-entry'
import { sessionIdIn } from './session-ids'
import { SessionSteps, type WrittenStep } from './session-steps'

/** Facts that a new session begins with. */
export interface NewSession {
  readonly id: string
  /** The folder in which it goes on; absolute. */
  readonly folder: string
  /** Not empty. */
  readonly title: string
  readonly conversation: Exportable
}

/** The form of a session, as one program has it. */
export interface SessionForm extends Pick<Exporter, 'id' | 'extension' | 'mediaType' | 'fileName'> {
  readonly places: SessionPlaces
  /** The form has a place for the name of the model that gave the answer. */
  keepsModel(model: string): boolean
  /** The form says whether a call failed. */
  readonly keepsErrors: boolean
  /** Arguments are text in the form's JSON, to the letter. */
  readonly hasArgumentsAsText?: true
  /** The form has a place for a folder as long as this. */
  keepsFolder?(folder: string): boolean
  /** Writes the file; takes the steps once. */
  write(
    head: NewSession,
    steps: AsyncIterable<WrittenStep>,
  ): AsyncIterable<string> | Iterable<string>
  /** Writes the file with every branch; absent where the form holds one path. */
  writeTree?(head: NewSession, steps: AsyncIterable<TreeStep>): AsyncIterable<string>
}

/**
 * Makes the exporter of a form in which another program goes on with the conversation: always a new session, with ids of its own.
 * Holds a round of calls at a time.
 */
export function createSessionExporter(form: SessionForm): Exporter {
  const { places } = form
  const lostOf = (entry: Entry, conversation: Pick<Exportable, 'source'>) =>
    lostInSession(form, entry, conversation)
  return {
    id: form.id,
    extension: form.extension,
    mediaType: form.mediaType,
    ...(form.fileName === undefined ? {} : { fileName: form.fileName }),
    branches: 'active',
    isSession: true,
    hasBranches: form.writeTree !== undefined,
    hasProject: (project) => path.isAbsolute(project) && (form.keepsFolder?.(project) ?? true),
    lostOf,
    lossesBetween: ({ created }) =>
      form.writeTree === undefined ? followLosses(created) : followTreeLosses(created),
    async *write(conversation, options, signal) {
      const has = (entry: Entry) => sessionKindOf(entry, conversation, places).type !== 'left out'
      if (options.branches === 'all' && form.writeTree !== undefined) {
        const steps = treeSteps(conversation, has, signal)
        yield* form.writeTree(headOf(form, conversation, options), steps)
        return
      }
      const entries = exportedEntriesWhere(conversation, options, signal, has)
      yield* form.write(headOf(form, conversation, options), stepsOf(entries, conversation.created))
    },
  }
}

async function* stepsOf(
  entries: AsyncIterable<Entry>,
  created: string | null,
): AsyncGenerator<WrittenStep> {
  const steps = new SessionSteps(created)
  for await (const entry of entries) yield* steps.add(entry)
  yield* steps.end()
}

async function* treeSteps(
  { rows, active, created }: Exportable,
  isWritten: (entry: Entry) => boolean,
  signal: AbortSignal,
): AsyncGenerator<TreeStep> {
  const steps = new BranchedSteps(created)
  for await (const row of rows) {
    signal.throwIfAborted()
    if (row.type === 'entry') yield* steps.add(row.entry, isWritten(row.entry))
  }
  yield* steps.end(active?.at(-1))
}

function headOf(
  form: SessionForm,
  conversation: Exportable,
  { title, fileName, folder }: ExportOptions,
): NewSession {
  const { project, key } = conversation
  const wanted = folder ?? project ?? ''
  const isKept = path.isAbsolute(wanted) && (form.keepsFolder?.(wanted) ?? true)
  return {
    id: sessionIdIn(fileName),
    folder: isKept ? wanted : homedir(),
    title: (title ?? conversation.title).trim() || key.trim() || 'Conversation',
    conversation,
  }
}

/** Losses that hang on more than one entry. */
function followLosses(created: string | null): LossFollower {
  const steps = new SessionSteps(created)
  return {
    add: (entry) => steps.add(entry).flatMap(lostInStep),
    end: () => steps.end().flatMap(lostInStep),
  }
}

/** As `followLosses`, along each branch. */
function followTreeLosses(created: string | null): LossFollower {
  const steps = new BranchedSteps(created)
  const lostIn = (step: TreeStep) =>
    step.type === 'branch' || step.type === 'leaf' ? [] : lostInStep(step)
  return {
    add: (entry) => steps.add(entry, true).flatMap(lostIn),
    end: () => steps.end(undefined).flatMap(lostIn),
  }
}

function lostInStep(step: WrittenStep): readonly EntryLoss[] {
  const late = ({ isLate }: { readonly isLate: boolean }): readonly EntryLoss[] =>
    isLate ? [{ kind: 'late' }] : []
  if (step.type === 'other') return late(step.entry)
  if (step.type === 'loose') return [{ kind: 'loose-call' }, ...late(step.entry)]
  return [
    ...step.words.flatMap(late),
    ...step.calls.flatMap(({ call, result }) => [...late(call), ...late(result)]),
    ...Array.from({ length: step.moved }, (): EntryLoss => ({ kind: 'moved' })),
  ]
}

function lostInSession(
  form: SessionForm,
  entry: Entry,
  conversation: Pick<Exportable, 'source'>,
): readonly EntryLoss[] {
  const kind = sessionKindOf(entry, conversation, form.places)
  if (kind.type === 'left out') return [{ kind: kind.loss }]
  const { timestamp, metadata = {}, from } = entry
  const { model } = metadata
  const isAnswer = kind.type === 'agent' || kind.type === 'call' || kind.type === 'reasoning'
  const kept = new Set([
    ...(isAnswer && typeof model === 'string' && form.keepsModel(model) ? ['model'] : []),
    ...(kind.type === 'result' && form.keepsErrors ? ['is_error'] : []),
    ...(sessionImages(entry) === undefined ? [] : ['images']),
    ...(kind.type === 'compaction' ? ['summary', 'injected', 'raw_type'] : []),
  ])
  const isNamed = kind.type === 'user' && from !== '' && from !== 'user'
  return [
    ...timeLosses(timestamp),
    ...(isNamed ? [{ kind: 'name' } as const] : []),
    ...(kind.type === 'call' ? lostInCall(form, entry) : []),
    ...lostMetadata(entry, kept),
    ...(callUserMessage(entry) === undefined ? [] : lostArguments(entry)),
    ...lostHalves(entry),
  ]
}

function timeLosses(timestamp: number | null): readonly EntryLoss[] {
  if (!isExportableTime(timestamp)) return [{ kind: 'no-time' }]
  return Math.round(timestamp * 1000) / 1000 === timestamp ? [] : [{ kind: 'milliseconds' }]
}

function lostInCall({ hasArgumentsAsText }: SessionForm, entry: Entry): readonly EntryLoss[] {
  const { isWrapped, isMended } = callArguments(entry)
  return [
    ...(callToolName(entry) === entry.to ? [] : [{ kind: 'tool-name' } as const]),
    ...(isWrapped ? [{ kind: 'wrapped' } as const] : []),
    ...(isMended && hasArgumentsAsText !== true ? [{ kind: 'half' } as const] : []),
  ]
}
