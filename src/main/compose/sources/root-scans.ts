import type { SourceId } from '../../../shared/model/conversation/sources'
import type { RootState } from '../../../shared/model/settings/source-roots'
import { anySignal } from '../../async/any-signal'
import type { Disk } from '../../disk/interface/disk'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import { countedDisks } from './counted-disk'
import { untilAborted } from './until-aborted'

type Reader = History['reader']
type Ref = History['ref']
type Elsewhere = Parameters<Reader['list']>[3]

/** Scans of roots, and what they found, started by the library, by search or by Settings. */
export interface RootScans {
  /** The same reader, whose lists are counted here, and end early when scans are stopped. */
  over(reader: Reader): Reader
  /** The roots that are read from now on; what is known of those that stay is kept. */
  open(roots: readonly LibraryRoot[]): void
  state(root: LibraryRoot): RootState
  /** Whether it was scanned whole, is missing or unreadable, or was stopped. */
  isSettled(root: LibraryRoot): boolean
  /** Whether a root of a source was not scanned whole: what was not found there may be there all the same. */
  isPartial(source: SourceId): boolean
  /** Has a root scanned again, as one that was never scanned. */
  forget(root: LibraryRoot): void
  /** Takes note that nothing is there. */
  setMissing(root: LibraryRoot): void
  /** Resolves when nobody lists it any more. */
  quiet(root: LibraryRoot): Promise<void>
  /** Files that were seen while roots are scanned for the first time, or again; undefined while none is. */
  readonly files: number | undefined
  /** Ends the scans. What was found stays, and a list of a root that was not scanned whole gives that, until `again`. */
  stop(): void
  /** Has everything scanned again. */
  again(): void
}

/** A list that is being taken. */
interface Walk {
  readonly name: string
  readonly refs: Ref[]
  readonly files: Set<string>
  readonly stop: () => void
  readonly ended: Promise<void>
  isStopped: boolean
}

interface Settled {
  readonly state: RootState
  readonly files: number
}

/**
 * Opens the scans of roots; none is known until `open`.
 *
 * @param told is called when something changed; often
 *
 * @param scanned is called with each root that was scanned whole
 */
