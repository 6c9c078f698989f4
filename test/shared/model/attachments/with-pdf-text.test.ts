import { expect, it } from 'vitest'
import { type PdfReading, pdfLimits } from '../../../../src/shared/model/attachments/pdf'
import { needsReading, withPdfText } from '../../../../src/shared/model/attachments/with-pdf-text'

const pdf = { name: 'x/b.pdf', bytes: Buffer.from('%PDF-1.7') }
const whole = { text: 'plum', pages: 3, empty: 0, unread: 0 }
const read = (reading: PdfReading) => withPdfText(pdf, async () => reading)

it('gives a PDF its text', async () => {
  expect(await read(whole)).toEqual({ file: { ...pdf, text: 'plum' } })
})

it.each([
  [1, 0, '"b.pdf" goes without one of its 3 pages, which has no text.'],
  [2, 0, '"b.pdf" goes without 2 of its 3 pages, which have no text.'],
  [1, 1, '"b.pdf" goes without 2 of its 3 pages, which have no text, or cannot be read.'],
])('says which pages go not: %i empty, %i unread', async (empty, unread, note) => {
  expect(await read({ ...whole, empty, unread })).toEqual({ file: { ...pdf, text: 'plum', note } })
})

it('says why it has no text', async () => {
  expect(await read({ fault: 'is protected by a password' })).toEqual({
    fault: '"b.pdf" is protected by a password.',
  })
})

it('reads no other file, nor one that is too large or read', () => {
  expect(needsReading(pdf)).toBe(true)
  const others = [
    { ...pdf, text: 'plum' },
    { ...pdf, bytes: Buffer.alloc(pdfLimits.bytes + 1, '%PDF-') },
    { ...pdf, bytes: Buffer.from('a') },
  ]
  expect(others.map(needsReading)).toEqual([false, false, false])
})
