import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openHomeSearch } from '../../../src/main/home/search'
import { openFamilies } from '../../../src/main/library/families/families'
import { openLibrary } from '../../../src/main/library/library'
import { openHistories } from '../../../src/main/library/sources/histories'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../../src/main/search/workers'
import { openStore } from '../../../src/main/store/open-store'
import { LibraryKey, libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import { entryPositions } from '../../../src/shared/model/map/entry-positions'
import { nameOf, paintHits, unknownOnMap } from '../../../src/shared/model/map/painted-hits'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const fixtures = path.join(__dirname, '../../fixtures/branches')

/** Search and families over one cycod history, as a window has them. */
async function opened(history: string) {
  const home = path.join(temp(), 'home')
  const roots = [{ source: 'cycod' as const, path: history }]
  const library = openLibrary({
    disk: nodeDisk,
    store: openStore({ home, disk: nodeDisk }),
    shownHome: '~/home',
    histories: openHistories(nodeDisk, roots),
    isRunning: () => false,
    changed: () => undefined,
  })
  const search = openHomeSearch({
    disk: nodeDisk,
    library,
    cacheFolder: path.join(temp(), 'cache'),
    workers: inlineWorkers(nodeDisk, searchDecoders),
    tellIndex: () => undefined,
    note: () => undefined,
  })
  const families = openFamilies({ home, roots, disk: nodeDisk, changed: () => undefined })
  await families.settled()
  const { families: groups } = await families.groups()
  return { library, search, families, groups }
}

/** Queries that find many entries. */
const kinds = ['role:user', 'role:agent', 'type:tool_call', 'type:tool_result', '-role:user e']

/** The words that are most often in the files of a folder. */
function wordsOf(folder: string): readonly string[] {
  const text = fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    .join('\n')
  const counts = new Map<string, number>()
  for (const word of text.match(/[a-z]{4,12}/g) ?? []) counts.set(word, 1 + (counts.get(word) ?? 0))
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return byCount.slice(0, 12).map(([word]) => word)
}

it.each(
  fs
    .readdirSync(fixtures)
    .map((name) => path.join(fixtures, name))
    .filter((folder) => fs.existsSync(path.join(folder, 'history'))),
)('paints as many hits on the map of real families as a search finds there: %s', async (root) => {
  const history = path.join(temp(), 'copy')
  fs.cpSync(root, history, { recursive: true, preserveTimestamps: true })
  const { library, search, families, groups } = await opened(history)
  expect(groups.length).toBeGreaterThan(0)
  let painted = 0
  /** Hits of entries that several conversations hold. */
  let copied = 0
  for (const group of groups) {
    const key = group[0] ?? LibraryKey.parse('none')
    const { map } = await families.map(key)
    if (map === null) throw new Error('no map')
    const positionOf = entryPositions(map)
    const conversations = map.conversations.map((one) => one.key)
    for (const word of [...kinds, ...wordsOf(path.join(history, 'history'))]) {
      const everything = await search.query(word, { limit: 100_000 })
      const wanted = everything.hits.filter(
        (hit) =>
          hit.entryId !== null &&
          [hit, ...(hit.also ?? [])].some((one) =>
            conversations.includes(libraryKeyOf(one.source, one.key)),
          ),
      )
      const { places = [] } = await search.query(word, { limit: 1, scope: { conversations } })
      const unknown = unknownOnMap(positionOf, places)
      const names = await families.entriesOnMap(key, unknown)
      // Every one of them has a name there: none is put at the end of its conversation for want of one.
      expect(names).not.toContain(null)
      const known = new Map(
        unknown.flatMap((name, i) => {
          const shown = names[i]
          return shown == null ? [] : [[nameOf(name), shown] as const]
        }),
      )
      const hits = paintHits(map, positionOf, places, known)
      expect([word, hits.list.length]).toEqual([word, wanted.length])
      painted += hits.list.length
      copied += wanted.filter(({ also }) => also !== undefined).length
    }
  }
  expect(painted).toBeGreaterThan(15)
  expect(copied).toBeGreaterThan(3)
  await search.close()
  await families.close()
  await library.close()
})
