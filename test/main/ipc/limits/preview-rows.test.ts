import { describe, expect, it } from 'vitest'
import { partOf, previewRows, rowOfHit } from '../../../../src/main/ipc/limits/preview-rows'
import { isWellFormed } from '../../../../src/shared/model/basics/well-formed'
import { type Entry, EntryId, shownText } from '../../../../src/shared/model/conversation/entry'
import type { TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { message } from '../../../support/entries'

const entryOf = (content: string, fields: Partial<Entry> = {}): TranscriptRow => ({
  type: 'entry',
  entry: { ...message(content), file: 'a', offset: 0, length: 1, ...fields },
})
const contentOf = (row: TranscriptRow | undefined) =>
  row?.type === 'entry' ? row.entry.content : undefined
const lines = (count: number, special: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, n) => special[n + 1] ?? `line ${n + 1}`).join('\n')

describe('the rows of a preview', () => {
  it('have a result of five megabytes around its match, with the numbers of the lines', () => {
    const text = lines(450_000, { 300001: 'the Chrysanthemen are here' })
    expect(text.length).toBeGreaterThan(5 * 1000 * 1000)
    const snippet = 'line 300000\nthe Chrysanthemen are here\nline 300002'
    const { rows, parts, hasMatch } = previewRows([entryOf('before'), entryOf(text)], 1, {
      snippet,
      ranges: [[16, 29]],
    })
    expect(contentOf(rows[0])).toBe('before')
    expect(parts[0]).toBeNull()
    expect(hasMatch).toBe(true)
    const shown = contentOf(rows[1]) ?? ''
    expect(shown).toContain('the Chrysanthemen are here')
    expect(shown.length).toBeLessThan(6000)
    expect(parts[1]).toEqual({
      firstLine: 300_001 - 8,
      lastLine: 300_001 + 24,
      lines: 450_000,
      characters: text.length,
    })
    expect(shown.split('\n')[0]).toBe(`line ${300_001 - 8}`)
  })

  it('have a text in its place whole where it is short, and neighbours by their beginnings', () => {
    const { rows, parts } = previewRows([entryOf(lines(300)), entryOf(lines(20))], 1, {
      snippet: 'line 3',
      ranges: [[0, 6]],
    })
    expect(parts).toEqual([
      { firstLine: 1, lastLine: 13, lines: 300, characters: lines(300).length },
      null,
    ])
    expect(contentOf(rows[1])).toBe(lines(20))
  })

  it('find the match in arguments, whose text is written otherwise in their JSON', () => {
    const json = JSON.stringify({ other: 'x'.repeat(9000), command: 'say "tulips"\nloudly' })
    const { rows, hasMatch } = previewRows([entryOf(json)], 0, {
      snippet: 'say "tulips"\nloudly',
      ranges: [[5, 11]],
    })
    expect(hasMatch).toBe(true)
    expect(contentOf(rows[0])).toContain('tulips')
    expect(contentOf(rows[0])?.length).toBeLessThan(6000)
  })

  it('say where the match is not in what the entry has, as in a saved output', () => {
    const { hasMatch } = previewRows([entryOf('a beginning')], 0, {
      snippet: 'far behind',
      ranges: [[0, 3]],
    })
    expect(hasMatch).toBe(false)
  })

  it('find the match in the bytes of a damaged line, as far as they are shown, with escapes undone', () => {
    const damaged = (text: string): TranscriptRow => ({
      type: 'damaged',
      damaged: {
        file: 'a',
        offset: 0,
        length: text.length,
        reason: 'text ends inside a string',
        bytes: Buffer.from(text).toString('base64'),
      },
    })
    const sought = { snippet: 'a caf\u00e9\nand "tulips', ranges: [[12, 18] as [number, number]] }
    const line = '{"content":"a caf\\u00e9\\nand \\"tulips'
    expect(previewRows([damaged(line)], 0, sought).hasMatch).toBe(true)
    const accent = { ...sought, ranges: [[2, 6] as [number, number]] }
    expect(previewRows([damaged(line)], 0, accent).hasMatch).toBe(true)
    expect(previewRows([damaged(line.slice(0, 20))], 0, sought).hasMatch).toBe(false)
    // A neighbour is not the hit.
    expect(previewRows([damaged(line), entryOf('x')], 1, sought).hasMatch).toBe(false)
  })

  it('have no match elsewhere where the query asks for no words', () => {
    const { hasMatch } = previewRows([entryOf('{"command":"say \\"hi\\""}')], 0, {
      snippet: 'say "hi"',
      ranges: [],
    })
    expect(hasMatch).toBe(true)
  })

  it('have what a model says by a call as words', () => {
    const words = lines(500, { 400: 'tulips' })
    const fields = { entry_type: 'flow_control_call', to: 'call_user' }
    const { rows } = previewRows([entryOf(JSON.stringify({ message: words }), fields)], 0, {
      snippet: 'tulips',
      ranges: [[0, 6]],
    })
    const row = rows[0]
    if (row?.type !== 'entry') throw new Error('no entry')
    expect(row.entry.content.startsWith('{')).toBe(true)
    expect(shownText(row.entry)).toContain('tulips')
  })

  it('never cut a character in two, wherever the match is in a text of one line', () => {
    const text = '😀'.repeat(5000)
    for (let place = 0; place < 9000; place += 501) {
      const { text: shown, part } = partOf(text, place)
      expect(isWellFormed(shown)).toBe(true)
      expect(part?.lines).toBe(1)
    }
  })

  it('count the lines of every part as a plain split does', () => {
    const texts = [lines(100), `${lines(100)}\n`, `\n\n${lines(60)}\n\n`, '\n'.repeat(90)]
    for (const text of texts)
      for (let place = 0; place <= text.length; place += 7) {
        const { text: shown, part } = partOf(text, place)
        if (part === null) continue
        const all = text.replace(/\n$/, '').split('\n')
        expect(part.lines).toBe(all.length)
        const expected = all.slice(part.firstLine - 1, part.lastLine)
        expect(shown.replace(/\n$/, '').split('\n')).toEqual(expected)
      }
  })
})

it('finds the row of a hit by its entry, else by its line, else by the id alone after a rotation', () => {
  const id = (text: string) => EntryId.parse(text)
  const rows = [
    entryOf('one', { offset: 5, id: id('call') }),
    entryOf('two', { offset: 5, id: id('result') }),
  ]
  expect(rowOfHit(rows, { file: 'a', offset: 5, entry: 'result' })).toBe(1)
  expect(rowOfHit(rows, { file: 'a', offset: 5, entry: 'other' })).toBe(0)
  expect(rowOfHit(rows, { file: 'b', offset: 9, entry: 'result' })).toBe(1)
  expect(rowOfHit(rows, { file: 'b', offset: 9, entry: 'none' })).toBeNull()
})
