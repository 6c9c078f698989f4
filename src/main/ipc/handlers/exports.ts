import type { Contract } from '../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import { exportFormats } from '../../../shared/model/export'
import type { ExportChoices } from '../../../shared/model/export-choices'
import { exporterOf } from '../../exporters/index'
import { isWritten, type SavedConversation } from '../../home/export/exports'
import type { CurrentHome } from '../current/current-home'
import { gatherSaved } from '../limits/saved-all'
import { throttled } from '../limits/throttle'

/** Dialogs of the system that exports need; undefined where one was cancelled. */
export interface ExportDialogs {
  /** Asks where to write one. */
  file(
    suggestedName: string,
    kind: {
      readonly label: string
      readonly extension: string
      /** Title of the dialog. */
      readonly title: string
    },
  ): Promise<string | undefined>
  /** Asks for a folder to write several into. */
  folder(): Promise<string | undefined>
  /** Formats a path as people write it. */
  shown(file: string): string
}

/** Work that writes outside of a home, and is ended before the program is. */
export interface EndingWork {
  /** Runs work with a signal that aborts at the end of the program, which waits for it. */
  run<T>(work: (ending: AbortSignal) => Promise<T>): Promise<T>
}

/** Serves exports: one count and one export of several at a time. */
export function exportHandlers(
  home: CurrentHome<'exports'>,
  dialogs: ExportDialogs,
  tell: Pick<Emitters<Contract['exports']>, 'progress'>,
  ending: EndingWork,
  keptPatterns: () => Promise<readonly string[]>,
): Handlers<Contract['exports']> {
  let counting = new AbortController()
  let trying = new AbortController()
  let saving: AbortController | undefined
  /** Those that wait for a place, and the one that is written. */
  const stops = new Set<AbortController>()

  /** Counts anew, and no longer what was counted before. */
  async function counted<T>(count: (signal: AbortSignal) => Promise<T>): Promise<T> {
    counting.abort()
    counting = new AbortController()
    const { signal } = counting
    try {
      return await count(signal)
    } catch (error) {
      if (!signal.aborted) throw error
      throw new AppError('cancelled', 'Another choice is being read.')
    }
  }

  /** With the own patterns that are kept, where such are redacted. */
  async function withKept(choices: ExportChoices): Promise<ExportChoices> {
    const { redaction } = choices
    if (redaction === undefined || !redaction.groups.includes('own')) return choices
    const patterns = [...new Set([...(await keptPatterns()), ...redaction.patterns])]
    return { ...choices, redaction: { ...redaction, patterns } }
  }

  /** One writing at a time, which `stop` ends. Null where no place was chosen: one that is still asked for keeps nothing from being written. */
  async function writing<T>(
    ask: () => Promise<string | undefined>,
    write: (place: string, stop: AbortController) => Promise<T>,
  ): Promise<T | null> {
    refuseSecond()
    const stop = new AbortController()
    stops.add(stop)
    try {
      const place = await ask()
      if (place === undefined || stop.signal.aborted) return null
      refuseSecond()
      saving = stop
      return await write(place, stop)
    } finally {
      stops.delete(stop)
      if (saving === stop) saving = undefined
    }
  }

  function refuseSecond(): void {
    if (saving !== undefined) throw new AppError('busy', 'Another export is going on.')
  }

  /** The end of the program is a stop too. */
  function untilEnd<T>(stop: AbortController, work: () => Promise<T>): Promise<T> {
    return ending.run((end) => {
      if (end.aborted) stop.abort()
      end.addEventListener('abort', () => stop.abort(), { once: true })
      return work()
    })
  }

  return {
    async losses({ key, format, choices = {} }) {
      // Nothing is lost by what replaces a secret.
      const { redaction: _, ...rest } = choices
      return counted(async (signal) => {
        const form = { exporter: exporterOf(format), ...rest }
        return (await home().exports.open(key, form, signal)).losses()
      })
    },

    async preview({ key, format, choices = {}, most }) {
      return counted(async (signal) => {
        const form = { exporter: exporterOf(format), ...(await withKept(choices)) }
        const one = await home().exports.open(key, form, signal)
        const redacted = one.redacted() ?? null
        return { ...(await textFrom(one.previewPieces(), most)), redacted }
      })
    },

    async tryPattern({ key, pattern }) {
      trying.abort()
      trying = new AbortController()
      const { signal } = trying
      const redaction = { groups: ['own' as const], patterns: [pattern], kept: [] }
      const form = { exporter: exporterOf('json'), branches: 'all' as const, redaction }
      try {
        const one = await home().exports.open(key, form, signal)
        return { places: one.redacted()?.places ?? 0 }
      } catch (error) {
        if (!signal.aborted) throw error
        throw new AppError('cancelled', 'Another pattern is being tried.')
      }
    },

    async save({ key, format, choices: chosen = {} }) {
      counting.abort()
      const exporter = exporterOf(format)
      const { exports } = home()
      let choices = chosen
      const ask = async () => {
        choices = await withKept(chosen)
        const name = await exports.suggestName(key, exporter, choices.redaction)
        const extension = /\.([^.]+)$/.exec(name)?.[1] ?? 'jsonl'
        return dialogs.file(name, {
          ...{ label: exportFormats[format].name, extension },
          title: 'Export the conversation',
        })
      }
      return writing(ask, async (file, stop) => {
        tell.progress({ done: 0, total: 1 })
        const form = { exporter, ...choices }
        const { signal } = stop
        try {
          return await untilEnd(stop, async () => {
            const one = await exports.open(key, form, signal)
            const bytes = await one.save(file)
            const redacted = one.redacted()
            return {
              ...{ file: dialogs.shown(file), bytes, ...one.counts(), unread: [...one.unread()] },
              ...(redacted === undefined ? {} : { redacted }),
            }
          })
        } catch (error) {
          if (signal.aborted && !isWritten(error)) return null
          throw error
        }
      })
    },

    async saveAll({ keys, format, into, choices: chosen = {} }) {
      counting.abort()
      const ask = () =>
        into === 'zip'
          ? dialogs.file('conversations.zip', {
              ...{ label: 'ZIP archive', extension: 'zip' },
              title: 'Export conversations into a zip',
            })
          : dialogs.folder()
      return writing(ask, async (place, stop) => {
        const { signal } = stop
        const choices = await withKept(chosen)
        const exporter = exporterOf(format)
        const total = keys.length
        // A range is of one conversation.
        const form = { exporter, ...choices, range: undefined }
        const { exports } = home()
        const progress = throttled(tell.progress)
        const told = (saved: AsyncIterable<SavedConversation>) =>
          gatherSaved(saved, exporter, (done) => progress.ask({ done, total }))
        const shown = { place: dialogs.shown(place) }
        const save = async () => {
          if (into === 'folder') {
            const all = await told(exports.saveAll(keys, form, place, signal))
            return { ...shown, ...all, stopped: signal.aborted }
          }
          const checking = () => progress.ask({ done: total, total, isChecking: true })
          const { value, bytes: zipBytes = null } = await exports.saveZip(
            place,
            (zip) => told(exports.saveAll(keys, form, zip, signal)),
            { signal, checking },
          )
          return { ...shown, ...value, zipBytes, stopped: signal.aborted && zipBytes === null }
        }
        try {
          return await untilEnd(stop, save)
        } finally {
          progress.stop()
        }
      })
    },

    async stop() {
      for (const stop of stops) stop.abort()
    },
  }
}

/** Takes pieces until the text is long enough; the reading ends there. */
async function textFrom(
  pieces: AsyncIterable<string | Uint8Array>,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) {
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    if (text.length > most) return { text: text.slice(0, most), isWhole: false }
  }
  return { text, isWhole: true }
}
