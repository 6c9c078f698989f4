import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/support/random'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { inlineCounter } from '../../../src/main/library/count/counter'
import { historySource } from '../../../src/main/library/list/history-source'
import { openHistories } from '../../../src/main/library/sources/histories'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { countFacets } from '../../../src/main/search/count-facets'
import { openSearch, type Search } from '../../../src/main/search/search'
import { inlineWorkers, type SearchWorkers } from '../../../src/main/search/workers'
import type { SearchableConversation } from '../../../src/shared/model/search'
import { claudeRecords } from '../../support/claude-sessions'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { conversation, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

/** Homes. */
const trials = trialsOf(4)

const folder = tempFolders(memoryFolder)
const words = ['peas', 'beans', 'tulips', 'spade', 'rain']

/** A record of a conversation, by the definition alone: the one that it goes on from, and its text. */
interface Said {
  readonly id: string
  readonly parent: string | null
  readonly text: string
}

/** A conversation that takes turns back: mostly each record goes on from the last, sometimes from one before. */
function drawTalk(random: Random, first: number, mayPart: boolean): readonly Said[] {
  const said: Said[] = []
  const count = 2 + 2 * random.below(12)
  for (let n = 0; n < count; n += 2) {
    const text = () =>
      Array.from({ length: 1 + random.below(4) }, () => words[random.below(words.length)]).join(' ')
    // A person speaks after an answer, or anew at the beginning.
    const before = mayPart && n > 0 && random.below(4) === 0 ? 2 * random.below(n / 2) - 1 : n - 1
    const name = (at: number) =>
      `${String(first + at).padStart(8, '0')}-0000-4000-8000-0000000000ab`
    said.push({ id: name(n), parent: before < 0 ? null : name(before), text: text() })
    said.push({ id: name(n + 1), parent: name(n), text: text() })
  }
  return said
}

/** Those that the last record does not come from. */
function leftOf(said: readonly Said[]): readonly Said[] {
  const way = new Set<string>()
  for (let at = said.at(-1); at !== undefined; ) {
    way.add(at.id)
    const { parent } = at
    at = said.find(({ id }) => id === parent)
  }
  return said.filter(({ id }) => !way.has(id))
}

const isPersons = (said: readonly Said[], one: Said) => said.indexOf(one) % 2 === 0

function writeClaude(root: string, name: string, said: readonly Said[]): void {
  const records = claudeRecords(name)
  const lines = said.map((one) => {
    const isUser = isPersons(said, one)
    const base = isUser ? records.user(0, null, one.text) : records.call(0, 0, 'none', 'none')
    const message = isUser
      ? base.message
      : { role: 'assistant', content: [{ type: 'text', text: one.text }] }
    return JSON.stringify({ ...base, message, uuid: one.id, parentUuid: one.parent })
  })
  writeAt(root, `projects/-garden/${name}.jsonl`, lines)
}

function writePi(root: string, name: string, said: readonly Said[]): void {
  const head = {
    type: 'session',
    version: 3,
    id: name,
    timestamp: '2026-09-10T09:00:00.000Z',
    cwd: '/',
  }
  const lines = said.map((one) => ({
    type: 'message',
    id: one.id,
    parentId: one.parent,
    timestamp: '2026-09-10T09:00:00.000Z',
    message: {
      role: isPersons(said, one) ? 'user' : 'assistant',
      content: [{ type: 'text', text: one.text }],
    },
  }))
  writeAt(
    root,
    `sessions/--garden--/2026-09-10T09-00-00-000Z_${name}.jsonl`,
    [head, ...lines].map((line) => JSON.stringify(line)),
  )
}

function writeAt(root: string, file: string, lines: readonly string[]): void {
  const whole = path.join(root, file)
  fs.mkdirSync(path.dirname(whole), { recursive: true })
  fs.writeFileSync(whole, lines.map((line) => `${line}\n`).join(''))
}

async function listed(source: 'claude-code' | 'pi', root: string) {
  const histories = openHistories(nodeDisk, [{ source, path: root }])
  const found = await historySource(nodeDisk, histories, inlineCounter(nodeDisk)).list()
  return found.map(
    ({ ownKey: key, files, tree }): SearchableConversation => ({
      source,
      key,
      title: '',
      updated: null,
      files,
      tree,
    }),
  )
}

interface Home {
  readonly search: Search
  readonly said: readonly Said[]
  readonly left: ReadonlySet<Said>
}

async function drawHome(random: Random, workers?: Partial<SearchWorkers>): Promise<Home> {
  const root = folder()
  const talks: (readonly Said[])[] = []
  const draw = (mayPart: boolean) => {
    const talk = drawTalk(random, talks.length * 100, mayPart)
    talks.push(talk)
    return talk
  }
  const names = (n: number) => `5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e${10 + n}`
  for (let n = 0; n < 3; n++) writeClaude(path.join(root, 'claude'), names(n), draw(n > 0))
  for (let n = 3; n < 6; n++) writePi(path.join(root, 'pi'), names(n), draw(n > 3))
  const ours = draw(false)
  const file = writeEntries(
    root,
    'ours.jsonl',
    ours.map(({ id, text }) => ({ id, content: text })),
  )
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: path.join(folder(), 'cache'),
    workers: { ...inlineWorkers(nodeDisk, searchDecoders, 1500), ...workers },
  })
  await search.update([
    ...(await listed('claude-code', path.join(root, 'claude'))),
    ...(await listed('pi', path.join(root, 'pi'))),
    conversation('ours', [file], { title: '' }),
  ])
  if (random.below(2) === 0) await search.buildIndex({ all: true })
  return { search, said: talks.flat(), left: new Set(talks.flatMap(leftOf)) }
}

