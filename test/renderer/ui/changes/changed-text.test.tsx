import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ChangedText } from '../../../../src/renderer/ui/changes/ChangedText'
import { compareTexts } from '../../../../src/shared/model/comparison/text-diff'
import { pairsOfTexts, wordsInCommon, wordsOf } from '../../../support/words-in-common'

const unhurried = Number.POSITIVE_INFINITY
const pairs = pairsOfTexts([
  'bean',
  'beans',
  'pea',
  'in',
  ' ',
  ' ',
  ' ',
  '  ',
  '\n',
  ', ',
  '.',
  '<b>',
  '&amp;',
  '"',
  '茶園',
])

const signs: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
}

/** What the drawn text has on each side, and the words that it marks there. */
function takenApart(before: string, after: string, only?: 'removed' | 'added') {
  const change = compareTexts(before, after, unhurried)
  const html = renderToStaticMarkup(
    <ChangedText change={change} joins={only !== undefined} only={only} />,
  )
  const inner = html.replace(/^<div[^>]*>|<\/div>$/g, '')
  const parts = [...inner.matchAll(/<(ins|del|span)>([^<]*)<\/\1>/g)].map(([, tag, text = '']) => ({
    tag,
    text: text.replace(/&([^;]+);/g, (whole, name) => signs[name] ?? whole),
  }))
  // Nothing is drawn but these.
  expect(inner.replace(/<(ins|del|span)>[^<]*<\/\1>/g, '')).toBe('')
  const textOf = (left: string) => parts.map(({ tag, text }) => (tag === left ? '' : text)).join('')
  const marked = (tag: string) =>
    parts.flatMap((part) => (part.tag === tag ? wordsOf(part.text) : []))
  return {
    before: textOf('ins'),
    after: textOf('del'),
    removed: marked('del'),
    added: marked('ins'),
  }
}

it('marks as few words as an independent comparison, and gives both texts back, on 1,000 random pairs', () => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      const drawn = takenApart(before, after)
      expect([drawn.before, drawn.after]).toEqual([before, after])
      const common = wordsInCommon(before, after)
      expect(drawn.removed).toHaveLength(wordsOf(before).length - common)
      expect(drawn.added).toHaveLength(wordsOf(after).length - common)
    }),
    { numRuns: 1_000 },
  )
})

it('shows each side as its own text, where both stand side by side', () => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      expect(takenApart(before, after, 'removed').before).toBe(before)
      expect(takenApart(before, after, 'added').after).toBe(after)
    }),
  )
})
