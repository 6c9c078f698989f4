import type { Contract } from '../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import { exportFormats } from '../../../shared/model/export'
import { exporterOf } from '../../exporters/index'
import type { CurrentHome } from '../current/current-home'
import { gatherSaved } from '../limits/saved-all'
import { throttled } from '../limits/throttle'

/** Dialogs of the system that exports need; undefined where one was cancelled. */
export interface ExportDialogs {
  /** Asks where to write one. */
  file(
    suggestedName: string,
    kind: { readonly label: string; readonly extension: string },
  ): Promise<string | undefined>
  /** Asks for a folder to write several into. */
  folder(): Promise<string | undefined>
  /** Formats a path as people write it. */
  shown(file: string): string
}

/** Serves exports: one count and one export of several at a time. */
export function exportHandlers(
  home: CurrentHome<'exports'>,
  dialogs: ExportDialogs,
  tell: Pick<Emitters<Contract['exports']>, 'progress'>,
): Handlers<Contract['exports']> {
  let counting = new AbortController()
  let saving: AbortController | undefined
  return {
    async losses({ key, format }) {
      counting.abort()
      counting = new AbortController()
      const { signal } = counting
      try {
        const one = await home().exports.open(key, { exporter: exporterOf(format) }, signal)
        return await one.losses()
      } catch (error) {
        if (!signal.aborted) throw error
        throw new AppError('cancelled', 'What has no place there is counted for another format.')
      }
    },

    async save({ key, format }) {
      counting.abort()
      const exporter = exporterOf(format)
      const { exports } = home()
      const name = await exports.suggestName(key, exporter)
      const extension = /\.([^.]+)$/.exec(name)?.[1] ?? 'jsonl'
      const file = await dialogs.file(name, { label: exportFormats[format].name, extension })
      if (file === undefined) return null
      const one = await exports.open(key, { exporter }, new AbortController().signal)
      const bytes = await one.save(file)
      return { file: dialogs.shown(file), bytes, ...one.counts(), unread: [...one.unread()] }
    },

    async saveAll({ keys, format }) {
      counting.abort()
      if (saving !== undefined) throw new AppError('busy', 'An export of several is going on.')
      saving = new AbortController()
      const { signal } = saving
      const progress = throttled(tell.progress)
      try {
        const folder = await dialogs.folder()
        if (folder === undefined) return null
        const exporter = exporterOf(format)
        const total = keys.length
        const saved = home().exports.saveAll(keys, { exporter }, folder, signal)
        const told = await gatherSaved(saved, exporter, (done) => progress.ask({ done, total }))
        return { folder: dialogs.shown(folder), ...told, stopped: signal.aborted }
      } finally {
        progress.stop()
        saving = undefined
      }
    },

    async stopAll() {
      saving?.abort()
    },
  }
}
