import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { inlineCounter } from '../../../src/main/library/count/counter'
import { historySource } from '../../../src/main/library/list/history-source'
import { openHistories } from '../../../src/main/library/sources/histories'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { claudeRecords, writeClaudeSession } from '../../support/claude-sessions'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const session = 'ae619569-e1d3-4f67-a3d7-4b650c6c087a'
const { user, call, result, stub } = claudeRecords(session)

/** Turns of a session: call and result of a tool each, the output of every third in a file of its own. */
function sessionOf(root: string, turns: number) {
  const records: object[] = [user(1, null, 'list the trees')]
  for (let n = 1; n <= turns; n++) {
    const id = `toolu_${n}`
    const tool = n % 2 === 0 ? 'Bash' : 'Grep'
    records.push(call(n * 2, n * 2 - 1, tool, id))
    const text = n % 3 === 0 ? stub(`${id}.txt`) : `short ${id}`
    records.push(result(n * 2 + 1, n * 2, id, text))
  }
  writeClaudeSession(root, `projects/-a/${session}.jsonl`, records)
}

function save(root: string, name: string, text: string) {
  const folder = path.join(root, 'projects/-a', session, 'tool-results')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, name), text)
}

/** Search over the root as it is now, again after each `look`. */
function searchOf(root: string) {
  const cacheFolder = path.join(temp(), 'cache')
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder,
    workers: inlineWorkers(nodeDisk, searchDecoders, 2000),
  })
  const look = async () => {
    const histories = openHistories(nodeDisk, [{ source: 'claude-code', path: root }])
    const listed = await historySource(nodeDisk, histories, inlineCounter(nodeDisk)).list()
    await search.update(
      listed.map(({ source, ownKey, files }) => ({
        source,
        key: ownKey,
        title: '',
        updated: null,
        files,
      })),
    )
  }
  const places = async (query: string) => {
    const { hits, complete, notices } = await search.run(query, { limit: 100, countAll: true })
    expect({ complete, notices }).toEqual({ complete: true, notices: [] })
    return hits.map(({ entryId, line }) => `${Number(entryId?.slice(-12))}:${line}`).sort()
  }
  return { search, look, places }
}

describe.each([false, true])('with an index: %s', (isIndexed) => {
  it('finds a word of a saved output at the result that it belongs to, once, by its tool too', async () => {
    const root = temp()
    sessionOf(root, 60)
    for (let n = 3; n <= 60; n += 3)
      save(root, `toolu_${n}.txt`, `pear 1\n${'apple\n'.repeat(200)}the Quince${n} of ${n}`)
    const { search, look, places } = searchOf(root)
    await look()
    if (isIndexed) await search.buildIndex({ all: true })
    expect(await places('quince33')).toEqual(['67:67'])
    expect(await places('quince33 tool:grep')).toEqual(['67:67'])
    expect(await places('quince33 tool:bash')).toEqual([])
    // Once, though the first words of an output stand in the session as well.
    expect(await places('"pear 1"')).toHaveLength(20)
    expect(await places('toolu_31')).toHaveLength(1)
    expect(await places('medlar')).toEqual([])
    await search.close()
  })

  it('finds what was saved, changed or taken away since the index was built', async () => {
    const root = temp()
    sessionOf(root, 6)
    save(root, 'toolu_3.txt', 'a quince')
    const { search, look, places } = searchOf(root)
    const again = async () => {
      await look()
      if (isIndexed) await search.buildIndex({ all: true })
    }
    await again()
    expect(await places('quince')).toEqual(['7:7'])
    expect(await places('medlar')).toEqual([])
    save(root, 'toolu_6.txt', 'a medlar')
    await look()
    expect(await places('medlar')).toEqual(['13:13'])
    await again()
    expect(await places('medlar')).toEqual(['13:13'])
    save(root, 'toolu_3.txt', 'a longer medlar')
    await look()
    expect(await places('medlar')).toEqual(['13:13', '7:7'])
    fs.rmSync(path.join(root, 'projects/-a', session, 'tool-results/toolu_6.txt'))
    await again()
    expect(await places('medlar')).toEqual(['7:7'])
    expect(await places('"first 2KB"')).toEqual(['13:13'])
    await search.close()
  })
})
