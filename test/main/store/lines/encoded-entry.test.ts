import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sliceBytes } from '../../../../src/main/disk/pacing/slices'
import { encodeForAppend } from '../../../../src/main/store/lines/encoded-entry'
import {
  decodeLine,
  encodeEntry,
  encodeEntryAsync,
} from '../../../../src/main/store/lines/entry-line'
import type { EntryDraft } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'

/** Encodes in turn, and tells what was gone through between two turns of others. */
async function encoded(draft: EntryDraft) {
  const told: number[] = []
  const line = await encodeEntryAsync(draft, 5, async (bytes) => void told.push(bytes))
  return { line: Buffer.from(line), told }
}

const entry = (fields: Partial<EntryDraft>) => message('', fields)
const long = (text: string) => text.repeat(Math.ceil(300_000 / text.length))

/** Metadata of so many levels. */
function nested(levels: number): unknown {
  let value: unknown = ['end']
  for (let n = 0; n < levels; n++) value = n % 2 ? [value] : { a: value }
  return value
}

describe('a long entry', () => {
  it('is encoded as a short one is, in slices between which others have their turn', async () => {
    const drafts = [
      entry({ content: long('wörd "quoted"\n\t\u2028') }),
      entry({ content: long('a😀'), timestamp: null }),
      entry({ content: `${long('\ud800 half')}\udc00` }),
      entry({ metadata: { texts: Array.from({ length: 3000 }, (_, n) => `${n} `.repeat(200)) } }),
      entry({
        metadata: { 'k\ud800': long('x'), deep: nested(2000), __proto: { a: undefined } },
      }),
    ]
    for (const draft of drafts) {
      const { line, told } = await encoded(draft)
      expect(line.equals(encodeEntry(draft, 5))).toBe(true)
      expect(told.length).toBeGreaterThan(1)
      expect(Math.max(...told)).toBeLessThan(2 * sliceBytes)
    }
  })

  it('is encoded as JSON.stringify does it, whatever stands around a cut', async () => {
    const pieces = fc.array(
      fc.constantFrom('😀', '\ud83d', '\ude00', '"', '\\', 'ü', '\u0000', 'x'),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    await fc.assert(
      fc.asyncProperty(pieces, async (some) => {
        const draft = entry({ content: long(some.join('')) })
        expect((await encoded(draft)).line.equals(encodeEntry(draft, 5))).toBe(true)
      }),
      { numRuns: 8 },
    )
  })

  it('is told as its readers have it', async () => {
    for (const content of ['short', long('wörds ')]) {
      const { line, asWritten } = await encodeForAppend(entry({ content, timestamp: 7.9 }), 5)
      const read = decodeLine({ bytes: line, offset: 0, length: line.length, ended: true })
      expect(read).toEqual({ type: 'entry', draft: asWritten() })
    }
  })

  it('is refused where no reader would take it again', async () => {
    await expect(encodeForAppend(entry({ content: long('x') }), 5, 250_000)).rejects.toThrow(
      'The message entry was not saved: with 1 MB it is longer than the 1 MB that can be read again.',
    )
    const metadata = { many: Array.from({ length: 600_000 }, () => 0) }
    await expect(encodeForAppend(entry({ metadata }), 5)).rejects.toThrow(
      'The message entry was not saved: its metadata has more values than can be read again.',
    )
  })
})
