import vm from 'node:vm'
import { expect, it, vi } from 'vitest'
import { conditionsOf } from '../../../../src/main/search/conditions/conditions'
import { EntryTest } from '../../../../src/main/search/conditions/entry-test'
import { placesOfPattern } from '../../../../src/main/search/conditions/text-patterns'
import { ConversationKey } from '../../../../src/shared/model/conversation/conversation'
import { parseQuery } from '../../../../src/shared/model/query/parse-query'

it('gives each text its own places where a busy machine had the first try stopped', () => {
  const idle = { user: 0, system: 0 }
  const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValueOnce(idle).mockReturnValueOnce(idle)
  try {
    const texts = ['ab', `${'a'.repeat(50_000)}!`, 'none', 'aab']
    const places = placesOfPattern({ source: '(a+)+b', flags: '' }, texts)
    expect(places).toEqual([[[0, 2]], undefined, [], [[0, 3]]])
  } finally {
    cpu.mockRestore()
  }
})

/** Tests texts by a query; returns the places in those that pass, and how often the engine's limit was set. */
function tested(query: string, texts: readonly string[]) {
  const places: (readonly (readonly [number, number])[])[] = []
  const limited = vi.spyOn(vm.Script.prototype, 'runInContext')
  try {
    const test = new EntryTest(conditionsOf(parseQuery(query), []), (passed) => {
      places.push(passed.places)
    })
    const of = { source: 'chibi', key: ConversationKey.parse('talk'), updated: null }
    for (const [number, text] of texts.entries()) {
      const facts = { entryId: `e${number}`, timestamp: null, type: 'message' } as const
      const entry = { ...facts, field: 'content', text, line: 1, offset: 0, length: 1 } as const
      test.take({ number, entry, range: { of, scope: [] } })
    }
    const notices = test.finish()
    return { places, notices, limited: limited.mock.calls.length }
  } finally {
    limited.mockRestore()
  }
}

it('sets no limit where a pattern cannot take long, and one where it can', () => {
  const texts = ['return false', 'return', 'return  falsely']
  const quick = tested('/return\\s+fals\\w*/', texts)
  expect(quick).toEqual({ places: [[[0, 12]], [[0, 15]]], notices: [], limited: 0 })
  expect(tested('/(?:return\\s+)+false/', texts)).toMatchObject({
    places: [[[0, 12]], [[0, 13]]],
    limited: 1,
  })
  const long = ` ${'\t'.repeat(400_000)}`
  expect(tested('/\\s+x\\s+y/', [long, 'x', ' x y'])).toMatchObject({
    places: [[[0, 4]]],
    notices: ['The pattern takes too long on one text, which may hold further hits.'],
  })
})

it('tells the places of several patterns in their order', () => {
  expect(tested('/b+c/ /a+b/', ['aabbc']).places).toEqual([
    [
      [0, 3],
      [2, 5],
    ],
  ])
})

it('tells the places of every pattern of an entry that passes, whichever of them decides', () => {
  const text = 'pear and plum'
  const both = [
    [0, 4],
    [9, 13],
  ]
  expect(tested('/pe[a]r/ OR /pl[u]m/', [text]).places).toEqual([both])
  expect(tested('pear OR /pl[u]m/', [text]).places).toEqual([[[9, 13]]])
  expect(tested('/pe[a]r/ OR /pl(?:[u]+m)+/', [text]).places).toEqual([both])
})

it('tells no places of a pattern that is excluded', () => {
  expect(tested('/a[n]d/ OR -/pl[u]m/', ['pear and plum']).places).toEqual([[[5, 8]]])
  expect(tested('/a(?:[n]+d)+/ OR -/pl[u]m/', ['pear and plum']).places).toEqual([[[5, 8]]])
})

it('finds an entry that hangs on a pattern behind others that pass by themselves, and on which it takes too long', () => {
  const endless = `fig ${'a'.repeat(50_000)}!`
  const { places, notices } = tested('fig OR /(?:a+)+b/', [endless, endless, 'aab'])
  expect(places).toEqual([[[0, 3]], [], []])
  expect(notices).toEqual([])
})

it('sets the limit where optional characters multiply the ways of a pattern', () => {
  const query = `/${'\\w?'.repeat(22)}-/`
  expect(tested(query, ['short-'])).toMatchObject({ places: [[[0, 6]]], limited: 0 })
  expect(tested(query, [`${'a'.repeat(20)}-`]).limited).toBe(1)
})

it('goes on behind a character of two units where a pattern matches nothing', () => {
  const places = [
    [0, 0],
    [2, 3],
    [3, 3],
  ]
  expect(tested('/x*/', ['😀x']).places).toEqual([places])
  expect(placesOfPattern({ source: 'x*', flags: '' }, ['😀x'])).toEqual([places])
})
