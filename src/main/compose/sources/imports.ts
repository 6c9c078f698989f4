import path from 'node:path'
import type { ImportingView } from '../../../shared/model/settings/source-roots'
import { Mutex } from '../../async/mutex'
import { type ImportDeps, type Imported, importExport } from '../../library/imports'

/** An export that was imported, with its name. */
export interface NamedImport extends Imported {
  readonly name: string
}

/** Imports of the app window: one export after the other. */
export interface Imports {
  /** The one that is imported now; null while none is. */
  readonly now: ImportingView | null
  /**
   * Imports exports; resolves to undefined where it was stopped.
   *
   * @throws AppError as `importExport`, for the first that cannot be imported; those before it are imported
   */
  run(files: readonly string[]): Promise<readonly NamedImport[] | undefined>
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

  async function importAll(
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly NamedImport[] | undefined> {
    const done: NamedImport[] = []
    try {
      for (const file of files) {
        const name = path.basename(file)
        show({ name, bytes: 0, totalBytes: 0 })
        const one = await importExport(deps, file, (at) => show({ name, ...at }), signal)
        done.push({ name, ...one })
      }
      return done
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
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
