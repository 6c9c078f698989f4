import { describe, expect, it } from 'vitest'
import { takePictures } from '../../../../src/shared/model/calls/pictures-in-text'
import { beginnings, onePoint } from '../../../support/images'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const point = base64(onePoint)
const address = `data:image/png;base64,${point}`
const note = `[picture 1: PNG, ${onePoint.length} bytes]`

describe('pictures in a text', () => {
  it.each([
    [address, note],
    [point, note],
    [`before ${address} after`, `before ${note} after`],
    [`![ ](${address})`, note],
    [`![a cat](${address})`, note.replace('PNG', 'a cat, PNG')],
    [`a\n![ ]( ${address} "title" ) b`, `a\n${note.replace('PNG', 'title, PNG')} b`],
    [`![a cat](${address} 'at noon')`, note.replace('PNG', 'a cat, at noon, PNG')],
    [`![a cat](${address} (at noon))`, note.replace('PNG', 'a cat, at noon, PNG')],
    [`${point}\nand more`, `${note}\nand more`],
    [`[a link](${address})`, `[a link](${note})`],
    [
      JSON.stringify([{ type: 'image', data: point, mimeType: 'image/png' }]),
      `[{"type":"image","data":"${note}","mimeType":"image/png"}]`,
    ],
    [
      JSON.stringify({ type: 'base64', media_type: 'image/png', data: point }).replaceAll(
        '/',
        '\\/',
      ),
      `{"type":"base64","media_type":"image\\/png","data":"${note}"}`,
    ],
    [JSON.stringify({ image_url: { url: address } }), `{"image_url":{"url":"${note}"}}`],
    [
      JSON.stringify({ image_url: { url: address } }).replaceAll('/', '\\/'),
      `{"image_url":{"url":"${note}"}}`,
    ],
  ])('are taken out of it, and nothing else: %#', (text, left) => {
    const taken = takePictures(text)
    expect(taken?.text).toBe(left)
    expect(taken?.pictures.map((picture) => picture.base64)).toEqual([point])
  })

  it('have the type that their bytes say, their size, and the name that Markdown gives them', () => {
    const texts = Object.values(beginnings).map((bytes) =>
      base64(Buffer.concat([bytes, Buffer.alloc(100)])),
    )
    const taken = takePictures(
      texts.map((text, at) => `![n${at || ''}](data:image/svg+xml;base64,${text})`).join(' and '),
    )
    expect(taken?.pictures.map(({ type, bytes, name }) => [type.ending, bytes, name])).toEqual([
      ['png', 116, 'n'],
      ['jpg', 114, 'n1'],
      ['gif', 110, 'n2'],
      ['webp', 116, 'n3'],
    ])
    expect(taken?.text).toBe(
      '[picture 1: n, PNG, 116 bytes] and [picture 2: n1, JPG, 114 bytes] and [picture 3: n2, GIF, 110 bytes] and [picture 4: n3, WEBP, 116 bytes]',
    )
  })

  it.each([
    'no picture',
    'iVBORw0KGgo is how a PNG begins',
    `x${point}`,
    `iVBORw0KGgo${'-'.repeat(200)}`,
    `UklGR${'A'.repeat(200)}`,
    `src/9j/${'a/'.repeat(200)}`,
    `data:image/svg+xml;base64,${base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'.repeat(9)))}`,
  ])('are not what only begins like one: %#', (text) => {
    expect(takePictures(text)).toBeUndefined()
  })

  it('are found where JSON escapes the slashes with which they begin', () => {
    const jpeg = base64(Buffer.concat([beginnings.jpg, Buffer.alloc(90, 0xff)]))
    const taken = takePictures(JSON.stringify({ data: jpeg }).replaceAll('/', '\\/'))
    expect(taken?.text).toMatch(/^{"data":"\[picture 1: JPG, \d+ bytes]"}$/)
    expect(taken?.pictures.map((picture) => picture.base64)).toEqual([jpeg])
  })

  it.each(['\n', '\r\n', '\\n', '\\r\\n'])('are not the first line of what %j wraps', (lineEnd) => {
    const large = base64(Buffer.concat([beginnings.png, Buffer.alloc(400, 7)]))
    for (const width of [80, 100, 128]) {
      const lines = large.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
      expect(takePictures(`"${lines.join(lineEnd)}"`)).toBeUndefined()
    }
  })

  it('are found in millions of characters', () => {
    const large = base64(Buffer.concat([beginnings.png, Buffer.alloc(6_000_000)]))
    const taken = takePictures(`![x](data:image/png;base64,${large}) ${'/9j/ '.repeat(100_000)}`)
    expect(taken?.pictures.map(({ bytes }) => bytes)).toEqual([6_000_016])
    expect(taken?.text.slice(0, 30)).toBe('[picture 1: x, PNG, 5.7 MB] /9')
  })
})
