import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/support/random'
import type { Disk } from '../../../src/main/disk/interface/disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { createScanTools } from '../../../src/main/search/scan-range'
import { openSearch, type Search } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { anyScript } from '../../support/any-script'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { heldDisk } from '../../support/held-disk'
import { foldPlainly, meantPlainly } from '../../support/plain-fold'
import { type CorpusEntry, conversation, lineOf, writeLines } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

/** Queries of all corpora together. */
const trials = trialsOf(4000)
const queriesOfCorpus = 250
const filesOfCorpus = 3
/** Small, so that a corpus of a few kilobytes has dozens of segments. */
const segmentSize = 1500

const folder = tempFolders(memoryFolder)

interface Corpus {
  readonly entries: readonly CorpusEntry[]
  /** By id: found out by the definition alone. */
  readonly folded: ReadonlyMap<string, string>
  readonly files: readonly string[]
}

function writeCorpus(random: Random, where: string, first: number): Corpus {
  const writer = anyScript(random)
  const entries: CorpusEntry[] = []
  const files: string[] = []
  for (let file = 0; file < filesOfCorpus; file++) {
    const lines: string[] = []
    for (let n = 0; n < 16; n++) {
      const entry = { id: `e${first + entries.length}`, content: writer.text(1 + random.below(14)) }
      entries.push(entry)
      lines.push(encodedAnyhow(random, lineOf(entry)))
    }
    files.push(writeLines(where, `${first}-${file}.jsonl`, lines))
  }
  const folded = new Map(entries.map(({ id, content }) => [id, foldPlainly(content)]))
  return { entries, folded, files }
}

