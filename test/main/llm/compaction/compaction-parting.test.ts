import { expect, it } from 'vitest'
import {
  oldestUnits,
  type PartedWindow,
  partByChoice,
} from '../../../../src/main/llm/compaction/choice'
import { unitsOf } from '../../../../src/main/llm/compaction/units'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { jsonLine } from '../../../support/entries'

/** Entries of a window, each a word: `q` and `a` are said, `c1` and `r1` a call and its result, `n` nobody's; `:x` is the id. */
function windowOf(words: string): readonly Entry[] {
  return words.split(' ').map((word, at) => {
    const [kind = '', id = `id-${at}`] = word.split(':')
    const call = kind.length > 1 ? { tool_call_id: kind.slice(1) } : {}
    const fields = {
      q: { role: 'user', from: 'mira', to: 'garden', entry_type: 'message' },
      a: { role: 'agent', from: 'garden', to: 'mira', entry_type: 'message' },
      c: { from: 'garden', to: 'dig', entry_type: 'tool_call', content: '{}' },
      r: { from: 'dig', to: 'garden', entry_type: 'tool_result' },
      n: { from: 'system', to: 'garden', entry_type: 'run_error' },
    }[kind[0] ?? '']
    const line = jsonLine({ content: `${kind} ${at}`, ...fields, ...call, id: EntryId.parse(id) })
    return { ...JSON.parse(line), file: 'active.jsonl', offset: at } as Entry
  })
}

const idsOf = (units: PartedWindow['kept']) =>
  units.map(({ entries }) => entries.map(({ id }) => id.replace('id-', '')).join('+')).join(' ')
const partsOf = (words: string, ...chosen: readonly number[]) =>
  partByChoice(unitsOf(windowOf(words)), new Set(chosen), { tokens: undefined })

it.each<[string, string]>([
  ['q a q a', '0 1 2 3'],
  ['q a c1 c2 r1 r2 a', '0 1+2+3+4+5 6'],
  ['q c1 q r1 a', '0 1+2+3 4'],
  ['q c1 a c2 a r2 r1 q', '0 1+2+3+4+5+6 7'],
  ['r1 r2 q r3 n', '0 1 2 3+4'],
  ['q c1 r9 r q', '0 1+2+3 4'],
  ['q c1 q r a', '0 1+2+3 4'],
  ['c1 r1 q c1 r1 a', '0+1 2 3+4 5'],
  ['q n a n', '0+1 2+3'],
])('cuts %s into %s', (words, units) => {
  expect(idsOf(unitsOf(windowOf(words)))).toBe(units)
})

it.each<[string, string]>([
  ['results without calls', 'r{n}'],
  ['calls before all their results', 'c{n}|r{n}'],
])('looks at each entry a few times, also with %s', (_, shape) => {
  const count = 3000
  const words = shape
    .split('|')
    .flatMap((one) => Array.from({ length: count }, (_, n) => one.replace('{n}', String(n))))
  let looks = 0
  const window = windowOf(words.join(' ')).map((entry) => {
    const { entry_type: type } = entry
    return Object.defineProperty({ ...entry }, 'entry_type', {
      get: () => {
        looks += 1
        return type
      },
    })
  })
  unitsOf(window)
  expect(looks).toBeLessThan(window.length * 30)
})

it('begins what stays with a question, whatever the model chose', () => {
  expect(idsOf(partsOf('q a q a q a q', 0, 1, 2).kept)).toBe('4 5 6')
  expect(idsOf(partsOf('q a q a q', 0).kept)).toBe('2 3 4')
  // In the middle it is the model's business.
  expect(idsOf(partsOf('q a q a q', 1).kept)).toBe('0 2 3 4')
  // Where nobody asks there is no question to begin with.
  expect(idsOf(partsOf('a a a', 0).kept)).toBe('1 2')
})

it('begins with a question also where more had to go than was chosen', () => {
  const units = unitsOf(windowOf('q a q a q a q'))
  const each = units[0]?.tokens ?? 0
  const { kept } = partByChoice(units, new Set([1]), { tokens: each * 4.5 })
  expect(idsOf(kept)).toBe('4 5 6')
})

it('never parts entries of one id', () => {
  const goes = partsOf('q:one a q:two a q:one a q', 0)
  expect(idsOf(goes.dropped)).toBe('one 1 one')
  expect(idsOf(goes.kept)).toBe('two 3 5 6')
  // What stays in any case has the other stay.
  expect(idsOf(partsOf('q:one a q a q:one', 0, 1, 2, 3).kept)).toBe('one one')
  // By way of another one, too.
  const chain = partsOf('q:x c1:x r1:y q a q:y a q', 4)
  expect(idsOf(chain.dropped)).toBe('x x+y y')
  const units = unitsOf(windowOf('q:one a q a q:one a q a'))
  expect(
    idsOf(
      partByChoice(units, oldestUnits(units, { messages: 2, tokens: 0 }), { tokens: 1e6 }).kept,
    ),
  ).toBe('2 3 5 6 7')
})

it('never parts entries of one id where the oldest have to go', () => {
  const units = unitsOf(windowOf('q:one a q a q:one a q'))
  const { kept } = partByChoice(units, new Set([3]), { tokens: (units[0]?.tokens ?? 0) * 4.5 })
  expect(idsOf(kept)).toBe('2 5 6')
})

it('parts a window of ten thousand entries with one id at once', () => {
  const units = unitsOf(windowOf(`${'q:one a:one '.repeat(5000)}q`))
  expect(partByChoice(units, new Set([7]), { tokens: 10 }).kept).toHaveLength(1)
})
