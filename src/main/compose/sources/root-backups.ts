import type { RootBackup } from '../../../shared/model/settings/source-roots'
import { joinCalls } from '../../async/mutex'
import type { Disk } from '../../disk/interface/disk'
import {
  type BackupDone,
  type BackupSize,
  backUpRoot,
  backupSize,
  deleteBackup,
} from '../../library/backups'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'

/** Backups of the app window's roots: made at their scans, where a person turned that on. */
export interface RootBackups {
  /** Takes note of the roots, and which are on; reads the sizes of their backups. */
  open(roots: readonly LibraryRoot[], on: readonly LibraryRoot[]): Promise<void>
  /** Null for a root whose files cannot be backed up. */
  view(root: LibraryRoot): RootBackup | null
  /** Asks for a backup of a root, where it is on: soon, and not more often than is reasonable. */
  ask(root: LibraryRoot): void
  /** Backs a root up now; resolves when that has ended. Its view has what failed. */
  run(root: LibraryRoot): Promise<void>
  /** Deletes a root's backup. @throws AppError `busy`; DiskError */
  remove(root: LibraryRoot): Promise<void>
  /** Ends what is going on; what was copied stays. */
  close(): void
}

/** Dependencies of the backups of the app window. */
export interface RootBackupsDeps {
  /** On which a packed file is what it is. */
  readonly disk: Disk
  readonly archive: string
  readonly readers: readonly History['reader'][]
  /** Called when something changed. */
  readonly told: () => void
  /** Called when a backup has other files than before. */
  readonly copied: () => void
  /** The quiet between two backups of a root, in ms: a session that grows all the time is compared whole each time. */
  readonly quietMs?: number
}

interface Known {
  readonly isOn: boolean
  readonly isRunning: boolean
  readonly size: BackupSize
  readonly gone: number | null
  readonly problem: string | null
}

const usualQuietMs = 15_000
const nothing: Known = {
  isOn: false,
  isRunning: false,
  size: { files: 0, bytes: 0, sharedBytes: 0, earlier: 0 },
  gone: null,
  problem: null,
}

/** Opens the backups of the app window; none is known until `open`. */
export function openRootBackups(deps: RootBackupsDeps): RootBackups {
  const { disk, archive, told, copied, quietMs = usualQuietMs } = deps
  const known = new Map<string, Known>()
  const runs = new Map<string, () => Promise<void>>()
  const timers = new Map<string, NodeJS.Timeout>()
  const asked = new Set<string>()
  const ending = new AbortController()

  const ruleOf = ({ source }: LibraryRoot) => deps.readers.find(({ id }) => id === source)?.backup
  const stateOf = (root: LibraryRoot) => known.get(nameOf(root)) ?? nothing

  function set(root: LibraryRoot, change: Partial<Known>): void {
    known.set(nameOf(root), { ...stateOf(root), ...change })
    told()
  }

  async function back(root: LibraryRoot): Promise<void> {
    const rule = ruleOf(root)
    if (rule === undefined || !stateOf(root).isOn || ending.signal.aborted) return
    set(root, { isRunning: true })
    try {
      const done = await backUpRoot({ disk, archive }, root, rule, ending.signal)
      const { files, bytes, sharedBytes, earlier, gone, failed } = done
      set(root, {
        size: { files, bytes, sharedBytes, earlier },
        gone,
        problem: problemOf(failed),
      })
      if (hasNews(done)) copied()
    } catch (error) {
      if (!ending.signal.aborted)
        set(root, { problem: error instanceof Error ? error.message : String(error) })
    } finally {
      set(root, { isRunning: false })
    }
  }

  function runOf(root: LibraryRoot): () => Promise<void> {
    const name = nameOf(root)
    const run = runs.get(name) ?? joinCalls(() => back(root))
    runs.set(name, run)
    return run
  }

  async function inTurn(root: LibraryRoot): Promise<void> {
    const name = nameOf(root)
    asked.delete(name)
    await runOf(root)()
    if (ending.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(name)
      if (asked.has(name)) begin(root)
    }, quietMs)
    timers.set(name, timer.unref())
  }

  function begin(root: LibraryRoot): void {
    const name = nameOf(root)
    // Held while it runs, too: who asks meanwhile is answered after the quiet.
    timers.set(
      name,
      setTimeout(() => void inTurn(root), 0),
    )
  }

  return {
    async open(roots, on) {
      known.forEach((_, name) => {
        if (!roots.some((root) => nameOf(root) === name)) known.delete(name)
      })
      for (const root of roots) {
        if (ruleOf(root) === undefined) continue
        const isOn = on.some((one) => nameOf(one) === nameOf(root))
        try {
          const size = known.get(nameOf(root))?.size ?? (await backupSize(disk, archive, root))
          known.set(nameOf(root), { ...stateOf(root), isOn, size })
        } catch (error) {
          const problem = error instanceof Error ? error.message : String(error)
          known.set(nameOf(root), { ...stateOf(root), isOn, problem })
        }
      }
    },
    view(root) {
      const rule = ruleOf(root)
      if (rule === undefined) return null
      const { isOn, isRunning, size, gone, problem } = stateOf(root)
      const deletesAfterDays = rule.deletes?.afterDays ?? null
      return { isOn, isRunning, ...size, gone, deletesAfterDays, problem }
    },
    ask(root) {
      if (!stateOf(root).isOn || ending.signal.aborted) return
      asked.add(nameOf(root))
      if (!timers.has(nameOf(root))) begin(root)
    },
    run: (root) => runOf(root)(),
    async remove(root) {
      await deleteBackup(disk, archive, root, ending.signal)
      known.set(nameOf(root), { ...nothing, isOn: stateOf(root).isOn })
      told()
    },
    close() {
      ending.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

function hasNews({ copied, changed }: BackupDone): boolean {
  return copied + changed > 0
}

function problemOf(failed: readonly string[]): string | null {
  const [first] = failed
  return first === undefined ? null : failed.length === 1 ? first : `${first} And others.`
}

function nameOf({ source, path }: LibraryRoot): string {
  return `${source}\0${path}`
}
