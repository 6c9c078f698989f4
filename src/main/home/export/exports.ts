import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { LossReport } from '../../../shared/model/export'
import type { Redaction, RedactionReport } from '../../../shared/model/redaction'
import { exportFileName } from '../../exporters/file-names'
import type { Exporter } from '../../exporters/parts/exporter'
import { conversationNotFound, type Library } from '../../library/library'
import type { Histories } from '../../library/sources/histories'
import { protectedHistories } from '../../library/sources/protected-histories'
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
import { openFolderOfMany, type PlaceOfMany, type SavedZip, saveZip } from './places-of-many'
import { sharedLedgers } from './shared-ledgers'
import { isUnreadable } from './tolerant-reading'

export type { ExportForm, OpenExport } from './exported'
export { isWritten, type PlaceOfMany } from './places-of-many'

/** Result of one conversation in an export of several. */
export type SavedConversation =
  | {
      readonly type: 'saved'
      readonly source: string
      readonly key: string
      readonly title: string
      /** Its name in the folder or zip. */
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
   * Writes conversations into a folder, which is made where it is missing, or into a zip: one after the other in the order of their
   * sources and keys, a file each under a name that was free. Reports the result of each when it is known; one that cannot be read does
   * not keep the others. Ends when the signal aborts: the files that are there are whole.
   *
   * @throws AppError `bad-argument` a folder among what is read, `disk-full`; DiskError where the folder cannot be
   * made
   */
  saveAll(
    all: readonly (LibraryKey | ExportSource)[],
    form: ExportForm,
    place: string | PlaceOfMany,
    signal: AbortSignal,
  ): AsyncGenerator<SavedConversation, void>
  /**
   * Writes one zip by a function that puts conversations into it by `saveAll`; see there. It is in its place once it was read back, and
   * after a stop none is.
   *
   * @param options `checking` is called before it is read back
   * @throws AppError `bad-argument` among what is read, `disk-full`, `io`; what `fill` throws
   */
  saveZip<T>(
    file: string,
    fill: (zip: PlaceOfMany) => Promise<T>,
    options: { readonly signal: AbortSignal; readonly checking?: () => void },
  ): Promise<SavedZip<T>>
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
  const kept = protectedHistories(disk, keptRoots)

  const find = (key: LibraryKey) => findExportSource({ store, histories }, key)

  async function sourceOf(of: LibraryKey | ExportSource): Promise<ExportSource> {
    return typeof of === 'string' ? find(of) : of
  }

  return {
    async open(of, form, signal) {
      const ledgersOf = sharedLedgers(disk, signal, note)
      const means = { kept, ledgersOf, lastReading }
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

    saveZip: (file, fill, options) => saveZip(disk, file, kept, fill, options),

    async *saveAll(all, form, place, signal) {
      // Not even a folder is made.
      if (signal.aborted) return
      const into =
        typeof place === 'string' ? await openFolderOfMany(disk, place, keptRoots) : place
      // The folder was checked above, once for all: of the roots nothing lies around it, and nothing is replaced.
      const none = { roots: [], files: [] }
      const means = { kept: none, ledgersOf: sharedLedgers(disk, signal, note), lastReading }
      for (const of of inFixedOrder(all)) {
        if (signal.aborted) return
        let named = nameOf(of)
        try {
          const source = await sourceOf(of)
          named = source.ref
          const one = await openExport(deps, source, form, means, signal)
          const losses = await one.losses()
          const wanted = exportFileName(form.exporter, one.named, await one.originalName())
          const written = await into.put(one, wanted)
          const { source: system, key, title } = one.conversation
          const unread = one.unread()
          const saved = { source: system, key, title, ...written, losses, unread }
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

type Named = Readonly<Record<'source' | 'key', string>>

function nameOf(of: LibraryKey | ExportSource): Named {
  return typeof of === 'string' ? parseLibraryKey(of) : of.ref
}

/** In an order that goes by the conversations alone, however they were chosen or listed: it tells which of two names gets a number. */
function inFixedOrder<T extends LibraryKey | ExportSource>(all: readonly T[]): readonly T[] {
  const placed = all.map((of) => {
    const { source, key } = nameOf(of)
    return { of, order: [source, key, typeof of === 'string' ? of : of.ref.root] }
  })
  return placed.sort((a, b) => compareTexts(a.order, b.order)).map(({ of }) => of)
}

function compareTexts(one: readonly string[], other: readonly string[]): number {
  for (const [at, text] of one.entries()) {
    const against = other[at] ?? ''
    if (text !== against) return text < against ? -1 : 1
  }
  return 0
}

/** Makes a name without what a file system or a shell takes for something else. */
function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'conversation'
}
