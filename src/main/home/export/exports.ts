import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { LossReport } from '../../../shared/model/export'
import type { Redaction, RedactionReport } from '../../../shared/model/redaction'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { protectedPlaceAround } from '../../disk/writing/protected-places'
import { createFreeNames, exportFileName } from '../../exporters/file-names'
import type { Exporter } from '../../exporters/parts/exporter'
import { conversationNotFound, type Library } from '../../library/library'
import type { Histories } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import { createRedactor } from '../../redaction/redactor'
import {
  type ExportedDeps,
  type ExportForm,
  type ExportSource,
  type OpenExport,
  openExport,
  originalOf,
} from './exported'
import { findExportSource } from './find-source'
import { LastReading } from './last-reading'
import { sharedLedgers } from './shared-ledgers'
import { isUnreadable } from './tolerant-reading'

export type { ExportForm, OpenExport } from './exported'

/** Result of one conversation in an export of several. */
export type SavedConversation =
  | {
      readonly type: 'saved'
      readonly source: string
      readonly key: string
      readonly title: string
      /** Its name in the folder. */
      readonly file: string
      readonly bytes: number
      readonly losses: LossReport
      /** Parts that could not be read and are not in the file, a sentence each. */
      readonly unread: readonly string[]
      /** Report of what was redacted in it, where that was asked for. */
      readonly redacted: RedactionReport | undefined
    }
  | {
      readonly type: 'failed'
      readonly source: string
      readonly key: string
      readonly message: string
    }

/** The one way by which conversations are written in other formats. */
export interface Exports {
  /**
   * Opens a conversation for an export, or to count what the format has no place for and nothing else. Reads it whole,
   * unless it was opened by its key last and did not change since.
   *
   * @throws AppError `not-found`, `unreadable`; the signal's reason
   */
  open(of: LibraryKey | ExportSource, form: ExportForm, signal: AbortSignal): Promise<OpenExport>
  /** Suggests a file's name: the one by which the format's own system finds it, or its original's; else the conversation's key. @throws AppError `not-found`, `unreadable` */
  suggestName(key: LibraryKey, exporter: Exporter, redaction?: Redaction): Promise<string>
  /**
   * Writes conversations into a folder, which is made where it is missing: one after the other, a file each under a
   * name that was free. Reports the result of each when it is known; one that cannot be read does not keep the others.
   * Ends when the signal aborts: the files that are there are whole.
   *
   * @throws AppError `bad-argument` a folder among what is read, `disk-full`; DiskError where the folder cannot be
   * made
   */
  saveAll(
    all: readonly (LibraryKey | ExportSource)[],
    form: ExportForm,
    folder: string,
    signal: AbortSignal,
  ): AsyncGenerator<SavedConversation, void>
}

/** Dependencies of a home's exports. */
export interface ExportsDeps extends ExportedDeps {
  readonly histories: Histories
  readonly library: Pick<Library, 'find'>
  /** Roots that are read, and never written to. */
  readonly keptRoots: readonly LibraryRoot[]
  /** Gets a sentence for what cannot be read besides a conversation. */
  readonly note: (words: string) => void
}

/** Further conversations would meet these as well. */
const endsAll: ReadonlySet<AppError['code']> = new Set(['bad-argument', 'disk-full'])

/** Opens the exports of what a home and other systems' roots hold. Touches nothing. */
export function openExports(deps: ExportsDeps): Exports {
  const { disk, store, histories, library, keptRoots, note } = deps
  const lastReading = new LastReading()

  const find = (key: LibraryKey) => findExportSource({ store, histories }, key)

  async function sourceOf(of: LibraryKey | ExportSource): Promise<ExportSource> {
    return typeof of === 'string' ? find(of) : of
  }

  async function makeFolder(folder: string): Promise<void> {
    // What lies in it is what would be written.
    const kept = { roots: keptRoots, files: [] }
    const place =
      (await protectedPlaceAround(disk, folder, kept)) ??
      (await protectedPlaceAround(disk, path.join(folder, 'any'), kept))
    if (place !== undefined)
      throw new AppError(
        'bad-argument',
        `Nothing was exported: ${folder} lies in what is read and never written to: ${place}.`,
      )
    if ((await disk.stat(folder)) === undefined) await makeDurableFolder(disk, folder)
  }

  return {
    async open(of, form, signal) {
      const ledgersOf = sharedLedgers(disk, signal, note)
      const means = { kept: keptRoots, ledgersOf, lastReading }
      return openExport(deps, await sourceOf(of), form, means, signal)
    },

    async suggestName(key, exporter, redaction) {
      if (exporter.id !== 'original') {
        if (exporter.fileName === undefined) {
          const name: string = parseLibraryKey(key).key
          const shown = redaction === undefined ? name : createRedactor(redaction).text(name)
          return `${safeName(shown)}.${exporter.extension}`
        }
        const summary = await library.find(key)
        if (summary === undefined) throw conversationNotFound(histories, key)
        return exporter.fileName(summary)
      }
      return safeName((await originalOf(deps, await find(key))).name)
    },

    async *saveAll(all, form, folder, signal) {
      await makeFolder(folder)
      const names = createFreeNames(
        async (name) => (await disk.stat(path.join(folder, name))) !== undefined,
      )
      // The folder was checked above, once for all: of the roots nothing lies around it.
      const means = { kept: [], ledgersOf: sharedLedgers(disk, signal, note), lastReading }
      for (const of of all) {
        if (signal.aborted) return
        let named: { readonly source: string; readonly key: string } =
          typeof of === 'string' ? parseLibraryKey(of) : of.ref
        try {
          const source = await sourceOf(of)
          named = source.ref
          const one = await openExport(deps, source, form, means, signal)
          const losses = await one.losses()
          const name = await names(
            exportFileName(form.exporter, one.named, await one.originalName()),
          )
          const bytes = await one.save(path.join(folder, name), true)
          const { source: system, key, title } = one.conversation
          const unread = one.unread()
          const saved = { source: system, key, title, file: name, bytes, losses, unread }
          yield { type: 'saved', ...saved, redacted: one.redacted() }
        } catch (error) {
          if (signal.aborted) return
          if (!isUnreadable(error)) throw error
          if (error instanceof AppError && endsAll.has(error.code)) throw error
          yield { type: 'failed', source: named.source, key: named.key, message: error.message }
        }
      }
    },
  }
}

/** Makes a name without what a file system or a shell takes for something else. */
function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'conversation'
}
