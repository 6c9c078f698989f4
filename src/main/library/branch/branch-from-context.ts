import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ConversationKey } from '../../../shared/model/conversation/conversation'
import { type Entry, EntryDraft, isAnchor } from '../../../shared/model/conversation/entry'
import { type KeptImage, keptImages } from '../../../shared/model/conversation/images'
import {
  allowGaps,
  notWholeError,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import type { BranchAction, EntryRef } from '../../../shared/model/family/branching'
import type { ContextOrigin } from '../../../shared/model/family/family'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { keptEntryIds } from '../../store/context-window'
import { toReadError } from '../../store/core/errors'
import { contextPaths } from '../../store/paths'
import type { ContextBeginning, Store } from '../../store/store'
import { type BranchCut, branchCut } from './branch-point'
import { expectGaps, isTakenOver, keptEntryPlaces } from './kept-entries'
import { entriesFrom } from './left-behind'
import { turnFollower } from './tool-turn'

/** A stretch of a transcript, in entries counted from its first. */
interface Stretch {
  /** Where the window begins: its anchor, else the first entry. */
  readonly from: number
  /** The first entry that is not taken over. */
  readonly to: number
  /** The last entry of the window before `to`, copied or not; undefined where nothing is before. */
  readonly last: Entry | undefined
  /** Number of copies from the stretch; kept entries come on top. */
  readonly copies: number
  /** Ids of earlier entries that stay in the window, by its anchor. */
  readonly kept: readonly string[]
  /** The summary of earlier messages, from the window's anchor or the one right before it. */
  readonly summary: string | undefined
  /** The text before the summary, and how its window was made. */
  readonly continuation: Continuation | undefined
  /** No later window begins after it: the context's summary.md is about this one. */
  readonly isLastWindow: boolean
  /** Images of the entry that was asked for. */
  readonly images: readonly KeptImage[]
  /** Parts before the window that could not be read: entries are counted without them. */
  readonly unreadBefore: readonly UnreadPart[]
}

/** The parts of a branch of one of our contexts. */
interface OwnBeginning {
  readonly beginning: () => ContextBeginning
  /** Images of the message that is changed: they go with the new text. */
  readonly images: readonly KeptImage[]
  /** Reads what comes after the cut, and is not taken over. Throws `unreadable` where a part of it cannot be read. */
  readonly left: () => AsyncIterable<Entry>
}

/**
 * Prepares a branch of a context of ours: the entries of the context window up to the cut, unchanged, and the text
 * files that it needs. Only reads, also while another process holds the lock.
 *
 * The transcript is read twice from its beginning, and once more where the window keeps earlier entries; none of it is
 * held. A part that cannot be read is an error where it may hold something that the branch takes over.
 *
 * @throws AppError `not-found`, `unreadable`, `bad-argument`; `unreadable` also while the copies are taken
 */
export async function branchFromContext(
  store: Store,
  disk: Disk,
  name: ConversationKey,
  at: EntryRef,
  action: BranchAction['type'],
): Promise<OwnBeginning> {
  const stretch = await findStretch(store, name, at, action)
  const { last, copies, summary, continuation } = stretch
  const { unreadBefore } = stretch
  const kept = await keptEntryPlaces(store, name, stretch.kept, stretch.from, unreadBefore)
  const entries = kept.size + copies
  const origin: ContextOrigin = { source: 'chibi', key: name, entry: last?.id ?? null, entries }
  const files = await readFiles(disk, store.home, name)
  if (!stretch.isLastWindow) files.delete('summary.md')
  if (summary !== undefined && !files.has('summary.md')) files.set('summary.md', summary)
  const beginning = () => ({
    metadata: {
      origin,
      ...(summary === undefined ? {} : { summary }),
      // Without the counts, which are of the parent's window.
      ...(continuation === undefined ? {} : { compaction: continuation }),
    },
    entries: copiesOf(store, name, stretch, kept),
    files,
  })
  return { beginning, images: stretch.images, left: () => entriesFrom(store, name, stretch.to) }
}

/** Text files of a context that what it is asked depends on: model, prompt, summary, working notes. */
const carried = ['system_prompt.md', 'summary.md', 'todos.md', 'goals.md', 'local.toml']

async function readFiles(disk: Disk, home: string, name: string): Promise<Map<string, string>> {
  const { folder } = contextPaths(home, name)
  const files = new Map<string, string>()
  for (const file of carried) {
    const text = await readSmallText(disk, path.join(folder, file)).catch((error: unknown) => {
      throw toReadError(`${file} of "${name}"`, error)
    })
    if (text !== undefined) files.set(file, text)
  }
  return files
}

async function findStretch(
  store: Store,
  name: string,
  at: EntryRef,
  action: BranchAction['type'],
): Promise<Stretch> {
  const isExact = (entry: Entry) => isThere(entry, at) && entry.file === at.file
  // A rotation that went on meanwhile moves a line to another file, at the same offset.
  const unread: UnreadPart[] = []
  const found =
    (await cutWhere(store, name, isExact, action, unread)) ??
    (await cutWhere(store, name, (entry) => isThere(entry, at), action, unread))
  if (found !== undefined) return found
  // It may be in a part that could not be read.
  if (unread.length > 0) throw notWholeError(name, unread)
  throw new AppError('not-found', `"${name}" no longer has this entry.`)
}

function isThere(entry: Entry, at: EntryRef): boolean {
  return entry.id === at.entry && entry.offset === at.offset
}

async function cutWhere(
  store: Store,
  name: string,
  isWanted: (entry: Entry) => boolean,
  action: BranchAction['type'],
  unread: UnreadPart[],
): Promise<Stretch | undefined> {
  const window = new WindowWalk(name)
  const { rows } = await store.readWhole(name)
  const onGap = (part: UnreadPart) => {
    unread.push(part)
    window.pass(part)
  }
  for await (const row of allowGaps(rows, onGap)) {
    if (row.type !== 'entry') continue
    if (window.cut !== undefined && isAnchor(row.entry)) return window.stretch(false)
    window.add(row.entry, isWanted(row.entry) ? branchCut(action, row.entry) : undefined)
  }
  return window.cut === undefined ? undefined : window.stretch(true)
}

/** A window as it is walked through, up to the cut. */
class WindowWalk {
  cut: BranchCut | undefined
  private readonly follow = turnFollower()
  private position = -1
  private turn: number | undefined
  private from = 0
  private kept: readonly string[] = []
  private summary: string | undefined
  private continuation: Continuation | undefined
  private images: readonly KeptImage[] = []
  private afterAnchor = false
  /** The part that the branch takes over when it is cut here, and when it is cut before the current tool turn. */
  private here: Reach = { to: 0, copies: 0, last: undefined }
  private beforeTurn: Reach = this.here
  private isDone = false
  private readonly name: string
  /** In the window so far, and before it. */
  private unread: UnreadPart[] = []
  private unreadAtCut: readonly UnreadPart[] = []
  private unreadBefore: readonly UnreadPart[] = []

  constructor(name: string) {
    this.name = name
  }

  /** Takes a part that could not be read. */
  pass(part: UnreadPart): void {
    this.unread.push(part)
  }

  add(entry: Entry, cut: BranchCut | undefined): void {
    this.position += 1
    if (this.isDone) return
    if (cut !== undefined) this.images = keptImages(entry.metadata)
    const turn = this.follow(entry, this.position)
    // A turn is taken over whole, so the cut waits for its end.
    if (this.cut !== undefined && (turn === undefined || turn !== this.turn)) {
      this.unreadAtCut = [...this.unread]
      this.isDone = true
      return
    }
    if (turn !== this.turn) this.beforeTurn = this.here
    this.turn = turn
    if (cut === 'before' || cut === 'before-turn') {
      if (cut === 'before-turn') this.here = this.beforeTurn
      this.cut = cut
      this.unreadAtCut = [...this.unread]
      this.isDone = true
      return
    }
    if (isAnchor(entry)) this.begin(entry)
    this.take(entry)
    if (cut === undefined) return
    this.cut = cut
    this.unreadAtCut = [...this.unread]
    this.isDone = turn === undefined
  }

  /**
   * What was found, once the window has ended. Parts in it that could not be read may hold what is taken over; those behind
   * the cut an anchor, or the rest of a tool turn, where no later window has begun.
   *
   * @throws AppError `unreadable`
   */
  stretch(isLastWindow: boolean): Stretch {
    const unread = isLastWindow || !this.isDone ? this.unread : this.unreadAtCut
    if (unread.length > 0) throw notWholeError(this.name, unread)
    const { from, kept, summary, continuation, images, unreadBefore } = this
    const made = { from, kept, ...this.here, summary, continuation, isLastWindow, images }
    return { ...made, unreadBefore }
  }

  private begin(anchor: Entry): void {
    // One that brings no summary of its own has that of an earlier one, which may be in a part that could not be read.
    if (isSelfContained(anchor))
      this.unreadBefore = [...this.unreadBefore, ...this.unread.splice(0)]
    const own = anchor.metadata?.summary
    // A window that began without a summary leaves the one before in force, where there is one.
    const isDropped = this.summary !== undefined && modeOf(anchor) === 'drop'
    // chibi writes a second anchor right after the one that has the summary; a clear removes that, wherever it is.
    const isSecond = this.afterAnchor && anchor.entry_type !== 'archival'
    const before = isSecond ? this.summary : undefined
    if (!isDropped) this.summary = typeof own === 'string' ? own : before
    this.from = this.position
    this.continuation = continuationOf(anchor)
    this.kept = keptEntryIds(anchor)
    this.here = { to: this.position, copies: 0, last: undefined }
  }

  private take(entry: Entry): void {
    this.afterAnchor = isAnchor(entry)
    const isCopied = isTakenOver(entry)
    const { copies, last } = this.here
    this.here = {
      to: this.position + 1,
      copies: copies + (isCopied ? 1 : 0),
      last: isCopied || (copies === 0 && this.kept.length === 0) ? entry : last,
    }
  }
}

/** Whether a window knows of earlier ones only by its own anchor. */
function isSelfContained(anchor: Entry): boolean {
  if (anchor.entry_type === 'archival') return true
  return typeof anchor.metadata?.summary === 'string' && modeOf(anchor) !== 'drop'
}

/** Finds how a compaction made its window; undefined for other anchors. */
function modeOf({ metadata }: Entry): unknown {
  const compaction = metadata?.compaction
  return isJsonObject(compaction) ? compaction.mode : undefined
}

/** The text that a full compaction puts before its summary, as its anchor has it. */
interface Continuation {
  readonly mode?: string
  readonly continuation: string
}

function continuationOf({ metadata }: Entry): Continuation | undefined {
  const compaction = metadata?.compaction
  if (!isJsonObject(compaction) || typeof compaction.continuation !== 'string') return undefined
  const { mode, continuation } = compaction
  return { ...(typeof mode === 'string' ? { mode } : {}), continuation }
}

type Reach = Pick<Stretch, 'to' | 'copies' | 'last'>

/** Read again: what was appended meanwhile comes after, and a rotation changes no order. */
async function* copiesOf(
  store: Store,
  name: string,
  { from, to, unreadBefore }: Stretch,
  kept: ReadonlySet<number>,
): AsyncGenerator<EntryDraft> {
  const { rows } = await store.readWhole(name)
  let position = -1
  const gaps = expectGaps(name, unreadBefore)
  for await (const row of allowGaps(rows, gaps.onGap)) {
    if (row.type !== 'entry') continue
    position += 1
    if (position === from) gaps.mustBePast()
    if (position >= to) return
    // The schema leaves the place behind.
    if ((position >= from || kept.has(position)) && isTakenOver(row.entry))
      yield EntryDraft.parse(row.entry)
  }
  if (position + 1 < to)
    throw new AppError('unreadable', `"${name}" was cut while the branch was made.`)
}
