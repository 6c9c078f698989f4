import { describe, expect, it } from 'vitest'
import {
  emojiText,
  summaryOfReactions,
} from '../../../../src/renderer/transcript/entries/reactions'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import {
  copyTextOf,
  type Item,
  sourceLinesOf,
} from '../../../../src/renderer/transcript/items/items'
import { type RowDraft, rowsOf } from '../../harness/rows'

const shownAs = new Map<string, string>()

/** What a person says in a room. */
const says = (content: string, id: string, from = 'alice@muc'): RowDraft => ({
  from,
  to: 'fluux',
  role: 'user',
  content,
  metadata: { msg_id: id },
})
const answers = (content: string, id: string): RowDraft => ({
  from: 'fluux',
  to: 'user',
  role: 'agent',
  content,
  metadata: { msg_id: id },
})
const reacts = (id: string, emojis: readonly string[], from = 'alice@muc'): RowDraft => ({
  from,
  to: 'fluux',
  role: 'user',
  content: '',
  metadata: { reaction: { message_id: id, emojis } },
})

function itemsOf(
  drafts: readonly RowDraft[],
  options: { readonly hasBefore?: boolean; readonly pageStarts?: readonly number[] } = {},
): Item[] {
  return buildItems(rowsOf(drafts), { hasBefore: false, shownAs, ...options })
}

/** Items in short: messages with the lines of their reactions, reactions with whether their message is here. */
function short(items: readonly Item[]): string[] {
  return items.flatMap((item) => {
    if (item.type === 'day') return []
    if (item.type === 'user' || item.type === 'agent')
      return [`${item.text}${(item.reactions ?? []).map(({ line }) => ` <${line}`).join('')}`]
    if (item.type === 'reaction')
      return [`reaction ${item.entry.line} ${item.isTargetHere ? 'here' : 'nowhere'}`]
    return [item.type]
  })
}

describe('a reaction', () => {
  it('sits on its message, and the answer to it stays a message', () => {
    const items = itemsOf([
      says('Look', 'm1'),
      answers('Nice', 'o1'),
      reacts('m1', ['👍']),
      answers('Glad you like it', 'o2'),
      reacts('o1', ['🎉'], 'bob@muc'),
    ])
    expect(short(items)).toEqual(['Look <3', 'Nice <5', 'Glad you like it'])
    expect(sourceLinesOf(items[1] as Item).map(({ line }) => line)).toEqual([1, 3])
    expect(copyTextOf(items[1] as Item)).toBe('Look')
    // It has a head of its own: somebody did something in between.
    expect(items.flatMap((item) => (item.type === 'agent' ? [item.isHead] : []))).toEqual([
      true,
      true,
    ])
  })

  it('means the last message of that id before it, else the first one after it', () => {
    const items = itemsOf([
      reacts('late', ['⏳']),
      says('one', 'm'),
      says('two', 'm'),
      reacts('m', ['👍']),
      says('three', 'm'),
      says('four', 'late'),
    ])
    expect(short(items)).toEqual(['one', 'two <4', 'three', 'four <1'])
  })

  it('is a row of its own where its message is not here, and is never a target itself', () => {
    const [first, second] = [reacts('gone', ['👍']), reacts('m9', ['👎'])]
    const items = itemsOf([
      { ...first, metadata: { ...(first as { metadata: object }).metadata, msg_id: 'm9' } },
      second,
    ])
    expect(short(items)).toEqual(['reaction 1 nowhere', 'reaction 2 nowhere'])
    expect(items.map(copyTextOf)).toEqual(['', '👍', '👎'])
  })

  it.each([
    [{ message_id: 'm1' }],
    [{ message_id: 7, emojis: [] }],
    [{ message_id: 'm1', emojis: ['👍', 7] }],
    ['👍'],
  ])('of another shape stays what it says: %j', (reaction) => {
    const items = itemsOf([
      says('Look', 'm1'),
      { from: 'a@muc', to: 'fluux', role: 'user', content: 'odd', metadata: { reaction } },
    ])
    expect(short(items)).toEqual(['Look', 'odd'])
  })

  it('to a message of a page before keeps its row, and sits on the message as well', () => {
    const drafts = [says('Look', 'm1'), answers('Yes', 'o1'), says('more', 'm2')]
    const all = [...drafts, reacts('m1', ['👍']), answers('Thanks', 'o2')]
    expect(short(itemsOf(all, { pageStarts: [0, 2] }))).toEqual([
      'Look <4',
      'Yes',
      'more',
      'reaction 4 here',
      'Thanks',
    ])
  })

  it('to a message of a page after has its row alone', () => {
    const all = [reacts('m2', ['👍']), says('one', 'm1'), says('two', 'm2')]
    expect(short(itemsOf(all, { pageStarts: [0, 2] }))).toEqual(['reaction 1 here', 'one', 'two'])
  })
})

