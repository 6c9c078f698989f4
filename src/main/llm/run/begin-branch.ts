import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import type { KeptImage } from '../../../shared/model/conversation/images'
import type { ContextBeginning, Store, TranscriptWriter } from '../../store/store'
import { messageEntry } from '../steps/run-entries'
import type { Preparation } from './prepare'

/** The branch that is wanted: its context, and the message to ask in it. */
export interface BranchRequest {
  readonly context: LibraryKey
  readonly text?: string
  /** Images of the message: kept already, in a context of this home. */
  readonly images?: readonly KeptImage[]
  /** The context whose model and settings hold here as well: the one that it was branched from. */
  readonly like?: LibraryKey
}

/** A context that was created: open, with the user message as hooks left it. */
interface BegunBranch {
  readonly writer: TranscriptWriter
  readonly writtenText: string | undefined
}

/**
 * Creates a context from its beginning and the user message, both at once.
 *
 * @param facts of the message's entry
 * @throws AppError `exists`, `disk-full`: there is no such context
 */
export async function beginBranch(
  beginning: ContextBeginning,
  { context, text, images = [] }: BranchRequest,
  facts: { readonly id: EntryId; readonly username: string; readonly timestamp: number },
  deps: { readonly store: Store; readonly hear?: Preparation['hear'] | undefined },
  signal: AbortSignal,
): Promise<BegunBranch> {
  const writtenText =
    text === undefined ? undefined : ((await deps.hear?.(context, text, signal)) ?? text)
  const words =
    writtenText === undefined ? [] : [messageEntry(writtenText, { ...facts, context, images })]
  const own = writtenText === text ? words : words.map((entry) => withTyped(entry, text))
  const entries = followedBy(beginning.entries, own)
  const writer = await deps.store.openWriter(context, {
    create: true,
    beginning: { ...beginning, entries },
  })
  return { writer, writtenText }
}

/** Adds to an AppError that the context exists although its model was not asked; returns any other error as it is. */
export function describeUnaskedBranch(context: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const message = `"${context}" was created, but no request was sent: ${error.message}`
  return new AppError(error.code, message, { cause: error })
}

async function* followedBy(
  first: ContextBeginning['entries'],
  then: readonly EntryDraft[],
): AsyncGenerator<EntryDraft> {
  yield* first
  yield* then
}

/** Keeps the typed text in the metadata, where hooks have changed it. */
function withTyped(entry: EntryDraft, typed: string | undefined): EntryDraft {
  return { ...entry, metadata: { ...entry.metadata, typed } }
}
