import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Random } from '../../../bench/support/random'
import { searchCommand as command } from '../../../src/cli/commands/search'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../src/shared/model/conversation/entry'
import { type EntryLabel, indexLabels } from '../../../src/shared/model/conversation/entry-labels'
import { SourceId } from '../../../src/shared/model/conversation/sources'
import { fixtures, run } from '../../cli/run'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { foldPlainly } from '../../support/plain-fold'
import { conversation, writeEntries, writeLines } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)

/** Small, so that a corpus of a few kilobytes has dozens of segments. */
const segmentSize = 1500

const people = ['alice@example.org', 'bob the builder', 'Åsa', '日向', 'user']
const models = ['gpt-4o-mini', 'vendor/model-7b:free', 'GPT 5', 'ünï']
const providers = ['openai', 'kokoro', 'whisper.cpp']
const projects = ['/home/mira/garden', 'C:\\work\\Garden 2', '/srv/日本']
const emojis = ['👍', '❤️', '❤', '😂']

interface Line {
  readonly id: string
  readonly timestamp: number
  readonly from: string
  readonly to: string
  readonly content: string
  readonly entry_type: string
  readonly metadata: Readonly<Record<string, unknown>>
}

const fields: readonly (readonly [field: string, values: readonly string[]])[] = [
  ['from', people],
  ['model', models],
  ['provider', providers],
  ['project', projects],
  ['reaction', emojis],
]

function lineAt(random: Random, n: number): Line {
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)] as T
  const maybe = (key: string, value: unknown) => (random.below(4) === 0 ? { [key]: value } : {})
  return {
    id: `e${n}`,
    timestamp: 1_760_000_000 + n,
    from: random.below(8) === 0 ? pick(people) : 'mira',
    to: random.below(2) === 0 ? 'user' : 'garden',
    content: pick(['peas and beans', 'a note on gpt', 'openai', 'nothing', '']),
    entry_type: random.below(5) === 0 ? 'tool_call' : 'message',
    metadata: {
      ...maybe('model', pick<unknown>([...models, 7, ''])),
      ...maybe('speech', { provider: pick<unknown>([...providers, null]) }),
      ...maybe('project', pick<unknown>([...projects, ['/x']])),
      ...maybe('reaction', { message_id: 'm', emojis: [pick(emojis), 3] }),
    },
  }
}

/** What a field finds, by what docs/command-line.md says of it: a part of the value, in any case. */
function holds(line: Line, field: string, value: string): boolean {
  const { metadata } = line
  const speech = (metadata.speech ?? {}) as { provider?: unknown }
  const reaction = (metadata.reaction ?? {}) as { emojis?: readonly unknown[] }
  const texts: Readonly<Record<string, readonly unknown[]>> = {
    from: line.entry_type === 'message' ? [line.from] : [],
    model: [metadata.model],
    provider: [speech.provider],
    project: [metadata.project],
    reaction: (reaction.emojis ?? []).map((one) => String(one).replaceAll('\ufe0f', '')),
  }
  const wanted = foldPlainly(field === 'reaction' ? value.replaceAll('\ufe0f', '') : value)
  return (texts[field] ?? []).some(
    (text) => typeof text === 'string' && foldPlainly(text).includes(wanted),
  )
}