it('changes nothing of a page when the page before it arrives, wherever that ends', () => {
  const drafts = [
    says('one', 'm1'),
    reacts('m1', ['👍']),
    reacts('o1', ['🥳'], 'bob@muc'),
    answers('two', 'o1'),
    says('three', 'm1', 'bob@muc'),
    reacts('m1', [], 'alice@muc'),
    says('four', 'm2', 'bob@muc'),
    reacts('m1', ['❤️'], 'carol@muc'),
    answers('five', 'o2'),
    reacts('o2', ['👀'], 'carol@muc'),
    answers('six', 'o3'),
  ]
  const rows = rowsOf(drafts)
  /** Whether its message is here may be told later: it changes words, and no height. */
  const laid = (items: readonly Item[]) =>
    items.map((item) => (item.type === 'reaction' ? { ...item, isTargetHere: false } : item))
  for (let cut = 1; cut < rows.length; cut++) {
    const whole = laid(
      buildItems(rows, { hasBefore: false, shownAs, pageStarts: cut === 0 ? [0] : [0, cut] }),
    )
    const items = laid(buildItems(rows.slice(cut), { hasBefore: true, shownAs, pageStarts: [0] }))
    expect(whole.slice(whole.length - items.length), `cut before row ${cut}`).toEqual(items)
  }
})

describe('what stands under a message', () => {
  const summary = (...drafts: readonly RowDraft[]) =>
    summaryOfReactions(rowsOf(drafts).flatMap((row) => (row.type === 'entry' ? [row.entry] : [])))

  it('counts who gave what, in the order in which it came', () => {
    expect(
      summary(
        reacts('m', ['👍', '🌹']),
        reacts('m', ['🌹'], 'bob@muc'),
        reacts('m', ['🎉'], 'carol@muc'),
      ),
    ).toEqual({
      chips: [
        { emoji: '👍', from: ['alice@muc'] },
        { emoji: '🌹', from: ['alice@muc', 'bob@muc'] },
        { emoji: '🎉', from: ['carol@muc'] },
      ],
      more: 0,
      removed: [],
    })
  })

  it('takes back what a sender took back, and remembers it', () => {
    const { chips, removed } = summary(
      reacts('m', ['👍']),
      reacts('m', ['👍'], 'bob@muc'),
      reacts('m', []),
    )
    expect(chips).toEqual([{ emoji: '👍', from: ['bob@muc'] }])
    expect(removed.map(({ from, emojis }) => [from, emojis])).toEqual([['alice@muc', ['👍']]])
  })

  it("replaces a sender's reaction by the next one of theirs", () => {
    const { chips, removed } = summary(reacts('m', ['👍', '🌹']), reacts('m', ['🌹', '🎉']))
    expect(chips.map(({ emoji }) => emoji)).toEqual(['🌹', '🎉'])
    expect(removed.map(({ emojis }) => emojis)).toEqual([['👍']])
  })

  it('tells of a removal of something that is not here', () => {
    expect(summary(reacts('m', [], 'carol@muc')).removed).toMatchObject([
      { from: 'carol@muc', emojis: [] },
    ])
  })

  it('bounds a flood and counts the rest', () => {
    const flood = Array.from({ length: 4000 }, (_, at) => `e${at}`)
    const { chips, more } = summary(reacts('m', flood), reacts('m', ['last'], 'bob@muc'))
    expect(chips).toHaveLength(24)
    expect(more).toBe(25)
  })
})

it.each([
  ['👍', '👍'],
  ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
  ['❤️', '❤️'],
  ['  ok ', 'ok'],
  ['\u202Egpj', '⟨U+202E⟩gpj'],
  ['\u200B', 'U+200B'],
  ['', 'nothing'],
  ['a\nb', 'a…'],
  ['x'.repeat(5000), `${'x'.repeat(28)}…`],
  [`${'x'.repeat(27)}😀`, `${'x'.repeat(27)}…`],
])('shows an emoji as it can be shown: %j', (text, shown) => {
  expect(emojiText(text)).toBe(shown)
})

it('lets 500 sit on one message, and gives the others rows, however many there are', () => {
  const rows = rowsOf([
    ...Array.from({ length: 5000 }, (_, at) => says(`${at}`, 'same')),
    ...Array.from({ length: 20_000 }, () => reacts('same', ['👍'])),
  ])
  const items = buildItems(rows, { hasBefore: false, shownAs })
  expect(items.filter(({ type }) => type === 'reaction')).toHaveLength(19_500)
})