/** JSON leaves a writer free to escape what it likes. */
function encodedAnyhow(random: Random, json: string): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  const taste = random.below(5)
  if (taste === 0) return json.replace(/[^\0-\x7f]/g, escaped)
  if (taste === 1)
    return json.replace(/[<>&'+`]|[^\0-\xff]/g, (char) =>
      escaped(char).toUpperCase().replace('\\U', '\\u'),
    )
  const at = json.indexOf('"content":"') + '"content":"'.length
  if (taste === 3)
    return (
      json.slice(0, at) +
      json.slice(at).replace(/[/ _.(]/g, (char) => {
        const taken = random.below(4)
        return taken === 0 ? escaped(char) : taken === 1 && char === '/' ? '\\/' : char
      })
    )
  if (taste === 2) {
    // Letters that nobody needs to escape; not those of an escape itself.
    return (
      json.slice(0, at) +
      json
        .slice(at)
        .replace(/(?<!\\[a-z0-9]*)[g-z](?=[a-z ])/g, (char) =>
          random.below(3) === 0 ? escaped(char) : char,
        )
    )
  }
  return json
}

function drawQuery(random: Random, corpus: Corpus): string {
  const { content } = corpus.entries[random.below(corpus.entries.length)] ?? { content: '' }
  const from = random.below(content.length)
  const text = content.slice(from, from + 1 + random.below(random.below(4) === 0 ? 24 : 8))
  const change = random.below(7)
  if (change === 3) return copiedFromFile(random, text)
  if (change === 0) return text.toUpperCase()
  if (change === 1) return text.normalize('NFKD')
  if (change === 2) return `${text}${String.fromCharCode(97 + random.below(26))}`
  return text
}

/** A text as the file has it, with the escapes of a writer who escapes more or less, of JSON or of JSON inside of JSON. */
function copiedFromFile(random: Random, text: string): string {
  let copied = text
  for (let times = 1 + random.below(2); times > 0; times--)
    copied = encodedAnyhow(random, JSON.stringify(copied)).slice(1, -1)
  return copied
}

function phrase(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

async function found(search: Search, query: string) {
  const { hits, complete, segments } = await search.run(query, { limit: 100_000 })
  expect(complete).toBe(true)
  return { ids: hits.map(({ entryId }) => String(entryId)).sort(), segments }
}

function expected(
  corpora: readonly Corpus[],
  words: readonly string[],
  without: readonly string[],
): readonly string[] {
  // What folds to nothing asks nothing.
  const meant = (word: string) =>
    meantPlainly(word)
      .map(foldPlainly)
      .filter((text) => text !== '')
  const has = words.map(meant).filter((of) => of.length > 0)
  const lacks = without.flatMap(meant)
  return corpora
    .flatMap(({ folded }) => [...folded])
    .filter(
      ([, text]) =>
        has.every((of) => of.some((word) => text.includes(word))) &&
        !lacks.some((word) => text.includes(word)),
    )
    .map(([id]) => id)
    .sort()
}

function openOver(
  disk: Disk,
  corpora: readonly Corpus[],
  cacheFolder: string,
  hasVectors = true,
): { search: Search; ready: Promise<void> } {
  const tools = hasVectors ? undefined : () => createScanTools(() => undefined)
  const workers = inlineWorkers(disk, searchDecoders, segmentSize, tools)
  const search = openSearch({ disk, decoders: searchDecoders, cacheFolder, workers })
  return { search, ready: search.update(conversationsOf(corpora)) }
}

function conversationsOf(corpora: readonly Corpus[]) {
  return corpora.map(({ files }, n) => conversation(`c${n}`, files, { title: '' }))
}

describe('a pruned search', () => {
  it(
    'finds what a full scan by the definition finds, whatever the script and the escapes',
    async () => {
      const random = drawnRandom(3)
      let skipped = 0
      let asked = 0
      for (let done = 0; done < trials; done += queriesOfCorpus) {
        const where = folder()
        const corpora = [writeCorpus(random, where, 0)]
        const { disk, forget } = heldDisk()
        // One processor of four has no vectors.
        const hasVectors = (done / queriesOfCorpus) % 4 !== 3
        const { search, ready } = openOver(disk, corpora, `${where}/cache`, hasVectors)
        await ready
        await search.buildIndex({ all: true })
        for (let n = 0; n < queriesOfCorpus; n++) {
          // Half way, the corpus grows: old files at their ends, and by new ones; nothing is built again.
          if (n === queriesOfCorpus / 2) {
            corpora.push(writeCorpus(random, where, 1000))
            for (const [i, file] of (corpora[0]?.files ?? []).entries()) {
              const more = corpora[1]?.files[i] ?? ''
              fs.appendFileSync(file, fs.readFileSync(more))
              fs.rmSync(more)
            }
            forget()
            await search.update(conversationsOf(corpora.slice(0, 1)))
          }
          const pick = () => drawQuery(random, corpora[random.below(corpora.length)] as Corpus)
          const words = random.below(5) === 0 ? [pick(), pick()] : [pick()]
          const without = random.below(8) === 0 ? [pick().slice(0, 2)] : []
          const query = [...words.map(phrase), ...without.map((text) => `-${phrase(text)}`)].join(
            ' ',
          )
          const { ids, segments } = await found(search, query)
          expect(ids, JSON.stringify(query)).toEqual(expected(corpora, words, without))
          asked += segments.total
          skipped += segments.skipped
        }
        fs.rmSync(where, { recursive: true })
      }
      // A test of pruning that prunes nothing would show nothing.
      expect(skipped / asked).toBeGreaterThan(0.3)
    },
    30_000 + trials * 20,
  )

  it('finds every raw substring that is cut at the borders of characters as people see them', async () => {
    const random = createRandom(4)
    const where = folder()
    const corpus = writeCorpus(random, where, 0)
    const { search, ready } = openOver(heldDisk().disk, [corpus], `${where}/cache`)
    await ready
    await search.buildIndex({ all: true })
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    for (let n = 0; n < 1500; n++) {
      const entry = corpus.entries[random.below(corpus.entries.length)] as CorpusEntry
      const graphemes = [...segmenter.segment(entry.content)]
      const from = random.below(graphemes.length)
      const text = graphemes
        .slice(from, from + 1 + random.below(6))
        .map(({ segment }) => segment)
        .join('')
      expect((await found(search, phrase(text))).ids, JSON.stringify(text)).toContain(entry.id)
    }
  })
})
