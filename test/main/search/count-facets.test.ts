import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/support/random'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { countFacets } from '../../../src/main/search/count-facets'
import { hitsOfTurn } from '../../../src/main/search/counts/facet-tally'
import { openSearch, type Search } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import type { FacetCounts } from '../../../src/shared/model/facet-counts'
import { type FacetName, withFacetChoice } from '../../../src/shared/model/query/facets'
import type { SearchableConversation } from '../../../src/shared/model/search'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { conversation, writeLines } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)

/** Small, so that a corpus of a few kilobytes has dozens of segments. */
const segmentSize = 1500
const queriesOfCorpus = 25
const corpora = Math.ceil(trialsOf(150) / queriesOfCorpus)

const words = ['peas', 'beans', 'tulips', 'spade', 'rain', 'clay', 'frost']
const sources = ['chibi', 'codex', 'pi'] as const
const values = {
  role: ['user', 'agent', 'system'],
  type: ['message', 'tool_call', 'tool_result', 'Reasoning'],
  tool: ['bash', 'Bash', 'read_file', 'a tool'],
  model: ['gpt-5', 'gpt-5.1-codex', 'GPT-5 mini', 'ünï'],
  project: ['/home/mira/garden', '/home/mira/garden/beds', 'C:\\work\\(old) "x"', '/srv/日本'],
  source: [...sources],
  month: ['2025-12', '2026-01', '2026-02', '2026-03'],
  branch: ['current', 'left'],
} as const satisfies Readonly<Record<FacetName, readonly string[]>>
const names = Object.keys(values) as readonly FacetName[]

/** An entry, with the conversations that hold it: what it is found by, and counted by. */
interface Fact {
  readonly id: string
  readonly text: string
  readonly of: Readonly<Partial<Record<Exclude<FacetName, 'month'>, string>>>
  readonly seconds: number
}

function drawFact(random: Random, id: string, source: string): Fact {
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)] as T
  const maybe = <K extends string>(name: K, list: readonly string[]) =>
    random.below(3) === 0 ? {} : { [name]: pick(list) }
  const type = pick(values.type)
  const isTool = type === 'tool_call' || type === 'tool_result'
  const text = Array.from({ length: 1 + random.below(5) }, () => pick(words)).join(' ')
  return {
    id,
    text,
    of: {
      source,
      // None of these conversations has branches inside.
      branch: 'current',
      type,
      role: pick(values.role),
      ...(isTool ? { tool: pick(values.tool) } : {}),
      ...maybe('model', values.model),
      ...maybe('project', values.project),
    },
    seconds:
      new Date(2025, 11 + random.below(4), 1 + random.below(28), random.below(24)).getTime() / 1000,
  }
}

function lineOf({ id, text, of, seconds }: Fact): string {
  const { type = '', role, tool = 'x', model, project } = of
  return JSON.stringify({
    id,
    timestamp: seconds,
    from: type === 'tool_result' ? tool : 'mira',
    to: type === 'tool_call' ? tool : 'garden',
    content: type === 'tool_call' ? JSON.stringify({ say: text }) : text,
    entry_type: type,
    role,
    metadata: { ...(model && { model }), ...(project && { project }) },
  })
}

/** Returns true where a hit has a value of a facet, by what docs/command-line.md says of the fields. */
function has(fact: Omit<Fact, 'id' | 'text'>, facet: FacetName, value: string): boolean {
  if (facet === 'month') {
    const day = new Date(fact.seconds * 1000)
    return `${day.getFullYear()}-${`0${day.getMonth() + 1}`.slice(-2)}` === value
  }
  const own = fact.of[facet]?.toLowerCase()
  if (own === undefined) return false
  return facet === 'model' || facet === 'project'
    ? own.includes(value.toLowerCase())
    : own === value.toLowerCase()
}

interface Corpus {
  readonly search: Search
  /** Each hit that is possible, with its copies. */
  readonly facts: readonly (readonly Fact[])[]
}

async function drawCorpus(random: Random): Promise<Corpus> {
  const where = folder()
  const conversations: SearchableConversation[] = []
  const facts: Fact[][] = []
  let last: { readonly source: string; readonly lines: readonly Fact[][] } | undefined
  for (let n = 0; n < 9; n++) {
    const source = sources[random.below(sources.length)] ?? 'chibi'
    const updated = new Date(2026, random.below(3), 5).getTime() / 1000
    const own = Array.from({ length: 5 + random.below(30) }, (_, at) => [
      drawFact(
        random,
        `${String(n).padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`,
        source,
      ),
    ])
    facts.push(...own)
    // Some conversations of a source have entries of the one before as well: the same hits.
    const shared = last?.source === source ? last.lines.filter(() => random.below(3) === 0) : []
    for (const hit of shared) hit.push(...hit.slice(0, 1))
    const lines = [...shared, ...own]
    const title = words[random.below(words.length)] ?? ''
    facts.push([{ id: '', text: title, of: { source }, seconds: updated }])
    const file = writeLines(
      where,
      `${n}.jsonl`,
      lines.flatMap(([fact]) => (fact ? [lineOf(fact)] : [])),
    )
    conversations.push(conversation(`c${n}`, [file], { source, title, updated }))
    last = { source, lines: own }
  }
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, segmentSize),
  })
  await search.update(conversations)
  if (random.below(3) > 0) await search.buildIndex({ all: true })
  return { search, facts }
}

