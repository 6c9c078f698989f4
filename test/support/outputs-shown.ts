import path from 'node:path'
import { exportCommand } from '../../src/cli/commands/export'
import { showCommand } from '../../src/cli/commands/show'
import { appDisk } from '../../src/main/disk/app-disk'
import { inlineCounter } from '../../src/main/library/count/counter'
import { historySource } from '../../src/main/library/list/history-source'
import { openHistories } from '../../src/main/library/sources/histories'
import { openTranscripts } from '../../src/main/library/sources/library-transcripts'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { historyDisk } from '../../src/main/readers/history-disk'
import { openSearch } from '../../src/main/search/search'
import { inlineWorkers } from '../../src/main/search/workers'
import { openStore } from '../../src/main/store/open-store'
import { LibraryKey } from '../../src/shared/model/conversation/conversation'
import type { SourceId } from '../../src/shared/model/conversation/sources'
import { savedOutputOf } from '../../src/shared/model/conversation/tool-results'
import { run } from '../cli/run'

/** Returns the places where the outputs of a conversation are shown, as people see them. @param temp makes folders */
export function outputsShown(source: SourceId, root: string, key: string, temp: () => string) {
  const disk = historyDisk(appDisk)
  const libraryKey = LibraryKey.parse(`${source}:${key}`)
  const histories = () => openHistories(disk, [{ source, path: root }])
  const at = ['--root', `${source}=${root}`]
  const transcripts = () => {
    const store = openStore({ home: path.join(temp(), 'home'), disk })
    return openTranscripts({ disk, store, histories: histories() })
  }
  return {
    /** Results on a page of the window, with what is known of their outputs. */
    async onPage() {
      const { rows } = await transcripts().page(libraryKey, 'end', 100)
      return rows.flatMap((row) =>
        row.type === 'entry' && row.entry.entry_type === 'tool_result'
          ? [{ content: row.entry.content, saved: savedOutputOf(row.entry), file: row.entry.file }]
          : [],
      )
    },
    /** A part of an output, as the window asks for more of it. */
    part: (file: string, output: string, from: number, most: number) =>
      transcripts().output(libraryKey, { file, output }, from, most),
    printed: async () => (await run(showCommand, [key, ...at], { disk })).out,
    exported: async (format: string) =>
      (await run(exportCommand, [key, '--format', format, ...at], { disk })).out,
    /** Texts of the entries that a query finds, without an index and with it. */
    async found(query: string) {
      const cacheFolder = path.join(temp(), 'cache')
      const workers = inlineWorkers(disk, searchDecoders, 2000)
      const search = openSearch({ disk, decoders: searchDecoders, cacheFolder, workers })
      const listed = await historySource(disk, histories(), inlineCounter(disk)).list()
      await search.update(
        listed.map(({ source: of, ownKey, files }) => ({
          source: of,
          key: ownKey,
          title: '',
          updated: null,
          files,
        })),
      )
      const ids = async () => {
        const { hits } = await search.run(query, { limit: 100, countAll: true })
        return hits.map(({ entryId }) => entryId).sort()
      }
      const plain = await ids()
      await search.buildIndex({ all: true })
      const indexed = await ids()
      await search.close()
      return { plain, indexed }
    },
  }
}
