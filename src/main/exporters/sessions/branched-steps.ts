import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import { exportKindOf } from '../parts/entry-kind'
import { formatMilliseconds } from '../parts/exact-time'
import { SessionSteps, type WrittenStep } from './session-steps'

/** Step of a session that has branches: where it is said, what follows goes on from elsewhere. */
export type TreeStep =
  | WrittenStep
  /** Entry, written before, from which the next ones go on; null for the session's beginning. */
  | { readonly type: 'branch'; readonly from: EntryId | null }
  /** The conversation is now at this entry, or at what was written before it. */
  | { readonly type: 'leaf'; readonly at: EntryId | null }

type Kind = ReturnType<typeof exportKindOf>

/**
 * Makes steps of all branches of a conversation, each entry once: calls are paired with results, and times rise, along each branch. Takes
 * entries in any order in which none comes before its parent; one without a parent, or with one that is missing, goes on from the one
 * before. Holds ids, a round of calls and what a result is missing to.
 */
export class BranchedSteps {
  private readonly created: string | null
  private steps: SessionSteps
  /** Entries of the stretch that is being written; nothing in it leaves another way. */
  private stretch = new Set<EntryId>()
  /** The last entry. */
  private previous: EntryId | null = null
  private readonly kinds = new Map<EntryId, Kind>()
  private readonly goneOnFrom = new Set<EntryId>()
  /** For each entry itself where it is written, else what it went on from. */
  private readonly written = new Map<EntryId, EntryId | null>()
  private readonly times = new Map<EntryId, number>()

  constructor(created: string | null) {
    this.created = created
    this.steps = new SessionSteps(created)
  }

  /** Takes the next entry; gives the steps that are known by then. @param isWritten the session has a place for it */
  add(entry: Entry, isWritten: boolean): readonly TreeStep[] {
    const { id } = entry
    const before = this.placeBefore(entry)
    const goesOn = before === this.previous || (before !== null && this.stretch.has(before))
    const isBranch = !goesOn || this.isFork(entry, before)
    const found = isBranch && this.kinds.size > 0 ? this.branchAt(before) : []
    this.kinds.set(id, exportKindOf(entry))
    if (before !== null) this.goneOnFrom.add(before)
    this.written.set(id, isWritten ? id : this.writtenAt(before))
    this.stretch.add(id)
    this.previous = id
    return isWritten ? [...found, ...this.noted(this.steps.add(entry))] : found
  }

  /** Ends the session. @param leaf where the conversation is now; undefined where that is its last entry */
  end(leaf: EntryId | undefined): readonly TreeStep[] {
    const rest = this.noted(this.steps.end())
    if (leaf === undefined || !this.kinds.has(leaf)) return rest
    const at = this.writtenAt(leaf)
    return at === this.writtenAt(this.previous) ? rest : [...rest, { type: 'leaf', at }]
  }

  private placeBefore({ parent }: Entry): EntryId | null {
    if (parent === undefined) return this.previous
    if (parent === null || this.kinds.has(parent)) return parent
    return this.previous
  }

  /** Parallel calls and their results have one parent too, and are no branches. */
  private isFork(entry: Entry, before: EntryId | null): boolean {
    if (before === null || !this.goneOnFrom.has(before)) return false
    const kind = exportKindOf(entry)
    if (kind === 'result') return false
    const isRound = kind === 'call' || kind === 'reasoning'
    return !(isRound && this.kinds.get(before) === 'call')
  }

  private branchAt(before: EntryId | null): readonly TreeStep[] {
    const rest = this.noted(this.steps.end())
    const from = this.writtenAt(before)
    const atMs = from === null ? undefined : this.times.get(from)
    this.steps = new SessionSteps(atMs === undefined ? this.created : formatMilliseconds(atMs))
    this.stretch = new Set()
    return [...rest, { type: 'branch', from }]
  }

  private writtenAt(id: EntryId | null): EntryId | null {
    return id === null ? null : (this.written.get(id) ?? null)
  }

  private noted(steps: readonly WrittenStep[]): readonly WrittenStep[] {
    for (const step of steps)
      for (const { entry, atMs } of entriesOfStep(step)) this.times.set(entry.id, atMs)
    return steps
  }
}

/** Returns the entries of a step, in the order in which they are written. */
export function entriesOfStep(step: WrittenStep) {
  if (step.type !== 'answer') return [step.entry]
  return [
    ...step.words,
    ...step.calls.map(({ call }) => call),
    ...step.calls.map(({ result }) => result),
  ]
}
