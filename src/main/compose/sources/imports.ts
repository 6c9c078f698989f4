import path from 'node:path'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { ImportingView } from '../../../shared/model/settings/source-roots'
import { Mutex } from '../../async/mutex'
import { type ImportDeps, type Imported, importExport } from '../../library/imports'

/** An export that was imported, with its name. */
export interface NamedImport extends Imported {
  readonly name: string
}

/** Outcome of imports, also of those that were stopped or failed. */
export interface ImportsDone {
  readonly imported: readonly NamedImport[]
  /** The systems of which something is kept by now. */
  readonly kept: ReadonlySet<SourceId>
  readonly isStopped: boolean
  /** Error that ended them, as `importExport` throws it; undefined where nothing did. Those before are imported. */
  readonly error: unknown
}

/** Imports of the app window: one export after the other. */
export interface Imports {
  /** The one that is imported now; null while none is. */
  readonly now: ImportingView | null
  /** Imports exports up to the first that cannot be imported. Never rejects. */
  run(files: readonly string[]): Promise<ImportsDone>
  /** Ends imports; what was copied stays, and the next import of the same file goes on there. */
  stop(): void
}

/**
 * Opens the imports of the app window.
 *
 * @param told is called when something changed; often
 */
export function openImports(deps: ImportDeps, told: () => void): Imports {
  const turns = new Mutex()
  let now: ImportingView | null = null
  let stopping = new AbortController()

  const show = (view: ImportingView | null) => {
    now = view
    told()
  }

  async function importAll(files: readonly string[], signal: AbortSignal): Promise<ImportsDone> {
    const imported: NamedImport[] = []
    const kept = new Set<SourceId>()
    const noting = { ...deps, kept: (source: SourceId) => void kept.add(source) }
    try {
      for (const file of files) {
        const name = path.basename(file)
        show({ name, bytes: 0, totalBytes: 0 })
        const one = await importExport(noting, file, (at) => show({ name, ...at }), signal)
        imported.push({ name, ...one })
        for (const source of one.sources) kept.add(source)
      }
      return { imported, kept, isStopped: false, error: undefined }
    } catch (error) {
      const isStopped = signal.aborted
      return { imported, kept, isStopped, error: isStopped ? undefined : error }
    } finally {
      show(null)
    }
  }

  return {
    get now() {
      return now
    },
    run(files) {
      const { signal } = stopping
      return turns.run(() => importAll(files, signal))
    },
    stop() {
      stopping.abort()
      stopping = new AbortController()
    },
  }
}
