import { expect, it } from 'vitest'
import { jsonTextOf } from '../../../../src/renderer/ui/json/json-text'

const told = (text: string) => jsonTextOf({ type: 'scalar', raw: JSON.stringify(text) })

it.each(['C:\\new', 'x'.repeat(159), 'x'.repeat(160), '"'.repeat(160)])(
  'shows %j whole on its row, and nothing opens',
  (text) => expect(told(text)).toEqual({ text, start: text, isCut: false, opens: false }),
)

it('opens lines, which are on one row, and what is cut', () => {
  expect(told('a\nb')).toEqual({ text: 'a\nb', start: 'a⏎b', isCut: false, opens: true })
  const long = told('x'.repeat(161))
  expect([long?.start.length, long?.isCut, long?.opens]).toEqual([160, true, true])
})

it('tells nothing of numbers and words', () => {
  expect(jsonTextOf({ type: 'scalar', raw: '1.50' })).toBeUndefined()
  expect(jsonTextOf({ type: 'scalar', raw: 'null' })).toBeUndefined()
})
