import type { Contract } from '../../shared/ipc/contract'
import type { Handlers } from '../../shared/ipc/primitives'
import { type LibraryKey, partsOf } from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import type { Exportable, Exporter } from '../exporters/exporter'
import { exporterOf } from '../exporters/index'
import { lossesOf } from '../exporters/losses'
import type { CurrentHome, OpenHome } from './open-home'

/** What saving needs of the system; main/index gives it. */
export interface ExportPlace {
  /** Asks where to write; undefined when the dialog was cancelled. */
  ask(suggestedName: string, exporter: Exporter): Promise<string | undefined>
  /** Writes the file whole or not at all; returns its bytes. */
  write(file: string, pieces: AsyncIterable<string>): Promise<number>
  shown(file: string): string
}

export function exportHandlers(
  home: CurrentHome,
  place: ExportPlace,
): Handlers<Contract['exports']> {
  let counting = new AbortController()
  return {
    async losses({ key, format }) {
      counting.abort()
      counting = new AbortController()
      const { signal } = counting
      try {
        const exporter = exporterOf(format)
        const conversation = await exportableOf(home(), key, signal)
        return await lossesOf(exporter, conversation, { branches: exporter.branches }, signal)
      } catch (error) {
        if (!signal.aborted) throw error
        throw new AppError('cancelled', 'What has no place there is counted for another format.')
      }
    },

    async save({ key, format }) {
      counting.abort()
      const exporter = exporterOf(format)
      const file = await place.ask(`${fileName(key)}.${exporter.extension}`, exporter)
      if (file === undefined) return null
      const counts = { entries: 0, damaged: 0 }
      const { signal } = new AbortController()
      const conversation = await exportableOf(home(), key, signal, counts)
      const pieces = exporter.write(conversation, { branches: exporter.branches }, signal)
      const bytes = await place.write(file, pieces)
      return { file: place.shown(file), bytes, ...counts }
    },
  }
}

/** A conversation as exporters take it, read from the disk while it is written; counts what passes. */
async function exportableOf(
  { transcripts, library }: OpenHome,
  key: LibraryKey,
  signal: AbortSignal,
  counts = { entries: 0, damaged: 0 },
): Promise<Exportable> {
  const summary = await library.find(key)
  if (summary === undefined) throw new AppError('not-found', `There is no conversation "${key}".`)
  const reading = await transcripts.whole(key, signal)
  const { source, title, project, created, updated } = summary
  async function* rows() {
    for await (const row of reading.rows) {
      if (row.type === 'entry') counts.entries += 1
      else counts.damaged += 1
      yield row
    }
  }
  return {
    source,
    key: partsOf(key).key,
    title,
    project,
    created,
    updated,
    models: [],
    parent: null,
    active: undefined,
    rows: rows(),
    files: () => reading.ledgers,
  }
}

/** The conversation's own key, without what a file system or a shell would take for something else. */
function fileName(key: LibraryKey): string {
  return (
    partsOf(key)
      .key.replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+/, '') || 'conversation'
  )
}
