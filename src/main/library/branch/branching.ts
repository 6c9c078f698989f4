import { randomUUID } from 'node:crypto'
import { keptTextFiles } from '../../../shared/model/attachments/text-files'
import { AppError } from '../../../shared/model/basics/errors'
import { branchSummaryEntry } from '../../../shared/model/conversation/branch-summary'
import { LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { type Entry, EntryId } from '../../../shared/model/conversation/entry'
import { type KeptImage, keptImages } from '../../../shared/model/conversation/images'
import type {
  AdoptReport,
  BranchAction,
  BranchSummaryOutcome,
  BranchSummaryWish,
  EntryRef,
} from '../../../shared/model/family/branching'
import type { RunId } from '../../../shared/model/run/run'
import type { Disk } from '../../disk/interface/disk'
import type { ContextBeginning, Store, TranscriptWriter } from '../../store/store'
import { copyAttachments } from '../../store/texts/attachments'
import { conversationNotFound } from '../sources/conversation-not-found'
import type { Histories } from '../sources/histories'
import { readAdoption } from './adopt'
import { branchFromContext } from './branch-from-context'
import { adoptedName, branchName } from './branch-names'

/** The store, histories and functions that branches are made with. */
export interface BranchingDeps {
  readonly store: Store
  readonly histories: Histories
  readonly disk: Disk
  /** Makes the context and asks the model in it; `like` is the context whose settings hold. */
  readonly ask: (
    beginning: ContextBeginning,
    request: {
      readonly context: LibraryKey
      readonly text?: string
      readonly images?: readonly KeptImage[]
      readonly like?: LibraryKey
    },
  ) => Promise<RunId>
  /**
   * Has the model of a context summarize what comes after a cut, or that of the home for another system's conversation.
   * Writes no entry. Without it there is no summary.
   */
  readonly summarize?: (
    left: {
      readonly context: string | undefined
      readonly entries: AsyncIterable<Entry> | Iterable<Entry>
      readonly words?: string | undefined
    },
    signal: AbortSignal,
  ) => Promise<LeftSummary>
  /** A context is new; resolves when the app window knows it. */
  readonly created: (key: LibraryKey) => Promise<void>
  /** Unix milliseconds. */
  readonly now?: () => number
}

/** Outcome of the question for a summary of what is left. */
type LeftSummary =
  | Exclude<BranchSummaryOutcome, { type: 'written' }>
  | {
      readonly type: 'written'
      readonly text: string
      readonly model: string
      readonly usage?: unknown
      readonly messages: number
    }

/** A branch that was made. */
export interface Branch {
  readonly key: LibraryKey
  readonly runId?: RunId
  /** Of an adopted path. */
  readonly report?: AdoptReport
  /** The outcome of a summary, where one was wished for. */
  readonly summary?: BranchSummaryOutcome
}

/** A maker of contexts that continue other conversations. */
export interface Branching {
  /** See `branches.create` in the contract. */
  create(
    key: LibraryKey,
    at: EntryRef,
    action: BranchAction,
    summary?: BranchSummaryWish,
  ): Promise<Branch>
  /** Stops the summaries that are written for branches of a conversation, or all: the branches are made without. */
  stopSummary(key?: LibraryKey): void
  /** Stops all summaries, and resolves when each branch that is being made is there, or has failed. */
  close(): Promise<void>
}

/** The parts of a branch, whatever it is made from. */
interface Source {
  readonly name: (taken: ReadonlySet<string>) => string
  readonly beginning: (context: string) => ContextBeginning
  readonly like?: LibraryKey
  /** Of the entry that was asked for. */
  readonly images?: readonly KeptImage[]
  readonly report?: AdoptReport
  /** Reads the entries after the cut. */
  readonly left: () => AsyncIterable<Entry> | Iterable<Entry>
}

/** Creates the `Branching` of a home; reads nothing yet. */
export function openBranching(deps: BranchingDeps): Branching {
  const { store, histories, disk } = deps
  const now = deps.now ?? Date.now
  /** Summaries that are being written, by what stops them. */
  const summaries = new Map<AbortController, LibraryKey>()
  const making = new Set<Promise<Branch>>()
  let isClosed = false

  async function sourceOf(
    key: LibraryKey,
    at: EntryRef,
    action: BranchAction['type'],
  ): Promise<Source> {
    const { source, key: ownKey } = parseLibraryKey(key)
    if (source === 'chibi') {
      const { beginning, images, left } = await branchFromContext(store, disk, ownKey, at, action)
      return {
        name: (taken) => branchName(ownKey, taken),
        beginning,
        images,
        like: key,
        left,
      }
    }
    const history = await histories.find(key)
    if (history === undefined) throw conversationNotFound(histories, key)
    const adopted = await readAdoption(history, disk, at, action, Math.floor(now() / 1000), (one) =>
      conversationNotFound(histories, one),
    )
    const { title, beginning, report, left } = adopted
    return { name: (taken) => adoptedName(title, ownKey, taken), beginning, report, left }
  }

  /** A failure is an outcome: the branch is wanted in any case. */
  async function summaryOf(
    key: LibraryKey,
    { left, like }: Source,
    { words }: BranchSummaryWish,
  ): Promise<LeftSummary> {
    const { summarize } = deps
    if (summarize === undefined)
      return { type: 'failed', words: 'There is no model here that could write one.' }
    if (isClosed) return { type: 'stopped' }
    const stop = new AbortController()
    summaries.set(stop, key)
    try {
      const context = like && parseLibraryKey(like).key
      return await summarize({ context, entries: left(), words }, stop.signal)
    } catch (error) {
      return { type: 'failed', words: error instanceof Error ? error.message : String(error) }
    } finally {
      summaries.delete(stop)
    }
  }

  /** Brings images and text files, so that they stay when the parent goes. Until then they are found there, and the next run tries again. */
  async function bringAll(writer: TranscriptWriter): Promise<void> {
    const place = { disk, home: store.home, context: writer.context }
    const window = await writer.window('notice').catch(() => [])
    const kept = window.flatMap(({ metadata }) => [
      ...keptImages(metadata),
      ...keptTextFiles(metadata),
    ])
    const files = kept.map(({ file }) => file)
    await copyAttachments(place, files).catch(() => undefined)
  }

  async function make(
    context: LibraryKey,
    { beginning, like, images = [] }: Source,
    action: BranchAction,
  ): Promise<RunId | undefined> {
    if (action.type === 'branch') {
      const options = { create: true, beginning: beginning(context) }
      const writer = await store.openWriter(context, options)
      try {
        await bringAll(writer)
      } finally {
        await writer.close()
      }
      return undefined
    }
    return deps.ask(beginning(context), {
      context,
      ...(action.type === 'edit' ? { text: action.text, images } : {}),
      ...(like === undefined ? {} : { like }),
    })
  }

  async function createBranch(
    key: LibraryKey,
    at: EntryRef,
    action: BranchAction,
    wish: BranchSummaryWish | undefined,
  ): Promise<Branch> {
    const found = await sourceOf(key, at, action.type)
    const summary = wish && (await summaryOf(key, found, wish))
    const source =
      summary?.type === 'written' ? withSummary(found, key, { ...summary, ...wish }, now()) : found
    const taken = new Set((await store.listContexts()).map(({ name }) => name.toLowerCase()))
    for (;;) {
      const context = LibraryKey.parse(source.name(taken))
      try {
        const runId = await make(context, source, action)
        await deps.created(context)
        const { report } = source
        return {
          key: context,
          ...(runId === undefined ? {} : { runId }),
          ...(report === undefined ? {} : { report }),
          ...(summary === undefined ? {} : { summary: outcomeOf(summary) }),
        }
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'exists') {
          // One that was made and could not be opened is there all the same.
          await deps.created(context).catch(() => undefined)
          throw error
        }
        // Another process was quicker with this name, or something that is no context has it.
        taken.add(context.toLowerCase())
      }
    }
  }

  function stopSummary(key?: LibraryKey): void {
    for (const [stop, of] of summaries) if (key === undefined || of === key) stop.abort()
  }

  return {
    stopSummary,

    async create(key, at, action, wish) {
      const made = createBranch(key, at, action, wish)
      making.add(made)
      try {
        return await made
      } finally {
        making.delete(made)
      }
    },

    async close() {
      isClosed = true
      stopSummary()
      await Promise.allSettled(making)
    },
  }
}

/** Adds the summary of what is left, behind the copies. */
function withSummary(
  source: Source,
  left: LibraryKey,
  summary: Parameters<typeof branchSummaryEntry>[0],
  nowMs: number,
): Source {
  return {
    ...source,
    beginning(context) {
      const beginning = source.beginning(context)
      const facts = {
        id: EntryId.parse(randomUUID()),
        context,
        timestamp: Math.floor(nowMs / 1000),
      }
      return {
        ...beginning,
        entries: followedBy(beginning.entries, branchSummaryEntry(summary, left, facts)),
      }
    },
  }
}

async function* followedBy<T>(entries: AsyncIterable<T> | Iterable<T>, last: T): AsyncGenerator<T> {
  yield* entries
  yield last
}

function outcomeOf(summary: LeftSummary): BranchSummaryOutcome {
  return summary.type === 'written' ? { type: 'written' } : summary
}