it('finds by people, models, providers, projects and reactions what a plain scan finds, and skips what the index rules out', async () => {
  const random = drawnRandom(12)
  const where = folder()
  const lines = Array.from({ length: 600 }, (_, n) => lineAt(random, n))
  const files = [0, 1, 2].map((part) =>
    writeLines(
      where,
      `${part}.jsonl`,
      lines.slice(part * 200, (part + 1) * 200).map((line) => JSON.stringify(line)),
    ),
  )
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${where}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, segmentSize),
  })
  await search.update([conversation('garden', files, { title: '' })])
  let skipped = 0
  for (const isIndexed of [false, true]) {
    if (isIndexed) await search.buildIndex({ all: true })
    for (let n = 0; n < trialsOf(200); n++) {
      const [field, values] = fields[random.below(fields.length)] as (typeof fields)[number]
      const whole = Array.from(values[random.below(values.length)] ?? '')
      const start = field === 'reaction' ? 0 : random.below(whole.length)
      const part = whole.slice(start, start + 1 + random.below(whole.length)).join('')
      const value = random.below(3) === 0 ? part.toUpperCase() : part
      if (value.trim() === '') continue
      const negated = random.below(6) === 0
      const word = random.below(3) === 0 ? 'gpt' : ''
      const query = `${negated ? '-' : ''}${field}:"${value.replace(/["\\]/g, '\\$&')}" ${word}`
      const { hits, segments, complete } = await search.run(query, { limit: 10_000 })
      const wanted = lines.filter(
        (line) => holds(line, field, value) !== negated && line.content.includes(word),
      )
      expect(complete).toBe(true)
      expect(hits.map(({ entryId }) => entryId).sort(), query).toEqual(
        wanted.map(({ id }) => id).sort(),
      )
      if (isIndexed) skipped += segments.skipped
    }
  }
  await search.close()
  // Filters that rule nothing out would show nothing.
  expect(skipped).toBeGreaterThan(0)
})

it('finds by label what a plain scan finds: the entry in each of its copies, the whole word in any case', async () => {
  const random = drawnRandom(7)
  const where = folder()
  const words = ['plan', 'plan b', 'Größe', '计划']
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  // Each context takes over the first entries of the one before; every second id is no UUID, and means its own alone.
  const contexts = ['garden', 'garden-2', 'garden-3'].map((key, context) =>
    Array.from({ length: 120 }, (_, n) => {
      const own = context * 60 + n
      return { key, id: own % 2 === 0 ? uuid(own) : `e${own}`, content: `peas ${n % 7} and beans` }
    }),
  )
  const lines = contexts.flat()
  const labels: EntryLabel[] = lines
    .filter(() => random.below(9) === 0)
    .map(({ key, id }) => ({
      key: LibraryKey.parse(key),
      entry: EntryId.parse(id),
      word: words[random.below(words.length)] ?? '',
      color: 'blue',
      at: 1,
    }))
  const index = indexLabels(labels)
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${where}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, segmentSize),
  })
  await search.update(
    contexts.map((all) => {
      const key = all[0]?.key ?? ''
      return conversation(key, [writeEntries(where, `${key}.jsonl`, all)], { title: '' })
    }),
  )
  for (const isIndexed of [false, true]) {
    if (isIndexed) await search.buildIndex({ all: true })
    for (const word of [...words, 'PLAN', 'pla', 'gröSSe'])
      for (const negated of [false, true])
        for (const more of ['', 'label:"plan b"', '"peas 3"']) {
          const query = `${negated ? '-' : ''}label:"${word}" ${more}`
          const { hits, complete } = await search.run(query, { limit: 10_000, labels })
          const found = new Set(
            hits.flatMap(({ key, entryId, also = [] }) => [
              `${key} ${entryId}`,
              ...also.map((one) => `${one.key} ${one.entryId}`),
            ]),
          )
          const has = (line: (typeof lines)[number], wanted: string) => {
            const label = index.of(LibraryKey.parse(line.key), line.id)
            return label !== undefined && foldPlainly(label.word) === foldPlainly(wanted)
          }
          const wanted = lines.filter(
            (line) =>
              has(line, word) !== negated &&
              (!more.startsWith('label') || has(line, 'plan b')) &&
              (!more.startsWith('"') || line.content.includes('peas 3')),
          )
          expect(complete).toBe(true)
          // Of an entry with copies, one at least: its label says in which conversation it was given.
          const ids = (all: readonly string[]) =>
            [...new Set(all.map((one) => one.split(' ')[1]))].sort()
          expect(ids([...found]), query).toEqual(ids(wanted.map(({ key, id }) => `${key} ${id}`)))
          for (const { key, id } of wanted)
            if (!id.includes('-')) expect(found, query).toContain(`${key} ${id}`)
        }
  }
  await search.close()
})