export function openRootScans(
  told: () => void,
  scanned: (root: LibraryRoot) => void = () => {},
): RootScans {
  let present: ReadonlySet<string> = new Set()
  const walks = new Set<Walk>()
  const settled = new Map<string, Settled>()
  /** Findings of a stopped or an earlier whole look. */
  const kept = new Map<string, readonly Ref[]>()
  const frozen = new Set<string>()
  const countedOf = countedDisks()

  const walkOf = (name: string) => [...walks].find((walk) => walk.name === name)
  const isOpen = (name: string) => present.has(name) && !settled.has(name)

  async function* list(
    reader: Reader,
    root: string,
    disk: Disk,
    signal: AbortSignal,
    elsewhere: Elsewhere,
  ): AsyncGenerator<Ref> {
    const name = nameOf({ source: reader.id, path: root })
    if (frozen.has(name)) return yield* kept.get(name) ?? []
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const halt = anySignal([signal])
    const stop = halt.release
    const walk: Walk = { name, refs: [], files: new Set(), stop, ended, isStopped: false }
    walks.add(walk)
    const seen = () => {
      if (isOpen(name)) told()
    }
    seen()
    const counted = countedOf(name, disk)
    const count = { files: walk.files, seen }
    counted.counts.add(count)
    const ours = { signal: halt.signal, disk: counted.disk }
    try {
      const refs = reader.list(root, ours.disk, ours.signal, elsewhere)
      for await (const ref of untilAborted(refs, ours.signal)) {
        walk.refs.push(ref)
        yield ref
      }
      if (!ours.signal.aborted) {
        settle(walk, { type: 'found', ...sumOf(walk.refs) }, walk.refs)
        scanned({ source: reader.id, path: root })
      }
    } catch (error) {
      if (!ours.signal.aborted) {
        const why = error instanceof Error ? error.message : String(error)
        settle(walk, { type: 'unreadable', why }, [])
        throw error
      }
    } finally {
      stop()
      counted.counts.delete(count)
      walks.delete(walk)
      end()
      told()
    }
    signal.throwIfAborted()
    if (walk.isStopped) yield* besides(walk.refs, kept.get(name) ?? [])
  }

  function settle({ name, files }: Walk, state: RootState, refs: readonly Ref[]): void {
    kept.set(name, refs)
    settled.set(name, { state, files: files.size })
  }

  function freeze(name: string): void {
    const walk = walkOf(name)
    const refs = joined(walk?.refs ?? [], kept.get(name) ?? [])
    kept.set(name, refs)
    frozen.add(name)
    const state: RootState = { type: 'stopped', ...sumOf(refs) }
    settled.set(name, { state, files: walk?.files.size ?? 0 })
  }

  return {
    over: (reader) => ({
      ...reader,
      list: (root, disk, signal, elsewhere) => list(reader, root, disk, signal, elsewhere),
    }),
    open(roots) {
      present = new Set(roots.map(nameOf))
      for (const known of [settled, kept])
        for (const name of known.keys()) if (!present.has(name)) known.delete(name)
      for (const name of frozen) if (!present.has(name)) frozen.delete(name)
    },
    state(root) {
      const name = nameOf(root)
      const known = settled.get(name)
      if (known !== undefined) return known.state
      const walk = walkOf(name)
      return walk === undefined
        ? { type: 'waiting' }
        : { type: 'looking', ...sumOf(joined(walk.refs, kept.get(name) ?? [])) }
    },
    isSettled: (root) => settled.has(nameOf(root)),
    isPartial: (source) =>
      [...present].some((name) => {
        const type = settled.get(name)?.state.type
        return name.startsWith(`${source}\0`) && (type === 'stopped' || type === 'unreadable')
      }),
    forget(root) {
      settled.delete(nameOf(root))
      frozen.delete(nameOf(root))
      told()
    },
    setMissing(root) {
      settled.set(nameOf(root), { state: { type: 'missing' }, files: 0 })
      kept.delete(nameOf(root))
      frozen.delete(nameOf(root))
      told()
    },
    async quiet(root) {
      for (let walk = walkOf(nameOf(root)); walk !== undefined; walk = walkOf(nameOf(root)))
        await walk.ended
    },
    get files() {
      if (![...walks].some(({ name }) => isOpen(name))) return undefined
      const counts = [...present].map(
        (name) => settled.get(name)?.files ?? walkOf(name)?.files.size ?? 0,
      )
      return counts.reduce((sum, count) => sum + count, 0)
    },
    stop() {
      for (const name of present) if (isOpen(name)) freeze(name)
      for (const walk of walks) {
        // One that was whole before gives what it had, this once.
        if (!frozen.has(walk.name))
          kept.set(walk.name, joined(walk.refs, kept.get(walk.name) ?? []))
        walk.isStopped = true
        walk.stop()
      }
      told()
    },
    again() {
      frozen.clear()
      settled.clear()
      told()
    },
  }
}

/** Lists a root to its end; why that fails is in the root's state. */
export async function walkRoot(
  readers: readonly Reader[],
  { source, path }: LibraryRoot,
  disk: Disk,
): Promise<void> {
  const reader = readers.find(({ id }) => id === source)
  if (reader === undefined) return
  try {
    for await (const _ref of reader.list(path, disk, new AbortController().signal));
  } catch {
    // The root's state says it.
  }
}

function nameOf({ source, path }: LibraryRoot): string {
  return `${source}\0${path}`
}

function joined(first: readonly Ref[], second: readonly Ref[]): readonly Ref[] {
  return [...first, ...besides(first, second)]
}

/** Returns what the second list has besides the first. */
function besides(first: readonly Ref[], second: readonly Ref[]): readonly Ref[] {
  const keys = new Set(first.map(({ key }) => key))
  return second.filter(({ key }) => !keys.has(key))
}

function sumOf(refs: readonly Ref[]): FoundSum {
  let bytes = 0
  let newestMs: number | undefined
  for (const { bytes: own, updatedAtMs } of refs) {
    bytes += own
    if (updatedAtMs !== undefined) newestMs = Math.max(newestMs ?? updatedAtMs, updatedAtMs)
  }
  return { conversations: refs.length, bytes, ...(newestMs === undefined ? {} : { newestMs }) }
}

interface FoundSum {
  readonly conversations: number
  readonly bytes: number
  readonly newestMs?: number
}
