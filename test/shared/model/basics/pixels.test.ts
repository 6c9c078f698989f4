import { expect, it } from 'vitest'
import { pixelSizeOf } from '../../../../src/shared/model/basics/pixels'
import { onePoint } from '../../../support/images'

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')

it('reads how many pixels an image of each type has from its beginning', () => {
  expect(pixelSizeOf(onePoint)).toEqual({ width: 1, height: 1 })
  expect(pixelSizeOf(Buffer.from('GIF89a\x20\x03\x58\x02', 'latin1'))).toEqual({
    width: 800,
    height: 600,
  })
  // A JPEG: a segment of an application, fill bytes, a table, then the frame.
  const jpeg = hex('ffd8 ffe00004aaaa ffff c40004bbbb ffc2 0011 08 0258 0320 03')
  expect(pixelSizeOf(jpeg)).toEqual({ width: 800, height: 600 })
  const webp = (form: string, rest: string) =>
    Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${form}\0\0\0\0`, 'latin1'), hex(rest)])
  expect(pixelSizeOf(webp('VP8X', '00000000 1f0300 570200'))).toEqual({ width: 800, height: 600 })
  expect(pixelSizeOf(webp('VP8 ', '000000 9d012a 2003 5802'))).toEqual({ width: 800, height: 600 })
  const lossless = Buffer.alloc(5)
  lossless.writeUInt8(0x2f)
  lossless.writeUInt32LE(799 | (599 << 14), 1)
  expect(pixelSizeOf(webp('VP8L', lossless.toString('hex')))).toEqual({ width: 800, height: 600 })
})

it('counts what the frames of a GIF take beyond its screen', () => {
  const screen = (flags: string) => `474946383961 0100 0100 ${flags} 00 00`
  const frame = (place: string) => `2c ${place} 00 02 02 4c01 00`
  const control = '21 f9 04 00 0000 00 00'
  const small = frame('0000 0000 0100 0100')
  const large = frame('0100 0000 ffff f0ff')
  const sizeOf = (...parts: readonly string[]) => pixelSizeOf(hex(`${parts.join(' ')} 3b`))
  expect(sizeOf(screen('00'), small)).toEqual({ width: 1, height: 1 })
  const beyond = { width: 65_536, height: 65_520 }
  expect(sizeOf(screen('00'), large)).toEqual(beyond)
  expect(sizeOf(screen('80'), '000000 ffffff', control, small, control, large)).toEqual(beyond)
  // It ends in the middle of its first frame.
  expect(pixelSizeOf(hex(`${screen('00')} 2c 0100 0000 ffff f0ff 00 02 05 4c`))).toEqual(beyond)
})

it('looks through as many parts as a large image has, and no further', () => {
  const screen = hex('474946383961 0100 0100 00 00 00')
  const large = hex('2c 0100 0000 ffff f0ff 00 02 00 3b')
  const gif = (blocks: number, length: number) => {
    const block = Buffer.alloc(length + 1)
    block.writeUInt8(length)
    const frame = hex('2c 0000 0000 0100 0100 00 02')
    return Buffer.concat([
      screen,
      frame,
      Buffer.alloc(blocks * block.length, block),
      hex('00'),
      large,
    ])
  }
  // The largest image that is read, in blocks as encoders write them.
  const whole = Math.floor((30 * 1024 * 1024) / 256)
  expect(pixelSizeOf(gif(whole, 255))).toEqual({ width: 65_536, height: 65_520 })
  expect(pixelSizeOf(gif(1_000_000, 1))).toBe('too-many-parts')
  const comments = Buffer.alloc(3_000_000, hex('21 fe 00'))
  expect(pixelSizeOf(Buffer.concat([screen, comments, large]))).toBe('too-many-parts')
  const frame = hex('ffc0 0011 08 0258 0320 03')
  const segments = Buffer.alloc(4_000_000, hex('ffe0 0002'))
  expect(pixelSizeOf(Buffer.concat([hex('ffd8'), segments, frame]))).toBe('too-many-parts')
})

it('passes over stray bytes between the segments of a JPEG, as what draws it does', () => {
  const frame = 'ffc0 0011 08 0258 0320 03'
  for (const stray of ['00', '0102 03', 'ff00', '00ff 00ff', 'ffe0 0000', 'ffe0 0001', 'ff01 00'])
    expect(pixelSizeOf(hex(`ffd8 ffe00004aaaa ${stray} ${frame}`))).toEqual({
      width: 800,
      height: 600,
    })
})

it('says nothing of what is cut or no image, wherever it ends', () => {
  const whole = hex('ffd8 ffe00004aaaa ffc2 0011 08 0258 0320')
  for (let end = 0; end < whole.length; end++)
    expect(pixelSizeOf(whole.subarray(0, end))).toBeUndefined()
  for (let end = 0; end < 24; end++) expect(pixelSizeOf(onePoint.subarray(0, end))).toBeUndefined()
  expect(pixelSizeOf(Buffer.from('<svg onload="x">'))).toBeUndefined()
})
