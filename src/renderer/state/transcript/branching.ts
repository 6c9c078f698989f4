import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type {
  AdoptReport,
  BranchAction,
  BranchSummaryOutcome,
  BranchSummaryWish,
  EntryRef,
} from '../../../shared/model/family/branching'
import type { RunId } from '../../../shared/model/run/run'
import { toErrorReport } from '../base/failure'

/** Rows of a page in the search for the last entry of a conversation. */
const lastRows = 100

/** Edit of a message in place. */
export interface MessageEdit {
  readonly text: string
  /** False after Esc: the text is kept for the next time. */
  readonly isOpen: boolean
}

/** Branch that was made, with its run where it has one. */
export interface CreatedBranch {
  readonly key: LibraryKey
  readonly runId?: RunId | undefined
}

/** Origin of an adopted conversation, with the report of the copy. */
export interface AdoptedConversation {
  readonly source: string
  readonly report: AdoptReport
}

/** An entry where a branch can begin: with its place, or known by its id alone. */
export type BranchStart = EntryRef | { readonly entry: EntryId }

/** Reason why a branch has no summary. */
export type UnwrittenSummary = Exclude<BranchSummaryOutcome, { type: 'written' }>

/** Branch that a person is asked about: whether it begins with a summary of what is left. */
export interface PendingBranch {
  readonly spot: string
  readonly key: LibraryKey
  readonly at: BranchStart
  readonly action: BranchAction
  /** True where a summary is what the person asked for. */
  readonly isForSummary: boolean
}

/** State and actions of the branching store. */
export interface BranchingState {
  /** Branches that are being made, by spot. */
  readonly making: Readonly<Record<string, BranchAction['type']>>
  /** Why no branch was made, by spot. */
  readonly refusals: Readonly<Record<string, ErrorReport & { readonly of: BranchAction['type'] }>>
  /** Edits of messages, by spot. */
  readonly edits: Readonly<Record<string, MessageEdit>>
  /** Origins of adopted conversations, by their key. */
  readonly adopted: Readonly<Record<string, AdoptedConversation>>
  /** The branch that a person is asked about. */
  readonly question: PendingBranch | undefined
  /** Summaries that were wished for and not written, by the keys of the branches. */
  readonly unwritten: Readonly<Record<string, UnwrittenSummary>>
  /**
   * Makes a branch; resolves to undefined after a refusal, which is in `refusals`. An entry that is known by its id
   * alone, and that came up again, is the last one of that id.
   *
   * @param summary has the model summarize what is left first; without that, `unwritten` says why there is none
   */
  create(
    spot: string,
    key: LibraryKey,
    at: BranchStart,
    action: BranchAction,
    summary?: BranchSummaryWish,
  ): Promise<CreatedBranch | undefined>
  ask(question: PendingBranch): void
  leave(): void
  /** Stops the summary of the branch that is being made: it is made without. */
  stopSummary(key: LibraryKey): void
  dismissUnwritten(key: string): void
  /** Adopts a whole conversation: a branch at its last entry, or at the last one of a way through it. */
  takeOver(key: LibraryKey, way?: WayName): Promise<CreatedBranch | undefined>
  edit(spot: string, text: string): void
  openEdit(spot: string, text: string): void
  closeEdit(spot: string): void
  dismissRefusal(spot: string): void
  dismissAdopted(key: string): void
  reset(): void
}
/** Store of branches that are being made. */
export type BranchingStore = StoreApi<BranchingState>

/** Returns the key of the spot where a branch is asked for: an item of a conversation, or the conversation's foot. */
export function spotKey(key: string, itemKey = ''): string {
  return `${key}\n${itemKey}`
}

const nothing = {
  making: {},
  refusals: {},
  edits: {},
  adopted: {},
  question: undefined,
  unwritten: {},
} as const

