import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { explainNothing } from '../../../src/main/search/explain-nothing'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { conversation, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)

async function gardens(options: { readonly isIndexed: boolean }) {
  const file = writeEntries(folder(), 'a.jsonl', [
    { id: 'a', content: 'Plant the tulips before the frost', role: 'user' },
    { id: 'b', content: 'Chrysanthemen and tulips', role: 'agent' },
    { id: 'c', content: 'rain', role: 'agent' },
  ])
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, 1500),
  })
  await search.update([conversation('a', [file], { title: 'The orchard' })])
  if (options.isIndexed) await search.buildIndex({ all: true })
  return search
}

it('says how many hits the query has without each of its parts, the most first', async () => {
  const search = await gardens({ isIndexed: true })
  const { without, near } = await explainNothing(search, 'tulips frost role:agent', {})
  expect(without).toEqual([
    { part: 'role:agent', query: 'tulips frost', hits: 1, hasMore: false },
    { part: 'frost', query: 'tulips role:agent', hits: 1, hasMore: false },
  ])
  // Every word is there.
  expect(near).toEqual([])
  await search.close()
})

it.each([true, false])(
  'finds the words that are there for one that is not, with an index: %s',
  async (isIndexed) => {
    const search = await gardens({ isIndexed })
    const { near, without } = await explainNothing(search, 'tulpis -rain', {})
    expect(near).toEqual([{ word: 'tulpis', instead: 'tulips', query: 'tulips -rain' }])
    // What only leaves out is no search for something.
    expect(without).toEqual([])
    const phrase = await explainNothing(search, '"plant teh chrysantemen"', {})
    expect(phrase.near.map(({ instead }) => instead)).toEqual(['chrysanthemen'])
    await search.close()
  },
)

it('knows the words of titles', async () => {
  const search = await gardens({ isIndexed: true })
  const { near } = await explainNothing(search, 'orchrad', {})
  expect(near).toEqual([{ word: 'orchrad', instead: 'orchard', query: 'orchard' }])
  await search.close()
})

it('offers a pattern in any case, or as a text', async () => {
  const search = await gardens({ isIndexed: true })
  const near = async (query: string) => (await explainNothing(search, query, {})).near
  expect(await near('/plant/ frost')).toEqual([
    { word: '/plant/', instead: '/plant/i', query: '/plant/i frost' },
  ])
  // Patterns match no titles.
  expect(await near('/orchard/s')).toEqual([
    { word: '/orchard/s', instead: '"orchard"', query: '"orchard"' },
  ])
  expect(await near('/etc/')).toEqual([])
  await search.close()
})

it('ends with what it has when it is stopped', async () => {
  const search = await gardens({ isIndexed: true })
  const stop = new AbortController()
  stop.abort()
  expect(await explainNothing(search, 'tulpis frost', { signal: stop.signal })).toEqual({
    without: [],
    near: [],
  })
  await search.close()
})

/** The words that were searched alone, of a search that has every word but those that begin with an x. */
async function triedBy(query: string) {
  const tried: string[] = []
  const search = {
    run: async (text: string) => {
      tried.push(text)
      return { total: /^"x/.test(text) ? 0 : 1, complete: true, hits: [] } as never
    },
    eachWord: async (take: (word: string) => void) => take('xylophone'),
    indexProgress: () => ({ totalBytes: 1, coveredBytes: 1, indexBytes: 1, parts: 1 }),
  }
  const { near } = await explainNothing(search, query, {})
  return { tried: tried.filter((text) => /^"\p{L}+"$/u.test(text)), near }
}

it('tries some words of a query, however many a phrase has, and looks for four that are not there', async () => {
  const letters = 'abcdefghijklmnopqrstuvwyz'
  const known = [...letters].map((letter) => `${letter}word`)
  expect((await triedBy(`"${known.join(' ')}"`)).tried).toHaveLength(16)
  expect((await triedBy('"word Word" word')).tried).toEqual(['"word"'])
  const missing = [...letters].slice(0, 9).map((letter) => `x${letter}lophone`)
  const { near } = await triedBy(`"${missing.join(' ')}"`)
  expect(near.map(({ word }) => word)).toEqual(missing.slice(0, 4))
})

it('puts the word that is there in the place of the whole word, and takes no letter of an escape for one of a word', async () => {
  const { near, tried } = await triedBy('"axylopho xylopho"')
  expect(tried).toEqual(['"axylopho"', '"xylopho"'])
  expect(near.map(({ query }) => query)).toEqual(['"axylopho xylophone"'])
  expect((await triedBy('one\\nxylophon caf\\u00e9 C:\\xylo')).tried).toEqual(['"xylo"'])
})
