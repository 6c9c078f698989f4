import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PdfProcess, startPdfProcess } from '../../../src/main/pdf/pdf-process'
import { openPdfTexts } from '../../../src/main/pdf/pdf-texts'
import type { ReadPdf } from '../../../src/shared/model/attachments/pdf'
import { bundle } from '../../support/bundles'
import { writtenPdf } from '../../support/pdf'

const characterMaps = path.join(import.meta.dirname, '../../../node_modules/pdfjs-dist/cmaps')
/** However busy the machine is. */
const unlimited = () => new AbortController().signal
let start: () => PdfProcess
let read: ReadPdf<AbortSignal>
beforeAll(async () => {
  const worker = await bundle('src/main/pdf/pdf.worker.ts')
  start = () => startPdfProcess(worker)
  read = openPdfTexts({ start, characterMaps, limit: unlimited })
})

describe('the text of a PDF', () => {
  it('is that of its page, line by line', async () => {
    const bytes = writtenPdf([['The plums are ripe.', 'Price (each): 3 \\ 4']])
    expect(await read(bytes)).toEqual({
      text: 'The plums are ripe.\nPrice (each): 3 \\ 4',
      pages: 1,
      empty: 0,
      unread: 0,
    })
  })

  it('has each of several pages behind its number, those without text too', async () => {
    const square = { content: '0 0 100 100 re f' }
    expect(await read(writtenPdf([['one'], square, ['three']]))).toEqual({
      text: '[Page 1]\none\n\n[Page 2, which has no text]\n\n[Page 3]\nthree',
      pages: 3,
      empty: 1,
      unread: 0,
    })
  })

  it('is read with the character maps that a PDF does not bring', async () => {
    const japanese = { content: 'BT /F2 12 Tf 72 720 Td <6885306E5B9F> Tj ET' }
    expect(await read(writtenPdf([japanese]))).toMatchObject({ text: '梅の実' })
  })

  it('is read from a damaged file, as far as it is there', async () => {
    const whole = writtenPdf([['one'], ['two']]).toString('latin1')
    const withoutTable = Buffer.from(whole.replace(/\d{10} 00000 n/g, 'xxxxxxxxxx xxxxx x'))
    expect(await read(withoutTable)).toMatchObject({ text: '[Page 1]\none\n\n[Page 2]\ntwo' })
    const withoutPage = Buffer.from(whole.replace('8 0 obj', '8 0 xxx'))
    expect(await read(withoutPage)).toEqual({
      text: '[Page 1]\none\n\n[Page 2, which cannot be read]',
      pages: 2,
      empty: 0,
      unread: 1,
    })
  })
})

describe('a PDF without text', () => {
  const square = { content: '0 0 100 100 re f' }
  it.each([
    ['pictures alone', writtenPdf([square, square]), 'has no text: its pages are pictures'],
    [
      'a password',
      writtenPdf(
        [['secret']],
        `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'61'.repeat(32)}> /U <${'62'.repeat(32)}> >> /ID [<61> <62>] `,
      ),
      'is protected by a password',
    ],
    [
      'nothing behind its mark',
      Buffer.from('%PDF-1.7\n'),
      'cannot be read: it is damaged, or no PDF',
    ],
    ['other bytes', Buffer.alloc(100_000, 'x'), 'cannot be read: it is damaged, or no PDF'],
    [
      'more text than a message takes',
      // In small print: pdf.js leaves out what is outside of the page.
      writtenPdf([
        {
          content: `BT /F1 0.02 Tf 0.02 TL 72 720 Td ${`(${'plum '.repeat(12)}) Tj T* `.repeat(25_000)} ET`,
        },
      ]),
      'has more text than a message takes',
    ],
  ])('says so: %s', async (_name, bytes, fault) => {
    expect(await read(bytes)).toEqual({ fault })
  })

  it('is given up where it takes too long, and the next is read', async () => {
    const limits = [AbortSignal.abort(), new AbortController().signal]
    const limit = () => limits.shift() ?? AbortSignal.abort()
    const limited = openPdfTexts({ start, characterMaps, limit })
    const both = ['first', 'second'].map((word) => limited(writtenPdf([[word]])))
    expect(await Promise.all(both)).toMatchObject([
      { fault: 'takes too long to be read' },
      { text: 'second' },
    ])
  })

  it('is stopped, before its turn and in it, and its process ends', async () => {
    const ended: string[] = []
    const stops = { now: new AbortController(), later: new AbortController() }
    const watched = openPdfTexts({
      characterMaps,
      limit: unlimited,
      start() {
        const one = start()
        one.onEnd(() => ended.push('ended'))
        stops.now.abort()
        stops.later.abort()
        return { ...one, ask: () => undefined }
      },
    })
    const stopped = { fault: 'is not read: it was stopped' }
    const bytes = writtenPdf([['plum']])
    const both = [watched(bytes, stops.now.signal), watched(bytes, stops.later.signal)]
    expect(await Promise.all(both)).toEqual([stopped, stopped])
    await expect.poll(() => ended).toEqual(['ended'])
  })

  it('is none where no process can be had, and the next is read', async () => {
    const starts = [
      () => {
        throw new Error('EAGAIN')
      },
      start,
    ]
    const poor = openPdfTexts({
      characterMaps,
      limit: unlimited,
      start: () => (starts.shift() ?? start)(),
    })
    expect(await poor(writtenPdf([['one']]))).toEqual({ fault: 'cannot be read now' })
    expect(await poor(writtenPdf([['two']]))).toMatchObject({ text: 'two' })
  })
})

describe('a PDF that unpacks to far more than it is', () => {
  const packed = (bytes: Buffer, times: number) => {
    let all = bytes
    for (let at = 0; at < times; at++) all = deflateSync(all, { level: 9 })
    return all
  }
  /** A page whose content is packed twice, and one of plain text behind it. */
  const bomb = (content: Buffer) => {
    const data = packed(content, 2)
    const plain = writtenPdf([{ content: '' }, ['behind it']]).toString('latin1')
    const stream = `<< /Length ${data.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`
    return Buffer.from(
      plain.replace('<< /Length 0 >>\nstream\n', `${stream}${data.toString('latin1')}`),
      'latin1',
    )
  }
  it('takes down nothing but its page', async () => {
    expect(await read(bomb(Buffer.alloc(70 * 1024 * 1024, ' ')))).toEqual({
      text: '[Page 1, which cannot be read]\n\n[Page 2]\nbehind it',
      pages: 2,
      empty: 0,
      unread: 1,
    })
  })

  it('ends its process alone where that cannot go on', async () => {
    const crashing = openPdfTexts({
      characterMaps,
      limit: unlimited,
      start() {
        const one = start()
        return { ...one, ask: () => one.kill() }
      },
    })
    expect(await crashing(writtenPdf([['plum']]))).toEqual({
      fault: 'cannot be read: it is damaged, or no PDF',
    })
  })
})

it('leaves out what no text has: controls, and halves of characters', async () => {
  const names = '/Differences [65 /uniDFFF /uniD800 /uni001B]'
  const bytes = writtenPdf([['ABC end']]).toString('latin1')
  const odd = bytes.replace('/Encoding /WinAnsiEncoding', `/Encoding << ${names} >>`)
  expect(await read(Buffer.from(odd, 'latin1'))).toMatchObject({ text: '\ufffd\ufffd end' })
})

it('runs nothing of a PDF, and gives its bytes back as they were', async () => {
  const bytes = writtenPdf([['plain']], '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> ')
  const before = Buffer.from(bytes)
  expect(await read(bytes)).toMatchObject({ text: 'plain' })
  expect(bytes.equals(before)).toBe(true)
})
