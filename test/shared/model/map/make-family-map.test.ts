import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statisticsOf } from '../../../../src/cli/statistics/statistics'
import type { ReadConversation } from '../../../../src/main/readers/read-root'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { type OutlinedEntry, outlineOf } from '../../../../src/shared/model/family/outline'
import { lineTicks, shareInNode, sumFacts } from '../../../../src/shared/model/map/fact-sums'
import { FamilyMap } from '../../../../src/shared/model/map/family-map'
import { familyMapOf } from '../../../../src/shared/model/map/make-family-map'
import { conversation, cycodFolder, key, lines, message, uuid } from '../../../support/outlined'

const folder = path.join(import.meta.dirname, '../../../fixtures/branches')

/** An answer that says what it cost, a call with its result, or words. */
function entryOf(kind: number, words: string): OutlinedEntry {
  const usage = { input: 10 + kind, output: kind, cost: kind / 10 }
  if (kind % 4 === 1)
    return message('agent', words, { metadata: { model: `model-${kind % 3}`, usage } })
  if (kind % 4 === 2)
    return message('agent', words, {
      entry_type: 'tool_call',
      role: undefined,
      to: `tool-${kind % 3}`,
      metadata: kind > 8 ? { usage } : {},
    })
  if (kind % 4 === 3)
    return message('agent', words, {
      entry_type: 'tool_result',
      role: undefined,
      metadata: { is_error: kind > 8 },
    })
  return message('user', words)
}

/** Conversations that share beginnings of any length: each goes on after some entries of an earlier one. */
const relatives = fc
  .array(
    fc.record({
      from: fc.nat(1000),
      shared: fc.nat(1000),
      own: fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) => {
    const files: OutlinedEntry[][] = []
    for (const { from, shared, own } of all) {
      const parent = files[from % Math.max(1, files.length)] ?? []
      const kept = parent.slice(0, parent.length === 0 ? 0 : 2 + (shared % parent.length))
      const words = own.map((kind, i) => entryOf(kind, `${files.length} says ${i}`))
      files.push([
        ...kept,
        ...(files.length === 0 ? [message('user', 'a'), message('agent', 'b')] : []),
        ...words,
      ])
    }
    return files.map((entries, i) =>
      conversation(`c${i}`, lines(entries), { created: new Date(i * 1000).toISOString() }),
    )
  })

describe('the map of a family', () => {
  it('has every entry under exactly one node, and says of it what the outline says', () => {
    fc.assert(
      fc.property(relatives, (all) => {
        const map = familyMapOf(all.map(outlineOf), { source: 'cycod', key: key('c0') })
        if (map === null) throw new Error('no map')
        const { facts, nodes } = map
        expect(FamilyMap.parse(map)).toEqual(map)
        expect(facts.starts).toHaveLength(nodes.length + 1)
        expect(facts.starts.at(-1)).toBe(facts.times.length)
        expect(facts.entries.at(-1)).toBe(facts.ids.length)
        nodes.forEach((node, i) => {
          const [from, to] = [facts.starts[i] ?? 0, facts.starts[i + 1] ?? 0]
          const ids = facts.ids.slice(facts.entries[from], facts.entries[to])
          expect(ids).toHaveLength(node.entries)
          expect([ids[0], ids.at(-1)]).toEqual([node.fromEntry, node.toEntry])
        })
        // The way of each conversation from its leaf up has as many entries as the conversation.
        const positions = new Map(nodes.map(({ id }, i) => [id, i]))
        const lengths = map.conversations.map(({ leaf }) => {
          let entries = 0
          for (let at: number | undefined = leaf; at !== undefined; ) {
            entries += nodes[at]?.entries ?? 0
            at = positions.get(nodes[at]?.parent ?? '')
          }
          return entries
        })
        const byKey = new Map(all.map((one) => [`cycod:${one.key}`, [...one.entries].length]))
        expect(lengths).toEqual(map.conversations.map((one) => byKey.get(one.key)))
      }),
    )
  })

  it('counts tokens, cost, tools and failures as the statistics do, each entry once', () => {
    fc.assert(
      fc.property(relatives, (all) => {
        const map = familyMapOf(all.map(outlineOf), { source: 'cycod', key: key('c0') })
        if (map === null) throw new Error('no map')
        const read = all.map((one) => {
          const entries = [...one.entries].map(
            (entry, i): Entry => ({
              ...entry,
              from: 'x',
              file: one.key,
              offset: i,
              length: 1,
            }),
          )
          const rest = { parent: null, project: null, models: [], active: [] }
          return { ...one, ...rest, entries } as unknown as ReadConversation
        })
        const counted = statisticsOf(read)
        const sums = sumFacts(
          map.facts,
          map.nodes.map((_, i) => i),
        )
        expect({
          entries: sums.entries,
          input: sums.input,
          output: sums.output,
          tokens: sums.tokens,
          cost: sums.cost ?? null,
          tools: Object.fromEntries(sums.tools),
        }).toEqual({
          entries: counted.entries.total,
          input: counted.tokens.input,
          output: counted.tokens.output,
          tokens: counted.tokens.total,
          cost: counted.cost,
          tools: counted.entries.byTool,
        })
      }),
    )
  })

  it('of real cycod files has all that their lines hold once', () => {
    const files = cycodFolder(path.join(folder, 'cycod-family', 'history'))
    const map = familyMapOf(files.map(outlineOf), {
      source: 'cycod',
      key: files[0]?.key ?? key(''),
    })
    const counted = map?.nodes.reduce((sum, { entries }) => sum + entries, 0)
    expect(map?.facts.ids).toHaveLength(counted ?? 0)
    expect(map?.conversations).toHaveLength(files.length)
  })

  it('marks own words, failures and compactions where they are along a line', () => {
    const entries = [
      message('user', 'one'),
      message('agent', 'Error: no', { entry_type: 'tool_result', role: undefined }),
      message('agent', 'short', { entry_type: 'compaction', role: undefined }),
      message('user', 'two'),
    ]
    const map = familyMapOf([outlineOf(conversation('c', lines(entries)))], {
      source: 'cycod',
      key: key('c'),
    })
    if (map === null) throw new Error('no map')
    const marks = lineTicks(map.facts, 0)
    expect(marks).toEqual({ ownWords: [0, 3], failures: [1], compactions: [2] })
    expect(marks.ownWords.map((at) => shareInNode(map.facts, 0, at))).toEqual([0, 0.75])
    expect(sumFacts(map.facts, [0])).toMatchObject({ failures: 1, compactions: 1, ownWords: 2 })
  })

  it('counts a usage record once that several entries of one line repeat', () => {
    const usage = { input: 5, output: 2 }
    const line = { file: 'a.jsonl', offset: 0, metadata: { usage } }
    const outline = outlineOf(
      conversation('c', [
        message('agent', 'says', { id: uuid('a'), ...line }),
        message('agent', '{}', {
          id: uuid('b'),
          entry_type: 'tool_call',
          role: undefined,
          ...line,
        }),
        message('agent', 'again', { id: uuid('c'), ...line, offset: 9 }),
      ]),
    )
    const map = familyMapOf([outline], { source: 'cycod', key: key('c') })
    expect(map === null ? null : sumFacts(map.facts, [0])).toMatchObject({ tokens: 14 })
  })

  it('of no entry is none', () => {
    expect(familyMapOf([], { source: 'cycod', key: key('c') })).toBe(null)
  })
})
