/** Pixels of an image, by its own beginning. */
interface PixelSize {
  readonly width: number
  readonly height: number
}

/**
 * Reads how many pixels a PNG, JPEG, GIF or WebP has, without decoding it; undefined where its beginning does not say. A small file may
 * stand for an image that fills all memory.
 */
export function pixelSizeOf(bytes: Uint8Array): PixelSize | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const magic = view.toString('latin1', 0, 4)
    if (magic === '\x89PNG') return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
    if (magic === 'GIF8') return gifSize(view)
    if (magic === 'RIFF') return webpSize(view)
    return view.readUInt16BE(0) === 0xffd8 ? jpegSize(view) : undefined
  } catch {
    return undefined // It ends before its size.
  }
}

/** The screen, or what the frames take beyond it: what draws them makes room for that. */
function gifSize(view: Buffer): PixelSize {
  let [width, height] = [view.readUInt16LE(6), view.readUInt16LE(8)]
  try {
    let at = 13 + colorTableBytes(view.readUInt8(10))
    for (;;) {
      const block = view.readUInt8(at)
      if (block !== 0x21 && block !== 0x2c) return { width, height }
      if (block === 0x2c) {
        width = Math.max(width, view.readUInt16LE(at + 1) + view.readUInt16LE(at + 5))
        height = Math.max(height, view.readUInt16LE(at + 3) + view.readUInt16LE(at + 7))
        at += 11 + colorTableBytes(view.readUInt8(at + 9))
      } else at += 2
      for (let length = view.readUInt8(at); length > 0; length = view.readUInt8(at))
        at += length + 1
      at += 1
    }
  } catch {
    return { width, height } // It ends before its end: what was drawn until there counts.
  }
}

/** Bytes of the color table that these flags say follows. */
function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function webpSize(view: Buffer): PixelSize | undefined {
  switch (view.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = view.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Markers without a length: fill bytes, restarts, the beginning. */
function isBare(marker: number): boolean {
  return marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}

function jpegSize(view: Buffer): PixelSize | undefined {
  for (let at = 2; at < view.length; ) {
    if (view.readUInt8(at) !== 0xff) return undefined
    const marker = view.readUInt8(at + 1)
    if (isBare(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    // The frame's header; C4, C8 and CC are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
    at += 2 + view.readUInt16BE(at + 2)
  }
  return undefined
}
