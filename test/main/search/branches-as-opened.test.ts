import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../src/main/disk/app-disk'
import { inlineCounter } from '../../../src/main/library/count/counter'
import { historySource } from '../../../src/main/library/list/history-source'
import { openHistories } from '../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../src/main/library/sources/library-transcripts'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { openStore } from '../../../src/main/store/open-store'
import { libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import type { SearchHit } from '../../../src/shared/model/search'
import { fixtureRoots } from '../../support/decoded-fixtures'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)
const fixtures = path.join(__dirname, '../../fixtures')
/** Hits of each root that are opened. */
const opened = 4

it('a hit is on a branch that was left where opening it shows another way, in the histories of every system', async () => {
  const disk = historyDisk(appDisk)
  const left = new Map<string, number>()
  for (const { name, source } of fixtureRoots()) {
    if (source === 'chibi') continue
    const root = path.join(fixtures, name)
    const histories = openHistories(disk, [{ source, path: root }])
    const listed = await historySource(disk, histories, inlineCounter(disk)).list()
    const search = openSearch({
      disk,
      decoders: searchDecoders,
      cacheFolder: path.join(folder(), 'cache'),
      workers: inlineWorkers(disk, searchDecoders),
    })
    await search.update(
      listed.map(({ ownKey: key, files, tree }) => ({
        source,
        key,
        title: '',
        updated: null,
        files,
        tree,
      })),
    )
    const transcripts = openTranscripts({
      disk,
      store: openStore({ home: folder(), disk }),
      histories,
    })
    const isLeft = async ({ key, entryId, file = '', offset = 0 }: SearchHit) => {
      const around = { file, offset, ...(entryId === null ? {} : { entry: entryId }) }
      const { branches } = await transcripts.page(libraryKeyOf(source, key), { around }, 1)
      return branches?.way !== undefined
    }
    for (const branch of ['left', 'current']) {
      const { hits, notices } = await search.run(`branch:${branch}`, { limit: 100_000 })
      expect(
        notices.filter((words) => words.includes('branches')),
        name,
      ).toEqual([])
      const step = Math.max(1, Math.floor(hits.length / opened))
      for (const [n, hit] of hits.entries()) {
        if (n % step > 0) continue
        if (hit.also !== undefined) continue
        expect(await isLeft(hit), `${name}: ${JSON.stringify(hit)}`).toBe(branch === 'left')
        if (branch === 'left') left.set(source, (left.get(source) ?? 0) + 1)
      }
    }
    await search.close()
  }
  expect([...left.keys()].sort().join(' ')).toBe(
    'chatgpt claude-ai claude-code codex copilot cursor deepseek droid gemini grok grok-build jan kimi librechat llm lm-studio open-webui opencode pi qwen skein',
  )
})
