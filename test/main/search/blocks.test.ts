import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Random } from '../../../bench/support/random'
import type { Disk } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { createScanTools } from '../../../src/main/search/scan-range'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { anyScript } from '../../support/any-script'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { foldPlainly } from '../../support/plain-fold'
import { conversation, lineOf } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)
const blockBytes = 32 * 1024

/** Words that fold to what others are, and escapes of what nobody needs to escape. */
const hidden = [
  (text: string) => text.replaceAll(' ', '\u00a0'),
  (text: string) => text.replaceAll("'", '\u2019').replaceAll('-', '\u2013'),
  (text: string) => text.replaceAll(' ', '\\u0020'),
  (text: string) => text.replaceAll('/', '\\/'),
  (text: string) => text.replaceAll('e', '\\u0065'),
  (text: string) =>
    text.replace(/[a-z]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
]

/** Lines of every length around the borders of blocks, some of them damaged, some longer than blocks or segments. */
function writeLinesAround(random: Random, file: string): readonly string[] {
  const writer = anyScript(random)
  const lines: string[] = []
  let size = 0
  const add = (line: string) => {
    lines.push(line)
    size += Buffer.byteLength(line) + 1
  }
  const filler = (bytes: number) => 'lorem ipsum '.repeat(Math.ceil(bytes / 12)).slice(0, bytes)
  for (let n = 0; size < 20 * blockBytes; n++) {
    const phrase = `don't see page-${n} at/once`
    const said = `${writer.text(3)} ${phrase}`
    const plain = lineOf({ id: `e${n}`, content: said })
    const hide = hidden[n % hidden.length]
    const line = n % 3 === 0 && hide ? plain.replace(phrase, hide(phrase)) : plain
    // The next line begins right before, at or behind a border.
    const toBorder = blockBytes - (size % blockBytes)
    if (n % 4 === 0 && toBorder > 400)
      add(lineOf({ id: `f${n}`, content: filler(toBorder - 300 + random.below(400)) }))
    if (n % 17 === 5) add(lineOf({ id: `g${n}`, content: `${filler(3 * blockBytes)} long-${n}` }))
    if (n % 11 === 3) add(line.slice(0, Math.floor(line.length / 2)))
    if (n % 11 === 7) add(`${line.slice(0, 20)}${lineOf({ id: `h${n}`, content: said })}`)
    if (n % 13 === 1) add('')
    add(line)
  }
  fs.writeFileSync(file, lines.join('\n'))
  return lines
}

const decoder = searchDecoders.chibi

function textsOf(line: string, number = 1) {
  if (decoder?.unit !== 'line') throw new Error('no decoder')
  return decoder.decode(line, number)
}

/** The definition: every line decoded, every text compared. */
function expectedPlaces(lines: readonly string[], query: string): readonly string[] {
  const wanted = foldPlainly(query)
  let offset = 0
  return lines.flatMap((line, index) => {
    const at = offset
    const length = Buffer.byteLength(line)
    offset += length + 1
    return textsOf(line, index + 1)
      .filter(({ text }) => foldPlainly(text).includes(wanted))
      .map(
        ({ entryId, field }) =>
          `${field === 'damaged' ? null : entryId} ${index + 1} ${at} ${length}`,
      )
  })
}

function openOver(file: string, cacheFolder: string, hasVectors: boolean, disk: Disk = nodeDisk) {
  const tools = hasVectors ? undefined : () => createScanTools(() => undefined)
  const workers = inlineWorkers(disk, searchDecoders, undefined, tools)
  const search = openSearch({ disk, decoders: searchDecoders, cacheFolder, workers })
  return { search, ready: search.update([conversation('c', [file], { title: '' })]) }
}

/** A disk that counts the bytes that are asked for. */
function countingDisk() {
  let bytes = 0
  const disk: Disk = {
    ...nodeDisk,
    async open(at, mode, permissions) {
      const opened = await nodeDisk.open(at, mode, permissions)
      return {
        ...opened,
        read: (into, position) => {
          bytes += into.length
          return opened.read(into, position)
        },
      }
    },
  }
  return { disk, read: () => bytes }
}

const phrase = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

describe('a search by blocks', () => {
  it.each([true, false])(
    'finds each entry at its line, with hazards, damage and long lines at the borders (vectors: %s)',
    async (hasVectors) => {
      const random = drawnRandom(41)
      const where = folder()
      const file = path.join(where, 'a.jsonl')
      const lines = writeLinesAround(random, file)
      const texts = lines.flatMap((line) => textsOf(line).map(({ text }) => text))
      const { search, ready } = openOver(file, `${where}/cache`, hasVectors)
      await ready
      const queries = [
        "don't see",
        'page-1',
        'at/once',
        'see page-12 at',
        'lorem ipsum lo',
        'long-5',
        'no',
      ]
      for (let n = 0; n < trialsOf(8); n++) {
        const content = texts[random.below(texts.length)] ?? ''
        const from = random.below(content.length)
        queries.push(content.slice(from, from + 2 + random.below(14)))
      }
      for (const built of [false, true]) {
        if (built) await search.buildIndex({ all: true })
        for (const query of queries) {
          if (foldPlainly(query).trim() === '') continue
          const { hits } = await search.run(phrase(query), { limit: 100_000 })
          const places = hits.map(
            ({ entryId, line, offset, length }) => `${entryId} ${line} ${offset} ${length}`,
          )
          expect(places.sort(), query).toEqual([...expectedPlaces(lines, query)].sort())
        }
      }
      await search.close()
    },
  )

  it('reads a line of eight megabytes where a word of it is asked for, and not for a word before or behind it', async () => {
    const where = folder()
    const file = path.join(where, 'a.jsonl')
    const long = `${'hay '.repeat(2_000_000)}deepest needle`
    const lines = [
      lineOf({ id: 'before', content: 'an early word' }),
      lineOf({ id: 'long', content: long }),
      lineOf({ id: 'behind', content: 'a late word' }),
    ]
    fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    const { disk, read } = countingDisk()
    const { search, ready } = openOver(file, `${where}/cache`, true, disk)
    await ready
    await search.buildIndex({ all: true })
    const found = async (query: string) => {
      const before = read()
      const { hits } = await search.run(query)
      return [hits.map(({ entryId, line }) => `${entryId} ${line}`), read() - before]
    }
    expect(await found('early')).toEqual([['before 1'], expect.any(Number)])
    expect(await found('deepest')).toEqual([['long 2'], expect.any(Number)])
    expect(await found('late')).toEqual([['behind 3'], Buffer.byteLength(lines[2] ?? '') + 1])
    await search.close()
  })

  it('reads of a segment only the blocks that hold the word', async () => {
    const where = folder()
    const file = path.join(where, 'a.jsonl')
    const lines = Array.from({ length: 500 }, (_, n) =>
      lineOf({
        id: `e${n}`,
        content: `${'common words here '.repeat(55)} ${n === 321 ? 'callow' : 'zebra'}`,
      }),
    )
    fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    const { disk, read } = countingDisk()
    const { search, ready } = openOver(file, `${where}/cache`, true, disk)
    await ready
    await search.buildIndex({ all: true })
    const before = read()
    const { hits } = await search.run('"here  callow"')
    expect(hits.map(({ entryId, line }) => [entryId, line])).toEqual([['e321', 322]])
    const bytes = read() - before
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(blockBytes + 2000)
    await search.close()
  })

  it('reads everything where the index is of the version before, until it is built anew', async () => {
    const where = folder()
    const file = path.join(where, 'a.jsonl')
    fs.writeFileSync(file, `${lineOf({ id: 'e1', content: 'one callow word' })}\n`)
    const cache = `${where}/cache`
    const first = openOver(file, cache, true)
    await first.ready
    await first.search.buildIndex({ all: true })
    const listing = path.join(cache, 'index.json')
    fs.writeFileSync(
      listing,
      fs.readFileSync(listing, 'utf8').replace('"version":4', '"version":3'),
    )
    for (const name of fs.readdirSync(cache).filter((one) => one.endsWith('.part'))) {
      const body = fs.readFileSync(path.join(cache, name)).subarray(0, -32)
      body.write('SKEINIX\u0007', 0, 'latin1')
      const digest = createHash('sha256').update(body).digest()
      fs.writeFileSync(path.join(cache, name), Buffer.concat([body, digest]))
    }
    const { search, ready } = openOver(file, cache, true)
    await ready
    expect(search.indexProgress()).toMatchObject({ parts: 0, coveredBytes: 0 })
    const ids = async () => (await search.run('callow')).hits.map(({ entryId }) => entryId)
    expect(await ids()).toEqual(['e1'])
    await search.buildIndex({ all: true })
    expect(search.indexProgress().parts).toBe(1)
    expect(await ids()).toEqual(['e1'])
    expect((await search.run('absent')).segments.read).toBe(0)
    await search.close()
  })
})
