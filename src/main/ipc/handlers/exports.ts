import type { Contract } from '../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { notWholeError } from '../../../shared/model/conversation/reading'
import { exportFormats } from '../../../shared/model/export'
import { exporterOf } from '../../exporters/index'
import { countLosses } from '../../exporters/losses'
import type { Exporter } from '../../exporters/parts/exporter'
import { saveAll } from '../export-all'
import type { ExportPlace } from '../export-place'
import { exportableOf, keptOf, noCounts, summaryOf } from '../exported-conversation'
import { throttled } from '../limits/throttle'
import type { CurrentHome, OpenHome } from '../open-home'

export function exportHandlers(
  home: CurrentHome,
  place: ExportPlace,
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
        const exporter = exporterOf(format)
        const counts = noCounts()
        const summary = await summaryOf(home(), key)
        const conversation = await exportableOf(home(), summary, signal, counts, format)
        const options = { branches: exporter.branches, unread: () => counts.unread }
        return await countLosses(exporter, conversation, options, signal)
      } catch (error) {
        if (!signal.aborted) throw error
        throw new AppError('cancelled', 'What has no place there is counted for another format.')
      }
    },

    async save({ key, format }) {
      counting.abort()
      const exporter = exporterOf(format)
      const label = exportFormats[format].name
      const name = await suggestedName(home(), key, exporter)
      const file = await place.ask(name, { label, extension: extensionOf(name) })
      if (file === undefined) return null
      const counts = noCounts()
      const { signal } = new AbortController()
      const summary = await summaryOf(home(), key)
      const conversation = await exportableOf(home(), summary, signal, counts, format)
      // Bytes are copied past the rows. Counted before: what fails later would be told of a file that is there, and what could
      // not be read would be told to be missing in a file that has it.
      if (format === 'original') {
        for await (const _ of conversation.rows);
        if (counts.unread.length > 0) throw notWholeError(key, counts.unread)
      }
      const pieces = exporter.write(conversation, { branches: exporter.branches }, signal)
      const bytes = await place.write(file, pieces, await keptOf(home(), key))
      const unread = counts.unread.map(({ sentence }) => sentence)
      return { file: place.shown(file), bytes, ...counts, unread }
    },

    async saveAll({ keys, format }) {
      counting.abort()
      if (saving !== undefined) throw new AppError('busy', 'An export of several is going on.')
      saving = new AbortController()
      const progress = throttled(tell.progress)
      try {
        const folder = await place.askFolder()
        if (folder === undefined) return null
        const exporter = exporterOf(format)
        return await saveAll(home(), place, { keys, exporter, folder }, progress.ask, saving.signal)
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

/** The name under which the format's own system finds it, or its original's; else the conversation's key. */
async function suggestedName(home: OpenHome, key: LibraryKey, exporter: Exporter): Promise<string> {
  if (exporter.id === 'original') return safeName((await home.transcripts.original(key)).name)
  if (exporter.fileName !== undefined) return exporter.fileName(await summaryOf(home, key))
  return `${safeName(parseLibraryKey(key).key)}.${exporter.extension}`
}

/** A name without what a file system or a shell would take for something else. */
function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'conversation'
}

function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1] ?? 'jsonl'
}
