import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shortLineBytes } from '../../../../src/main/disk/json/json-line'
import { lineNames } from '../../../../src/main/disk/json/line-names'

const names = ['session_info', 'custom-title', 'summary']

/** A JSON text of a value in which some characters of strings are written as escapes. */
const spelled = fc
  .tuple(
    fc.object({
      key: fc.oneof(fc.constantFrom(...names), fc.string()),
      values: [fc.constantFrom(...names), fc.string(), fc.constant('\u001b[1m')],
    }),
    fc.infiniteStream(fc.nat(3)),
  )
  .map(([value, picks]) =>
    JSON.stringify(value).replace(/[A-Za-z_-]/g, (letter) => {
      const pick = picks.next().value
      return pick === 0 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter
    }),
  )

function holds(value: unknown): boolean {
  if (typeof value === 'string') return names.includes(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, one]) => names.includes(key) || holds(one))
}

it('passes no line by that has one of the names, however it is written', () => {
  const mayHold = lineNames(names)
  fc.assert(
    fc.property(spelled, (text) => {
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        return // An escape in `true` or behind a backslash is no JSON.
      }
      if (holds(value)) expect(mayHold(Buffer.from(text))).toBe(true)
    }),
  )
})

it('passes a line by that has none, though it has control characters or the name inside of a text', () => {
  const mayHold = lineNames(names)
  const line = JSON.stringify({ type: 'message', text: 'the summary \u001b[0m session_info' })
  expect(mayHold(Buffer.from(line))).toBe(false)
  expect(lineNames([])(Buffer.from(line))).toBe(false)
})

it('looks at no line that is longer than those that are parsed at once', () => {
  const mayHold = lineNames(names)
  const lineOf = (bytes: number) => Buffer.from(`"${'x'.repeat(bytes - 2)}"`)
  expect(mayHold(lineOf(shortLineBytes))).toBe(false)
  expect(mayHold(lineOf(shortLineBytes + 1))).toBe(true)
})
