import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { buildPart } from '../../../src/main/segments/build/build-part'
import { encodeFilter } from '../../../src/main/segments/coverage/filter-file'
import type { SearchDecoders } from '../../../src/shared/model/search'
import { ageCaches, agedPart } from '../../support/older-decoding'
import { conversation, searchFile, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)

/** Decoders that take no line for an entry, as those before a kind of line was known. */
const olderDecoders: SearchDecoders = { chibi: { unit: 'line', decode: () => [] } }

function transcriptIn(folder: string): string {
  return writeEntries(folder, 'transcript.jsonl', [
    { id: 'e1', content: 'The tulips are planted.' },
    { id: 'e2', content: 'So are the crocuses.' },
  ])
}

async function searchOver(
  file: string,
  folder: string,
  options: { readonly decoders?: SearchDecoders; readonly filter?: string } = {},
) {
  const { decoders = searchDecoders, filter } = options
  const search = openSearch({
    disk: nodeDisk,
    decoders,
    cacheFolder: path.join(folder, 'cache'),
    workers: inlineWorkers(nodeDisk, decoders),
  })
  const files = [searchFile(file, filter === undefined ? {} : { filter })]
  await search.update([conversation('garden', [], { files })])
  return search
}

/** What a search for a word of the transcript came to. */
async function found(search: Awaited<ReturnType<typeof searchOver>>) {
  const { hits, complete, segments } = await search.run('tulips')
  return { hits: hits.map(({ entryId }) => entryId), complete, skipped: segments.skipped }
}

const nothing = { hits: [], complete: true, skipped: 1 }
const everything = { hits: ['e1'], complete: true, skipped: 0 }

describe('a search index by older decoders', () => {
  it('is not used: everything is read before an answer is complete, and the index is built again', async () => {
    const folder = temp()
    const file = transcriptIn(folder)
    const older = await searchOver(file, folder, { decoders: olderDecoders })
    await older.buildIndex({ all: true })
    // Under our version it would be believed, and the answer be wrong.
    expect(await found(await searchOver(file, folder))).toEqual(nothing)
    ageCaches(path.join(folder, 'cache'))
    const search = await searchOver(file, folder)
    expect(search.indexProgress()).toMatchObject({ coveredBytes: 0, parts: 0 })
    expect(await found(search)).toEqual(everything)
    expect(await search.buildIndex({ all: true })).toBe(true)
    const { coveredBytes, totalBytes, parts } = search.indexProgress()
    expect([coveredBytes, parts]).toEqual([totalBytes, 1])
    expect(await found(await searchOver(file, folder))).toEqual(everything)
  })

  it('is not used either where its list of parts does not tell', async () => {
    const folder = temp()
    const file = transcriptIn(folder)
    const older = await searchOver(file, folder, { decoders: olderDecoders })
    await older.buildIndex({ all: true })
    const list = path.join(folder, 'cache', 'index.json')
    const ours = fs.readFileSync(list)
    ageCaches(path.join(folder, 'cache'))
    fs.writeFileSync(list, ours)
    expect(await found(await searchOver(file, folder))).toEqual(everything)
  })
})

describe('a filter beside a file by older decoders', () => {
  it('is not used', async () => {
    const folder = temp()
    const file = transcriptIn(folder)
    const filter = path.join(folder, 'transcript.bloom')
    const { path: at, identity, sizeBytes, mtimeMs, decoder } = searchFile(file)
    const whole = { from: 0, to: sizeBytes, firstLine: 1, chain: '', travels: true as const }
    const part = await buildPart(nodeDisk, olderDecoders, [
      { path: at, identity, sizeBytes, mtimeMs, decoder, ...whole },
    ])
    if (part === undefined) throw new Error('nothing was indexed')
    fs.writeFileSync(filter, await encodeFilter(part, sizeBytes))
    expect(await found(await searchOver(file, folder, { filter }))).toEqual(nothing)
    fs.writeFileSync(filter, await encodeFilter(agedPart(part), sizeBytes))
    expect(await found(await searchOver(file, folder, { filter }))).toEqual(everything)
  })
})
