import path from 'node:path'
import type { BranchAction, EntryAt } from '../../shared/model/branching'
import type { ConversationKey } from '../../shared/model/conversation'
import { type Entry, EntryDraft, isAnchor } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import type { Origin } from '../../shared/model/family'
import { type KeptImage, keptImages } from '../../shared/model/images'
import { isJsonObject } from '../../shared/model/json-object'
import type { Disk } from '../disk/disk'
import { readSmallText } from '../disk/read'
import type { ContextBeginning } from '../store/creation'
import { contextPaths } from '../store/home'
import type { Store } from '../store/store'
import { keptBy } from '../store/window'
import { isTakenOver, placesOfKept } from './branch-kept'
import { type Cut, cutOf } from './branch-point'
import { turnFollower } from './tool-turn'

/** A stretch of a transcript, in entries counted from its first. */
interface Stretch {
  /** Where the window begins: its anchor, else the first entry. */
  readonly from: number
  /** The first entry that is not taken over. */
  readonly to: number
  /** The last entry of the window before `to`, copied or not; undefined where nothing stands before. */
  readonly last: Entry | undefined
  /** Copies of what stands in the stretch; those of what is kept are more. */
  readonly copies: number
  /** Ids of earlier entries that stay in the window, by its anchor. */
  readonly kept: readonly string[]
  /** What the window's anchor, or the one right before it, says of what was said earlier. */
  readonly summary: string | undefined
  /** The words before the summary, and how the window was made that has them. */
  readonly continuation: Continuation | undefined
  /** No later window begins after it: the context's summary.md is about this one. */
  readonly isLastWindow: boolean
  /** Images of the entry that was asked for. */
  readonly images: readonly KeptImage[]
}

/** What a branch of one of our contexts is made of. */
interface OwnBeginning {
  readonly beginning: () => ContextBeginning
  /** Of the message that is changed: they go with the new words. */
  readonly images: readonly KeptImage[]
}

/**
 * What a branch of one of our contexts begins with: the window's entries up to the cut, as they stand, and the text
 * files that the window needs. Only reads; its lock may be held by anybody.
 *
 * The transcript is read twice from its begin, once more where the window keeps earlier entries, and nothing of it is held.
 *
 * @throws AppError `not-found`, `unreadable`, `bad-argument`
 */
export async function ownBeginning(
  store: Store,
  disk: Disk,
  name: ConversationKey,
  at: EntryAt,
  action: BranchAction['type'],
): Promise<OwnBeginning> {
  const stretch = await findStretch(store, name, at, action)
  const { last, copies, summary, continuation } = stretch
  const kept = await placesOfKept(store, name, stretch.kept, stretch.from)
  const entries = kept.size + copies
  const origin: Origin = { source: 'chibi', key: name, entry: last?.id ?? null, entries }
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
  return { beginning, images: stretch.images }
}

/** Text files of a context that what it is asked depends on: model, prompt, summary, working notes. */
const carried = ['system_prompt.md', 'summary.md', 'todos.md', 'goals.md', 'local.toml']

async function readFiles(disk: Disk, home: string, name: string): Promise<Map<string, string>> {
  const { folder } = contextPaths(home, name)
  const files = new Map<string, string>()
  for (const file of carried) {
    const text = await readSmallText(disk, path.join(folder, file))
    if (text !== undefined) files.set(file, text)
  }
  return files
}

async function findStretch(
  store: Store,
  name: string,
  at: EntryAt,
  action: BranchAction['type'],
): Promise<Stretch> {
  const isExact = (entry: Entry) => isThere(entry, at) && entry.file === at.file
  // A rotation that went on meanwhile moves a line to another file, at the same offset.
  const found =
    (await cutWhere(store, name, isExact, action)) ??
    (await cutWhere(store, name, (entry) => isThere(entry, at), action))
  if (found !== undefined) return found
  throw new AppError('not-found', `"${name}" has no such entry any more.`)
}

function isThere(entry: Entry, at: EntryAt): boolean {
  return entry.id === at.entry && entry.offset === at.offset
}