/** Makes the store that makes branches from entries, and holds the edits of messages for them. */
export function createBranchingStore(api: Api): BranchingStore {
  return createStore<BranchingState>()((set, get) => {
    /** Finds the last entry, however many damaged lines follow it. */
    async function lastEntryOf(key: LibraryKey, way: WayName | undefined): Promise<EntryRef> {
      const along = way === undefined ? {} : { way }
      let page = await api.transcript.page({ key, from: 'end', limit: lastRows, ...along })
      for (;;) {
        const last = page.rows.findLast((row) => row.type === 'entry')
        if (last?.type === 'entry') {
          const { id, file, offset } = last.entry
          return { entry: id, file, offset }
        }
        if (page.before === undefined)
          throw new AppError('not-found', 'This conversation has no entry to continue from.')
        page = await api.transcript.page({ key, from: { before: page.before }, limit: lastRows })
      }
    }

    async function findEntry(key: LibraryKey, entry: EntryId): Promise<EntryRef> {
      const place = await api.transcript.locate({ key, entry })
      if (place !== null) return { entry, ...place }
      throw new AppError('not-found', 'That message is no longer in its conversation.')
    }

    async function make(
      spot: string,
      key: LibraryKey,
      where: () => Promise<EntryRef>,
      action: BranchAction,
      summary?: BranchSummaryWish,
    ): Promise<CreatedBranch | undefined> {
      if (get().making[spot] !== undefined) return undefined
      set(({ making, refusals }) => ({
        making: { ...making, [spot]: action.type },
        refusals: without(refusals, spot),
      }))
      try {
        const {
          report,
          summary: outcome,
          ...made
        } = await api.branches.create({
          key,
          at: await where(),
          action,
          ...(summary === undefined ? {} : { summary }),
        })
        if (outcome !== undefined && outcome.type !== 'written')
          set(({ unwritten }) => ({ unwritten: { ...unwritten, [made.key]: outcome } }))
        if (report !== undefined)
          set(({ adopted }) => ({
            adopted: { ...adopted, [made.key]: { source: parseLibraryKey(key).source, report } },
          }))
        if (action.type === 'edit') set(({ edits }) => ({ edits: without(edits, spot) }))
        return made
      } catch (error) {
        const refusal = { ...toErrorReport(error), of: action.type }
        set(({ refusals }) => ({ refusals: { ...refusals, [spot]: refusal } }))
        return undefined
      } finally {
        set(({ making }) => ({ making: without(making, spot) }))
      }
    }

    return {
      ...nothing,
      create: (spot, key, at, action, summary) =>
        make(
          spot,
          key,
          async () => ('offset' in at ? at : findEntry(key, at.entry)),
          action,
          summary,
        ),
      takeOver: (key, way) =>
        make(spotKey(key), key, () => lastEntryOf(key, way), { type: 'branch' }),

      edit: (spot, text) =>
        set(({ edits }) => ({ edits: { ...edits, [spot]: { text, isOpen: true } } })),
      openEdit: (spot, text) => get().edit(spot, get().edits[spot]?.text ?? text),
      closeEdit(spot) {
        const edit = get().edits[spot]
        if (edit === undefined) return
        set(({ edits, refusals }) => ({
          edits: { ...edits, [spot]: { ...edit, isOpen: false } },
          refusals: without(refusals, spot),
        }))
      },
      dismissRefusal: (spot) => set(({ refusals }) => ({ refusals: without(refusals, spot) })),
      ask(question) {
        get().dismissRefusal(question.spot)
        set({ question })
      },
      leave: () => set({ question: undefined }),
      // Not awaited: the branch comes when the summary has ended.
      stopSummary: (key) => void api.branches.stopSummary({ key }).catch(() => undefined),
      dismissUnwritten: (key) => set(({ unwritten }) => ({ unwritten: without(unwritten, key) })),
      dismissAdopted: (key) => set(({ adopted }) => ({ adopted: without(adopted, key) })),
      reset: () => set({ ...nothing }),
    }
  })
}

function without<T>(
  record: Readonly<Record<string, T>>,
  name: string,
): Readonly<Record<string, T>> {
  if (!(name in record)) return record
  const { [name]: _gone, ...rest } = record
  return rest
}
