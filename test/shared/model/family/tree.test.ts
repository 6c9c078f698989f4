import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { familiesOf } from '../../../../src/shared/model/family/branches'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import {
  layStrands,
  resolveParents,
  type TreeRecord,
  wayTo,
} from '../../../../src/shared/model/family/tree'
import { conversation, drawn, id, message } from '../../../support/outlined'

/** A record as `id`, `id<parent`, `id<` for a null parent; `!` a person, `.` silent, `=` a compaction boundary. */
function record(text: string): TreeRecord {
  const [, marks = '', name = '', link, parent = ''] = /^([!.=]*)(\w+)(<?)(\w*)$/.exec(text) ?? []
  return {
    id: name,
    parent: link === '' ? undefined : parent === '' ? null : parent,
    isBoundary: marks.includes('='),
    speaks: marks.includes('!') ? 'human' : /[.=]/.test(marks) ? 'silent' : 'other',
  }
}
const records = (text: string) => text.split(' ').map(record)
const names = (text: string) => records(text).map(({ id }) => id)

function parents(text: string): Record<string, string> {
  const all = names(text)
  const { parents, seams } = resolveParents(records(text))
  return Object.fromEntries(
    all.map((name, i) => [
      name,
      `${all[parents[i] ?? -1] ?? 'root'}${seams.has(i) ? ' seam' : ''}`,
    ]),
  )
}

/** Every way from a root to an end of the tree, as it is shown. */
function ways(text: string, rule: 'every-child' | 'human-turns'): readonly string[] {
  const all = names(text)
  const { before } = layStrands(records(text), resolveParents(records(text)), rule)
  const inner = new Set(before)
  return all.flatMap((_, i) =>
    inner.has(i)
      ? []
      : [
          wayTo(before, i)
            .map((at) => all[at])
            .join(' '),
        ],
  )
}

describe('parents inside a file', () => {
  it('takes them as they are, wherever the parent stands in the file', () => {
    expect(parents('a< b<a d<c c<b')).toEqual({ a: 'root', b: 'a', c: 'b', d: 'c' })
  })
  it('follows the record before where the format has no parents', () => {
    expect(parents('a b c')).toEqual({ a: 'root', b: 'a', c: 'b' })
  })
  it('goes on from the record before, as a seam, where the parent is not there or is itself', () => {
    expect(parents('a< b<gone c<c')).toEqual({ a: 'root', b: 'a seam', c: 'b seam' })
  })
  it('goes on over a compaction boundary, but keeps a second root as a root', () => {
    expect(parents('a< =b< c<')).toEqual({ a: 'root', b: 'a seam', c: 'root' })
  })
  it('takes a root behind records without parents for no second one', () => {
    expect(parents('s a< b<a c<')).toEqual({ s: 'root', a: 's', b: 'a', c: 'root' })
  })
  it('ends a cycle at its first record in the file', () => {
    expect(parents('a< b<d c<b d<c')).toEqual({ a: 'root', b: 'a seam', c: 'b', d: 'c' })
    expect(parents('a<b b<a')).toEqual({ a: 'root', b: 'a' })
  })
  it('makes a root of a cycle that the record before it leads into', () => {
    expect(parents('s<x x<y y<x')).toEqual({ s: 'x', x: 'root', y: 'x' })
  })
  it('never leaves a cycle, a lost record or a moved one, whatever the parents say', () => {
    const link = fc.oneof(
      fc.nat(12).map((n) => `r${n}`),
      fc.constant(null),
      fc.constant(undefined),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(link, fc.boolean()), { maxLength: 12 }), (links) => {
        const all = links.map(
          ([parent, isBoundary], i): TreeRecord => ({
            id: `r${i}`,
            parent,
            isBoundary,
            speaks: 'other',
          }),
        )
        const ancestry = resolveParents(all)
        for (let i = 0; i < all.length; i++)
          expect(wayTo(ancestry.parents, i).length).toBeLessThanOrEqual(all.length)
        const { before, order } = layStrands(all, ancestry, 'every-child')
        expect([...order].sort((a, b) => a - b)).toEqual(all.map((_, i) => i))
        // With every child a fork, the strands are the tree itself; what only follows in the file is no child.
        if (all.every(({ parent }) => parent !== undefined))
          expect([...before]).toEqual([...ancestry.parents])
      }),
      { numRuns: 1000 },
    )
  })
})