it('finds an entry by its label where the conversation that got the label is gone, or another one', async () => {
  const where = folder()
  const id = '00000000-0000-4000-8000-000000000001'
  const [old, copy] = ['old', 'copy'].map((name) =>
    writeEntries(where, `${name}.jsonl`, [{ id: name === 'old' ? 'x' : id, content: 'peas' }]),
  )
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${where}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders),
  })
  const label = { key: LibraryKey.parse('old'), entry: EntryId.parse(id), word: 'plan', at: 1 }
  const found = async (more: Partial<EntryLabel>) => {
    const labels = [{ ...label, color: 'red' as const, ...more }]
    const { hits, segments } = await search.run('label:plan', { labels })
    return [hits.map(({ key }) => key), segments.skipped]
  }
  await search.update([conversation('copy', [copy ?? ''])])
  expect(await found({})).toEqual([['copy'], 0])
  await search.update([conversation('old', [old ?? '']), conversation('copy', [copy ?? ''])])
  expect(await found({ isAway: true })).toEqual([['copy'], 0])
  expect(await found({ key: LibraryKey.parse('copy') })).toEqual([['copy'], 1])
  await search.close()
})

describe('histories of other systems are searched by', () => {
  const hits = async (source: string, where: string, query: string) => {
    const root = `${source}=${fixtures}/readers/${where}`
    const { out } = await run(command, [query, '--root', root, '--json', '--limit', '1000'])
    return JSON.parse(out).hits as readonly { readonly snippet: string; readonly role: string }[]
  }
  /** The lines of all files of a fixture, as JSON. */
  const linesIn = (where: string) =>
    fs
      .readdirSync(`${fixtures}/readers/${where}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl') && !name.includes('.damaged'))
      .flatMap((name) =>
        fs.readFileSync(`${fixtures}/readers/${where}/${name}`, 'utf8').split('\n'),
      )
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as Record<string, unknown>]
        } catch {
          return []
        }
      })

  it('the emoji of a reaction, as a field and as a word', async () => {
    const found = await hits('fluux', 'fluux/input', 'reaction:👍')
    expect(found.length).toBeGreaterThan(0)
    expect(await hits('fluux', 'fluux/input', '👍')).toHaveLength(found.length)
    expect(found.every(({ role }) => role === 'user')).toBe(true)
  })

  it('who spoke through which service, and in which project', async () => {
    const lines = linesIn('voicemode/basic/logs/conversations')
    const [first] = lines.flatMap(({ project_path: path }) =>
      typeof path === 'string' ? [path] : [],
    )
    const inProject = lines.filter(({ project_path: path }) => String(path).includes(String(first)))
    expect(first).toBeDefined()
    // One more is a text file of the same project.
    expect(await hits('voicemode', 'voicemode/basic', `project:"${first}"`)).toHaveLength(
      inProject.length + 1,
    )
    const ofProvider = lines.filter(
      ({ metadata }) => (metadata as { provider?: string } | undefined)?.provider === 'openai',
    )
    expect(await hits('voicemode', 'voicemode/basic', 'provider:openai')).toHaveLength(
      ofProvider.length,
    )
  })
})

it('skein search says what a field takes, and searches all the same', async () => {
  const home = ['--home', `${fixtures}/chibi/home-v09`]
  const { code, words, out } = await run(command, ['role:nobody', ...home])
  expect([code, out]).toEqual([0, ''])
  expect(words).toMatch(/^role: takes user, agent, system, not “nobody”;/m)
  const told = JSON.parse((await run(command, ['tides source:nobody', ...home, '--json'])).out)
  expect(told.hints).toEqual([`source: takes ${SourceId.options.join(', ')}, not “nobody”.`])
})
