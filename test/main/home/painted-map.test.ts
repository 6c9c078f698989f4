import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../src/main/disk/app-disk'
import { openHomeSearch } from '../../../src/main/home/search'
import { openFamilies } from '../../../src/main/library/families/families'
import { openLibrary } from '../../../src/main/library/library'
import { openHistories } from '../../../src/main/library/sources/histories'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { inlineWorkers } from '../../../src/main/search/workers'
import { openStore } from '../../../src/main/store/open-store'
import { type LibraryKey, libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import { entryPositions } from '../../../src/shared/model/map/entry-positions'
import { nameOf, paintHits, unknownOnMap } from '../../../src/shared/model/map/painted-hits'
import { type FixtureRoot, fixtureRoots } from '../../support/decoded-fixtures'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const disk = historyDisk(appDisk)

/** Search and families over a copy of a folder of fixtures, as a window has them. */
async function opened({ name, source }: FixtureRoot) {
  const root = path.join(temp(), 'copy')
  const from = path.join(__dirname, '../../fixtures', name)
  fs.cpSync(from, root, { recursive: true, preserveTimestamps: true })
  const home = source === 'chibi' ? root : path.join(temp(), 'home')
  const roots = source === 'chibi' ? [] : [{ source, path: root }]
  const library = openLibrary({
    disk,
    store: openStore({ home, disk }),
    shownHome: '~/home',
    histories: openHistories(disk, roots),
    isRunning: () => false,
    changed: () => undefined,
  })
  const search = openHomeSearch({
    disk,
    library,
    cacheFolder: path.join(temp(), 'cache'),
    workers: inlineWorkers(disk, searchDecoders),
    tellIndex: () => undefined,
    note: () => undefined,
  })
  const families = openFamilies({ home, roots, disk, changed: () => undefined })
  await families.settled()
  const listed = await library.searchables()
  const keys = listed.map(({ source: system, key }) => libraryKeyOf(system, key))
  const close = async () => {
    await search.close()
    await families.close()
    await library.close()
  }
  return { search, families, keys, close }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** Paints a query on the map of a family; the hits on it beside those that a search of everything finds in it. */
async function painted({ search, families }: Opened, key: LibraryKey, query: string) {
  const { map } = await families.map(key)
  if (map === null) return undefined
  const conversations = map.conversations.map((one) => one.key)
  const everything = await search.query(query, { limit: 100_000 })
  const wanted = everything.hits.filter(
    (hit) =>
      hit.entryId !== null &&
      [hit, ...(hit.also ?? [])].some((one) =>
        conversations.includes(libraryKeyOf(one.source, one.key)),
      ),
  )
  const positionOf = entryPositions(map)
  const { places = [] } = await search.query(query, { limit: 1, scope: { conversations } })
  const unknown = unknownOnMap(positionOf, places)
  const names = await families.entriesOnMap(key, unknown)
  const known = new Map(
    unknown.flatMap((name, i) => {
      const shown = names[i]
      return shown == null ? [] : [[nameOf(name), shown] as const]
    }),
  )
  const hits = paintHits(map, positionOf, places, known)
  const nameless = unknown.filter((_, i) => names[i] == null)
  return { hits, wanted, nameless, conversations, entries: map.facts.ids.length }
}

const roots = fixtureRoots().filter(({ isContext }) => isContext !== true)

it.each(roots)('has every entry that a search finds in $name on a map, once', async (root) => {
  const all = await opened(root)
  const seen = new Set<LibraryKey>()
  let found = 0
  for (const key of all.keys) {
    if (seen.has(key)) continue
    // Every entry that has a text: nothing has this word.
    const map = await painted(all, key, '-nothinghasthisword')
    for (const one of map?.conversations ?? [key]) seen.add(one)
    if (map === undefined) continue
    expect([key, map.nameless]).toEqual([key, []])
    expect([key, map.hits.list.length]).toEqual([key, map.wanted.length])
    // Two texts of one entry are two hits.
    expect(map.hits.ofMessage.filter((n) => n > 0).length).toBeLessThanOrEqual(map.entries)
    found += map.hits.list.length
  }
  expect(found > 0 || all.keys.length === 0 || root.name.includes('tricky')).toBe(true)
  await all.close()
})

/** The words that are most often in the files of a folder. */
function wordsOf(name: string): readonly string[] {
  const folder = path.join(__dirname, '../../fixtures', name, 'history')
  const text = fs
    .readdirSync(folder)
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
    .join('\n')
  const counts = new Map<string, number>()
  for (const word of text.match(/[a-z]{4,12}/g) ?? []) counts.set(word, 1 + (counts.get(word) ?? 0))
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return byCount.slice(0, 12).map(([word]) => word)
}

/** Queries that find many entries. */
const kinds = ['role:user', 'role:agent', 'type:tool_call', 'type:tool_result', '-role:user e']

it.each(roots.filter(({ name }) => name.startsWith('branches/')))(
  'paints as many hits on the map of a real family as a search finds there: $name',
  async (root) => {
    const all = await opened(root)
    const { families: groups } = await all.families.groups()
    expect(groups.length).toBeGreaterThan(0)
    let hits = 0
    /** Hits of entries that several conversations hold. */
    let copied = 0
    for (const [key] of groups)
      for (const query of [...kinds, ...wordsOf(root.name)]) {
        if (key === undefined) throw new Error('a family of nobody')
        const map = await painted(all, key, query)
        expect([query, map?.nameless, map?.hits.list.length]).toEqual([
          query,
          [],
          map?.wanted.length,
        ])
        hits += map?.hits.list.length ?? 0
        copied += map?.wanted.filter(({ also }) => also !== undefined).length ?? 0
      }
    expect(hits).toBeGreaterThan(15)
    expect(copied).toBeGreaterThan(3)
    await all.close()
  },
)