/** Counts by looking at every fact. */
function naiveCounts(
  { facts }: Corpus,
  asked: readonly string[],
  choices: Readonly<Partial<Record<FacetName, readonly string[]>>>,
  facet: FacetName,
): Readonly<Record<string, number>> {
  const others = names.filter((name) => name !== facet && (choices[name]?.length ?? 0) > 0)
  const hits = facts.filter((copies) =>
    copies.some(
      (fact) =>
        asked.every((word) => fact.text.includes(word)) &&
        others.every((name) => (choices[name] ?? []).some((value) => has(fact, name, value))) &&
        // A title is found by its words alone.
        (fact.id !== '' || asked.length > 0),
    ),
  )
  const counts: Record<string, number> = {}
  for (const value of values[facet]) {
    const count = hits.filter((copies) => copies.some((fact) => has(fact, facet, value))).length
    const isChosen = choices[facet]?.includes(value) === true
    // A value that only a part of others is, no hit has.
    const isOwn = (fact: Fact) =>
      facet === 'month' || fact.of[facet]?.toLowerCase() === value.toLowerCase()
    const isAlways = facet === 'branch' && hits.length > 0
    if (isAlways) counts[value] = count
    const isListed = hits.some((copies) => copies.some(isOwn))
    if ((count > 0 && isListed) || isChosen) counts[value.toLowerCase()] = count
  }
  return counts
}

const asRecord = ({ values: listed }: FacetCounts) =>
  Object.fromEntries(listed.map(({ value, count }) => [value.toLowerCase(), count]))