async function cutWhere(
  store: Store,
  name: string,
  isWanted: (entry: Entry) => boolean,
  action: BranchAction['type'],
): Promise<Stretch | undefined> {
  const window = new WindowWalk()
  const { rows } = await store.readWhole(name)
  for await (const row of rows) {
    if (row.type !== 'entry') continue
    if (window.cut !== undefined && isAnchor(row.entry)) return window.stretch(false)
    window.add(row.entry, isWanted(row.entry) ? cutOf(action, row.entry) : undefined)
  }
  return window.cut === undefined ? undefined : window.stretch(true)
}

/** A window as it is walked through, up to the cut. */
class WindowWalk {
  cut: Cut | undefined
  private readonly follow = turnFollower()
  private position = -1
  private turn: number | undefined
  private from = 0
  private kept: readonly string[] = []
  private summary: string | undefined
  private continuation: Continuation | undefined
  private images: readonly KeptImage[] = []
  private afterAnchor = false
  /** What the branch takes over when it is cut here, and when it is cut before the current tool turn. */
  private here: Reach = { to: 0, copies: 0, last: undefined }
  private beforeTurn: Reach = this.here
  private isDone = false

  add(entry: Entry, cut: Cut | undefined): void {
    this.position += 1
    if (this.isDone) return
    if (cut !== undefined) this.images = keptImages(entry.metadata)
    const turn = this.follow(entry, this.position)
    // A turn is taken over whole, so the cut waits for its end.
    if (this.cut !== undefined && (turn === undefined || turn !== this.turn)) {
      this.isDone = true
      return
    }
    if (turn !== this.turn) this.beforeTurn = this.here
    this.turn = turn
    if (cut === 'before' || cut === 'before-turn') {
      if (cut === 'before-turn') this.here = this.beforeTurn
      this.cut = cut
      this.isDone = true
      return
    }
    if (isAnchor(entry)) this.begin(entry)
    this.take(entry)
    if (cut === undefined) return
    this.cut = cut
    this.isDone = turn === undefined
  }

  stretch(isLastWindow: boolean): Stretch {
    const { from, kept, summary, continuation, images } = this
    return { from, kept, ...this.here, summary, continuation, isLastWindow, images }
  }

  private begin(anchor: Entry): void {
    const own = anchor.metadata?.summary
    // A window that began without a summary leaves the one before in force, where there is one.
    const isDropped = this.summary !== undefined && modeOf(anchor) === 'drop'
    // chibi writes a second anchor right after the one that has the summary; a clearing takes that away, wherever it stands.
    const isSecond = this.afterAnchor && anchor.entry_type !== 'archival'
    const before = isSecond ? this.summary : undefined
    if (!isDropped) this.summary = typeof own === 'string' ? own : before
    this.from = this.position
    this.continuation = continuationOf(anchor)
    this.kept = keptBy(anchor)
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

/** How a compaction made its window; undefined for other anchors. */
function modeOf({ metadata }: Entry): unknown {
  const told = metadata?.compaction
  return isJsonObject(told) ? told.mode : undefined
}

/** What a full compaction says before its summary, as its anchor has it. */
interface Continuation {
  readonly mode?: string
  readonly continuation: string
}

function continuationOf({ metadata }: Entry): Continuation | undefined {
  const told = metadata?.compaction
  if (!isJsonObject(told) || typeof told.continuation !== 'string') return undefined
  const { mode, continuation } = told
  return { ...(typeof mode === 'string' ? { mode } : {}), continuation }
}

type Reach = Pick<Stretch, 'to' | 'copies' | 'last'>

/** Read again: what was appended meanwhile stands behind, and a rotation changes no order. */
async function* copiesOf(
  store: Store,
  name: string,
  { from, to }: Stretch,
  kept: ReadonlySet<number>,
): AsyncGenerator<EntryDraft> {
  const { rows } = await store.readWhole(name)
  let position = -1
  for await (const row of rows) {
    if (row.type !== 'entry') continue
    position += 1
    if (position >= to) return
    // The schema leaves the place behind.
    if ((position >= from || kept.has(position)) && isTakenOver(row.entry))
      yield EntryDraft.parse(row.entry)
  }
}
