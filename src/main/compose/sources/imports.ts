import path from 'node:path'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { ImportingView } from '../../../shared/model/settings/source-roots'
import { Mutex } from '../../async/mutex'
import { type ImportDeps, type Imported, importExport } from '../../library/imports'

/** An export that was imported, with its name. */
export interface NamedImport extends Imported {
  readonly name: string
}

/** An export that could not be imported. */
export interface FailedImport {
  readonly name: string
  /** As `importExport` throws it. */
  readonly error: unknown
}

/** Outcome of imports, also of those that were stopped. */
export interface ImportsDone {
  readonly imported: readonly NamedImport[]
  readonly failed: readonly FailedImport[]
  /** The systems of which something is kept by now. */
  readonly kept: ReadonlySet<SourceId>
  readonly isStopped: boolean
}

/** Imports of the app window: one export after the other. */
export interface Imports {
  /** The one that is imported now; null while none is. */
  readonly now: ImportingView | null
  /** Imports each that can be imported, until they are stopped. Never rejects. */
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
    const failed: FailedImport[] = []
    const kept = new Set<SourceId>()
    let isStopped = false
    const noting = { ...deps, kept: (source: SourceId) => void kept.add(source) }
    for (const file of files) {
      const name = path.basename(file)
      show({ name, bytes: 0, totalBytes: 0 })
      try {
        const one = await importExport(noting, file, (at) => show({ name, ...at }), signal)
        imported.push({ name, ...one })
        for (const source of one.sources) kept.add(source)
      } catch (error) {
        isStopped = signal.aborted
        if (isStopped) break
        failed.push({ name, error })
      }
    }
    show(null)
    return { imported, failed, kept, isStopped }
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