async function idsOf(search: Search, query: string): Promise<readonly string[]> {
  const { hits, notices, complete } = await search.run(query, { limit: 100_000 })
  expect([notices, complete]).toEqual([[], true])
  return hits.flatMap(({ entryId }) => entryId ?? []).sort()
}

const ids = (said: readonly Said[]) => said.map(({ id }) => id).sort()

describe('branches inside of conversations', () => {
  it('are told apart by the field, and counted by the facet, as walking up from the last record tells them', async () => {
    const random = drawnRandom(79)
    let [left, current] = [0, 0]
    for (let trial = 0; trial < trials; trial++) {
      const home = await drawHome(random)
      for (const word of words) {
        const found = home.said.filter(({ text }) => text.includes(word))
        const isLeft = found.filter((one) => home.left.has(one))
        const isCurrent = found.filter((one) => !home.left.has(one))
        left += isLeft.length
        current += isCurrent.length
        const told = `trial ${trial}: ${word}`
        expect(await idsOf(home.search, `${word} branch:left`), told).toEqual(ids(isLeft))
        expect(await idsOf(home.search, `${word} branch:current`), told).toEqual(ids(isCurrent))
        expect(await idsOf(home.search, `${word} -branch:left`), told).toEqual(ids(isCurrent))
        const other = words[(words.indexOf(word) + 1) % words.length] ?? ''
        const either = home.said.filter(
          (one) => one.text.includes(other) || (home.left.has(one) && one.text.includes(word)),
        )
        expect(await idsOf(home.search, `(${word} branch:left) OR ${other}`), told).toEqual(
          ids(either),
        )
        const { facets, total } = await countFacets(home.search, word, {})
        const facet = facets.find((one) => one.facet === 'branch')
        expect(total, told).toBe(found.length)
        expect(facet?.complete, told).toBe(true)
        expect(countsOf(facet?.values), told).toEqual(
          found.length === 0 ? {} : { current: isCurrent.length, left: isLeft.length },
        )
        // With a choice it tells what the other one has.
        const chosen = await countFacets(home.search, `${word} branch:left`, {})
        expect(chosen.total, told).toBe(isLeft.length)
        expect(countsOf(chosen.facets.find((one) => one.facet === 'branch')?.values), told).toEqual(
          { ...(found.length === 0 ? {} : { current: isCurrent.length }), left: isLeft.length },
        )
      }
      expect(await idsOf(home.search, 'branch:left')).toEqual(ids([...home.left]))
      await home.search.close()
    }
    expect(Math.min(left, current)).toBeGreaterThan(trials * 10)
  })

  it('are read once for each state of a conversation, and only where there may be some', async () => {
    const { leftEntries } = inlineWorkers(nodeDisk, searchDecoders)
    let asked = 0
    const home = await drawHome(createRandom(3), {
      leftEntries(one, signal) {
        asked += 1
        return leftEntries(one, signal)
      },
    })
    await home.search.run('nowhere')
    await home.search.run('peas')
    await countFacets(home.search, 'nowhere', {})
    expect(asked).toBe(0)
    await home.search.run('branch:left', { countAll: true })
    // Our own context has no branches inside.
    expect(asked).toBe(6)
    await home.search.run('branch:current peas', { countAll: true })
    await countFacets(home.search, 'peas', {})
    expect(asked).toBe(6)
    await home.search.close()
  })

  it('that cannot be read are told, and count as neither', async () => {
    const home = await drawHome(createRandom(4), {
      leftEntries: () => Promise.reject(new Error('It is locked.')),
    })
    const { hits, notices } = await home.search.run('branch:left', { limit: 1000 })
    expect(hits).toEqual([])
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(/^The branches of .* are not known: It is locked\.$/)
    const counted = await countFacets(home.search, 'peas OR beans OR tulips', {})
    const facet = counted.facets.find((one) => one.facet === 'branch')
    expect(facet?.complete).toBe(false)
    expect(counted.facets.find((one) => one.facet === 'role')?.complete).toBe(true)
    expect(counted.notices).toEqual(notices)
    await home.search.close()
  })
})

function countsOf(values: readonly { readonly value: string; readonly count: number }[] = []) {
  return Object.fromEntries(values.map(({ value, count }) => [value, count]))
}