describe('the counts of facets', () => {
  it('are those of a naive count over any corpus, for any choice, and what a search finds with them', async () => {
    const random = drawnRandom(63)
    for (let n = 0; n < corpora; n++) {
      const corpus = await drawCorpus(random)
      for (let trial = 0; trial < queriesOfCorpus; trial++) {
        const asked = words.filter(() => random.below(6) === 0).slice(0, 2)
        const choices: Partial<Record<FacetName, readonly string[]>> = {}
        let query = asked.join(' ')
        for (const name of names) {
          if (random.below(4) > 0) continue
          const chosen = values[name].filter(() => random.below(3) === 0)
          const distinct = [...new Map(chosen.map((one) => [one.toLowerCase(), one])).values()]
          choices[name] = distinct
          query = withFacetChoice(query, name, distinct)
        }
        if (query === '') continue
        const { facets, notices } = await countFacets(corpus.search, query, {})
        expect(notices).toEqual([])
        expect(facets.map(({ facet }) => facet).sort()).toEqual([...names].sort())
        for (const counts of facets) {
          const told = `${query} · ${counts.facet}`
          expect(counts.complete, told).toBe(true)
          expect(asRecord(counts), told).toEqual(naiveCounts(corpus, asked, choices, counts.facet))
        }
        const counts = facets[random.below(facets.length)]
        const one = counts?.values[random.below(counts.values.length)]
        if (counts === undefined || one === undefined) continue
        const { total } = await corpus.search.run(
          withFacetChoice(query, counts.facet, [one.value]),
          {
            countAll: true,
          },
        )
        expect(total, `${query} · ${counts.facet}:${one.value}`).toBe(one.count)
      }
      await corpus.search.close()
    }
  })

  it('name the tool of a result that an earlier line calls, as the field finds it', async () => {
    const where = folder()
    const call = (id: string, name: string) =>
      JSON.stringify({
        role: 'assistant',
        content: '',
        tool_calls: [{ id, type: 'function', function: { name, arguments: '{"c":"x"}' } }],
      })
    const result = (id: string, content: string) =>
      JSON.stringify({ role: 'tool', tool_call_id: id, content })
    const lines = [
      call('one', 'shell'),
      result('one', 'tulips'),
      call('two', 'read'),
      result('two', 'tulips and peas'),
      result('two', 'more tulips'),
    ]
    const file = writeLines(where, 'a.jsonl', lines)
    const one = conversation('a', [file], { source: 'cycod', title: 'a' })
    const search = openSearch({
      disk: nodeDisk,
      decoders: searchDecoders,
      cacheFolder: `${folder()}/cache`,
      workers: inlineWorkers(nodeDisk, searchDecoders, segmentSize),
    })
    await search.update([
      { ...one, files: one.files.map((each) => ({ ...each, decoder: 'cycod' })) },
    ])
    const { facets } = await countFacets(search, 'tulips', {})
    expect(facets.find(({ facet }) => facet === 'tool')?.values).toEqual([
      { value: 'read', count: 2 },
      { value: 'shell', count: 1 },
    ])
    await search.close()
  })

  it('say that they are not complete where there are too many hits, and where the counting was stopped', async () => {
    const corpus = await drawCorpus(createRandom(5))
    await corpus.search.buildIndex({ all: true })
    const some = await countFacets(corpus.search, 'a OR e', { most: 1 })
    expect(some.facets.every(({ complete }) => !complete)).toBe(true)
    expect(some.facets.some(({ values: listed }) => listed.length > 0)).toBe(true)
    const stop = new AbortController()
    stop.abort()
    const none = await countFacets(corpus.search, 'a OR e', { signal: stop.signal })
    expect(none.facets.every(({ complete }) => !complete)).toBe(true)
    await corpus.search.close()
  })

  it('are told as they grow, never fewer than before', async () => {
    const corpus = await drawCorpus(createRandom(9))
    await corpus.search.buildIndex({ all: true })
    const told: number[] = []
    const { facets } = await countFacets(corpus.search, 'a OR e', {
      counted: (now) =>
        told.push(
          now
            .find(({ facet }) => facet === 'source')
            ?.values.reduce((sum, { count }) => sum + count, 0) ?? 0,
        ),
    })
    expect(told.length).toBeGreaterThan(2)
    expect([...told].sort((a, b) => a - b)).toEqual(told)
    const last = facets.find(({ facet }) => facet === 'source')?.values ?? []
    expect(told.at(-1)).toBe(last.reduce((sum, { count }) => sum + count, 0))
    await corpus.search.close()
  })

  it('give way to other work after some hits, in each facet', async () => {
    const many = 5000
    const facts = Array.from({ length: many }, (_, n) => [
      { source: 'chibi', type: 'message', project: `/p/${n % 1500}`, seconds: n },
    ])
    let pauses = 0
    const search = {
      run: async (_: string, options: Parameters<Search['run']>[1]) => {
        await options?.counting?.counted({
          total: many,
          facts: () => facts,
          readBranches: async () => [],
        })
        return { total: many, complete: true, notices: [], hits: [] } as never
      },
    }
    const { facets } = await countFacets(search, 'tulips', {
      giveWay: async () => {
        pauses += 1
      },
    })
    const perFacet = Math.floor(many / hitsOfTurn)
    expect(perFacet).toBe(4)
    // The 1,500 projects are each compared with all others.
    expect(pauses).toBeGreaterThanOrEqual(facets.length * perFacet + 1500)
    expect(facets.find(({ facet }) => facet === 'source')?.values).toEqual([
      { value: 'chibi', count: many },
    ])
  })

  it('wait for the reading of branches with none but the facet of branches, also where one has a choice', async () => {
    const told: FacetName[] = []
    let toldBefore: readonly FacetName[] = []
    const search = {
      async run(_: string, options: Parameters<Search['run']>[1]) {
        await options?.counting?.counted({
          total: 1,
          facts: () => [[{ source: 'codex', role: 'user', seconds: 1 }]],
          readBranches: async () => {
            toldBefore = [...told]
            return []
          },
        })
        return { complete: true, notices: [], total: 1 }
      },
    } as unknown as Pick<Search, 'run'>
    const { facets } = await countFacets(search, 'peas source:codex', {
      counted: (counts) => {
        told.push(...counts.filter(({ complete }) => complete).map(({ facet }) => facet))
      },
    })
    expect(toldBefore).toContain('source')
    expect(toldBefore).not.toContain('branch')
    expect(facets.map(({ facet }) => facet)).toContain('branch')
  })

  it('come with the number of hits of the query itself, also where every facet has a choice', async () => {
    const corpus = await drawCorpus(createRandom(11))
    const hitsOf = async (query: string) =>
      (await corpus.search.run(query, { countAll: true })).total
    for (const query of [
      'peas',
      'peas role:user',
      'role:user nowhere',
      'source:chibi project:home type:message role:user tool:bash model:gpt during:2026-01 branch:current peas',
    ])
      expect((await countFacets(corpus.search, query, {})).total, query).toBe(await hitsOf(query))
    const { isCut } = await countFacets(corpus.search, 'a OR e', { most: 1 })
    expect(isCut).toBe((await hitsOf('a OR e')) > 1)
    await corpus.search.close()
  })

  it('have a choice that is typed otherwise as the value that hits have', async () => {
    const corpus = await drawCorpus(createRandom(12))
    for (const [typed, facet, value] of [
      ['role:Assistant', 'role', 'agent'],
      ['ROLE:"USER"', 'role', 'user'],
      ['source:CHIBI', 'source', 'chibi'],
      ['type:MESSAGE', 'type', 'message'],
    ] as const) {
      const { facets } = await countFacets(corpus.search, typed, {})
      const listed = facets.find((one) => one.facet === facet)?.values.map((one) => one.value) ?? []
      expect(
        listed.filter((one) => one.toLowerCase() === value),
        typed,
      ).toEqual([value])
      expect(listed, typed).not.toContain(typed.slice(typed.indexOf(':') + 1))
    }
    await corpus.search.close()
  })
})