describe('forks inside a file', () => {
  it('takes any record with two children as a fork where the format says so', () => {
    expect(ways('!q< a1<q a2<q !n1<a1 !n2<a2', 'every-child')).toEqual(['q a1 n1', 'q a2 n2'])
  })
  it('takes parallel tool results and one reply on many lines for no fork, and keeps file order', () => {
    expect(ways('!q< c1<q c2<c1 c3<c2 r3<c3 r1<c1 r2<c2 a<r1 !n<a', 'human-turns')).toEqual([
      'q c1 c2 c3 r3 r1 r2 a n',
    ])
  })
  it('forks where two children lead first to a person, also over silent records', () => {
    expect(ways('!q< a<q !n1<a b1<n1 .s<a !n2<s b2<n2', 'human-turns')).toEqual([
      'q a n1 b1',
      'q a s n2 b2',
    ])
  })
  it('takes what only follows in the file for no second way to go on', () => {
    expect(ways('!q< a<q !L3 !n<a', 'human-turns')).toEqual(['q a L3 n'])
  })
  it('keeps a late tool result before the fork that comes after it in the file', () => {
    expect(ways('!q< c<q r1<c r2<c !n1<r1 b<n1 !n2<r1', 'human-turns')).toEqual([
      'q c r1 r2 n1 b',
      'q c r1 r2 n2',
    ])
  })
  it('does not count a line that stands twice as two children', () => {
    expect(ways('!q< a<q !n<a !n<a b<n', 'human-turns')).toEqual(['q a n n b'])
  })
  it('walks a long chain, written backwards, without a deep stack', () => {
    const deep = Array.from(
      { length: 200_000 },
      (_, i): TreeRecord => ({
        id: `r${i}`,
        parent: i === 0 ? null : `r${i - 1}`,
        isBoundary: false,
        speaks: 'other',
      }),
    ).reverse()
    const { before } = layStrands(deep, resolveParents(deep), 'human-turns')
    expect(wayTo(before, 0)).toHaveLength(200_000)
  })
})

describe('a conversation with branches inside', () => {
  const at = (name: string, parent: string | null, who: 'user' | 'agent', text = name) =>
    message(who, text, { id: id(name), parent: parent === null ? null : id(parent) })
  const tree = conversation(
    'exported',
    [
      at('q', null, 'user'),
      at('a1', 'q', 'agent', 'same'),
      at('a2', 'q', 'agent', 'same'),
      at('n1', 'a1', 'user'),
      at('n2', 'a2', 'user'),
    ],
    { active: ['q', 'a1', 'n1'].map(id) },
  )
  const rows = (active?: readonly string[]) =>
    familiesOf([outlineOf({ ...tree, active: active?.map(id) })]).map(drawn)

  it('has a node for every run, two answers with the same words too, and marks the active path', () => {
    expect(rows(['q', 'a1', 'n1'])).toEqual([
      [
        'exported q..q [exported] *',
        '  exported a1..n1 [exported] *',
        '  exported a2..n2 [exported]',
      ],
    ])
  })
  it('takes the last entry of the file as the leaf where nobody says which is', () => {
    expect(rows()[0]?.map((row) => row.endsWith('*'))).toEqual([true, false, true])
  })
  it('hangs the child of a further part of a line on that line', () => {
    const [family] = familiesOf([
      outlineOf(
        conversation('parts', [
          at('x', null, 'agent'),
          at('x#2', 'x', 'agent'),
          at('y', 'x#2', 'user'),
          at('z', 'x#2', 'user'),
        ]),
      ),
    ])
    expect(family === undefined ? [] : drawn(family)).toEqual([
      'parts x..x#2 [parts]  *'.replace('  ', ' '),
      '  parts y..y [parts]',
      '  parts z..z [parts] *',
    ])
  })
  it('tells when each node begins: with its first entry, else with its conversation', () => {
    const created = '2025-01-02T00:00:00.000Z'
    const timed = (timestamp: number | null) => [message('user', 'a', { id: id('a'), timestamp })]
    const nodes = [timed(1_735_689_600.179), timed(null)].flatMap((entries) =>
      familiesOf([outlineOf(conversation('one', entries, { created }))]).flatMap(
        (one) => one.nodes,
      ),
    )
    expect(nodes.map((node) => node.created)).toEqual(['2025-01-01T00:00:00.179Z', created])
  })
  it('lists a conversation without entries in no family', () => {
    expect(familiesOf([outlineOf(conversation('empty', []))])).toEqual([])
  })
})
