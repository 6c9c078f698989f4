import { describe, expect, it } from 'vitest'
import { attachedFilesOf } from '../../../../src/renderer/transcript/entries/attachments'
import {
  personName,
  personNames,
  personOf,
} from '../../../../src/renderer/transcript/entries/people'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { type RowDraft, rowsOf } from '../../harness/rows'

function entryOf(metadata: Readonly<Record<string, unknown>>): Entry {
  const [row] = rowsOf([{ metadata }])
  if (row?.type !== 'entry') throw new Error('not an entry')
  return row.entry
}

describe('somebody in a room', () => {
  it('has a name without the ending, an initial, and one colour everywhere', () => {
    expect(personOf('bob the builder@muc')).toMatchObject({
      name: 'bob the builder',
      full: 'bob the builder@muc',
      initial: 'B',
    })
    expect(personOf('alice@muc')?.lane).toBe(personOf('alice@muc')?.lane)
    const lanes = new Set(
      Array.from({ length: 60 }, (_, at) => personOf(`nick${at}@muc`)?.lane ?? 0),
    )
    expect([...lanes].sort()).toEqual([2, 3, 4, 5, 6])
  })

  it.each([
    ['élan@muc', 'É'],
    ['ßeta@muc', 'S'],
    ['☂ 雨@muc', '雨'],
    ['𝒶@muc', '𝒶'],
    ['☂@muc', '•'],
  ])('has an initial of any script: %s', (from, initial) => {
    expect(personOf(from)?.initial).toBe(initial)
  })

  it('is nobody with an address of their own, and nobody without a name', () => {
    expect(['alice@example.org', 'user', '@muc', 'fluux'].map(personOf)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    )
    expect(personName('alice@example.org')).toBe('alice@example.org')
  })

  it('cannot turn the text around them, or flood it', () => {
    expect(personName('a\u202Eb@muc')).toBe('a⟨U+202E⟩b')
    expect(personName(`${'x'.repeat(9000)}@muc`)).toBe(`${'x'.repeat(120)}…`)
  })

  it('is told among others in words', () => {
    const people = ['a@muc', 'b@muc', 'c@muc', 'd@muc']
    expect(personNames(people.slice(0, 1))).toBe('a')
    expect(personNames(people.slice(0, 2))).toBe('a and b')
    expect(personNames(people)).toBe('a, b, c and d')
    expect(personNames(people, 3)).toBe('a, b and 2 more')
  })

  it('is named once for what they say in a row within five minutes', () => {
    const says = (from: string, timestamp: number): RowDraft => ({
      from,
      role: 'user',
      to: 'fluux',
      content: 'x',
      timestamp,
    })
    const at = 1_764_000_000
    const items = buildItems(
      rowsOf([
        says('a@muc', at),
        says('a@muc', at + 10),
        says('b@muc', at + 20),
        says('a@muc', at + 30),
        says('a@muc', at + 331),
        says('a@example.org', at + 332),
        says('a@example.org', at + 333),
      ]),
      { hasBefore: false, shownAs: new Map() },
    )
    expect(items.flatMap((item) => (item.type === 'user' ? [item.isHead] : []))).toEqual([
      true,
      false,
      true,
      true,
      true,
      true,
      true,
    ])
  })
})

describe('files of a message', () => {
  it('have name, type and size in the words of the source, and what it does not know is left out', () => {
    const attachments = [
      { filename: 'rapport été.pdf', mime_type: 'application/pdf', size: '1.2MB' },
      { filename: 'plan.pdf', mime_type: 'unknown', size: 'unknown' },
      { filename: 'unknown', mime_type: 'unknown', size: 'download failed' },
    ]
    expect(attachedFilesOf(entryOf({ attachments }))).toEqual([
      { name: 'rapport été.pdf', type: 'application/pdf', size: '1.2MB', isFailed: false },
      { name: 'plan.pdf', type: undefined, size: undefined, isFailed: false },
      { name: undefined, type: undefined, size: undefined, isFailed: true },
    ])
  })

  it('are none where they have another shape, and are shown as text alone', () => {
    expect(attachedFilesOf(entryOf({ attachments: 'x' }))).toEqual([])
    expect(attachedFilesOf(entryOf({ attachments: [null, 7, { filename: 7 }] }))).toEqual([])
    expect(
      attachedFilesOf(entryOf({ attachments: [{ filename: 'fdp\u202Eexe', size: 9 }] })),
    ).toEqual([{ name: 'fdp⟨U+202E⟩exe', type: undefined, size: undefined, isFailed: false }])
  })
})
