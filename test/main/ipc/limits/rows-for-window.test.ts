import { describe, expect, it } from 'vitest'
import { rowsForWindow } from '../../../../src/main/ipc/limits/rows-for-window'
import { isWellFormed } from '../../../../src/shared/model/basics/well-formed'
import { type Entry, shownText, speakerOf } from '../../../../src/shared/model/conversation/entry'
import type { TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { message } from '../../../support/entries'

const entryOf = (content: string, fields: Partial<Entry> = {}): TranscriptRow => ({
  type: 'entry',
  entry: { ...message(content), file: 'a', offset: 0, length: 1, ...fields },
})
const lengthOf = (rows: readonly TranscriptRow[]) => JSON.stringify(rows).length
const mebibyte = 2 ** 20

describe('the rows that the window gets', () => {
  it('are as they were read, where a screen shows them', () => {
    const damaged = { file: 'a', offset: 9, length: 3, reason: 'not JSON', bytes: 'e30=' }
    const rows: TranscriptRow[] = [
      entryOf('words', { metadata: { usage: { a: [1, 2] } } }),
      { type: 'damaged', damaged },
      entryOf('x'.repeat(mebibyte - 1000)),
    ]
    expect(rowsForWindow(rows)).toEqual(rows)
  })

  it('have the beginning of a text that is far longer, and say how long it is', () => {
    const content = `${'😀'.repeat(4 * mebibyte)}`
    const [row] = rowsForWindow([entryOf(content, { metadata: { model: 'm' } })])
    if (row?.type !== 'entry') throw new Error('no entry')
    expect(row.entry.wholeLength).toBe(content.length)
    expect(row.entry.metadata).toEqual({ model: 'm' })
    expect(row.entry.content.length).toBeGreaterThan(100_000)
    expect(isWellFormed(row.entry.content)).toBe(true)
    expect(content.startsWith(row.entry.content)).toBe(true)
    expect(lengthOf([row])).toBeLessThan(2 * mebibyte)
  })

  it('have the beginning of what a model says by a call as words, not as half of its JSON', () => {
    const words = 'Tulips. '.repeat(mebibyte)
    const fields = { entry_type: 'flow_control_call', to: 'call_user' }
    const [row] = rowsForWindow([entryOf(JSON.stringify({ message: words }), fields)])
    if (row?.type !== 'entry') throw new Error('no entry')
    expect(speakerOf(row.entry)).toBe('agent')
    expect(shownText(row.entry).length).toBeGreaterThan(100_000)
    expect(words.startsWith(shownText(row.entry))).toBe(true)
    expect(row.entry.wholeLength).toBeGreaterThan(words.length)
    expect(lengthOf([row])).toBeLessThan(2 * mebibyte)
  })

  it('have the small fields of metadata that holds too much, whatever it is made of', () => {
    const large = {
      texts: ['x'.repeat(2 * mebibyte)],
      list: Array.from({ length: 400_000 }, () => 0),
      names: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`name ${n}`, 0])),
      many: Array.from({ length: 100_000 }, () => ({ a: [] })),
    }
    for (const [name, field] of Object.entries(large)) {
      const [row] = rowsForWindow([entryOf('words', { metadata: { [name]: field, model: 'm' } })])
      expect(row).toMatchObject({ entry: { content: 'words', wholeLength: 5 } })
      expect(row?.type === 'entry' && row.entry.metadata).toEqual({ model: 'm' })
    }
  })

  it('are no more than a page takes, however many they are', () => {
    const rows = Array.from({ length: 5000 }, () => entryOf('x'.repeat(20_000)))
    const shown = rowsForWindow(rows)
    expect(shown.length).toBe(rows.length)
    expect(lengthOf(shown)).toBeLessThan(24 * mebibyte)
  })

  it('have names of a length that can be handed on', () => {
    const long = 'x'.repeat(3 * mebibyte)
    const fields = { from: long, to: long, entry_type: long, tool_call_id: long }
    expect(lengthOf(rowsForWindow([entryOf('words', fields)]))).toBeLessThan(10_000)
  })
})
