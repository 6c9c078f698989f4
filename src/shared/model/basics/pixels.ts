/** Pixels of an image, by its own beginning. */
interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Most blocks or segments that are looked through, which takes some milliseconds: an image of 30 MB has half as many. */
const mostParts = 250_000

/**
 * Reads how many pixels a PNG, JPEG, GIF or WebP has, without decoding it; undefined where its beginning does not say, `too-many-parts`
 * where that would take long to find. A small file may stand for an image that fills all memory.
 */
export function pixelSizeOf(bytes: Uint8Array): PixelSize | 'too-many-parts' | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const magic = textAt(bytes, 0)
    if (magic === '\x89PNG') return { width: view.getUint32(16), height: view.getUint32(20) }
    if (magic === 'GIF8') return gifSize(view)
    if (magic === 'RIFF') return webpSize(view, textAt(bytes, 12))
    return view.getUint16(0) === 0xffd8 ? jpegSize(bytes, view) : undefined
  } catch {
    return undefined // It ends before its size.
  }
}

/** Four letters. */
function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

/** The screen, or what the frames take beyond it: what draws them makes room for that. */
function gifSize(view: DataView): PixelSize | 'too-many-parts' {
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)]
  try {
    let at = 13 + colorTableBytes(view.getUint8(10))
    for (let parts = 0; parts <= mostParts; parts++) {
      const block = view.getUint8(at)
      if (block !== 0x21 && block !== 0x2c) return { width, height }
      if (block === 0x2c) {
        width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true))
        height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true))
        at += 11 + colorTableBytes(view.getUint8(at + 9))
      } else at += 2
      for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) {
        parts++
        if (parts > mostParts) return 'too-many-parts'
        at += length + 1
      }
      at += 1
    }
    return 'too-many-parts'
  } catch {
    return { width, height } // It ends before its end: what was drawn until there counts.
  }
}

/** Bytes of the color table that these flags say follows. */
function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function webpSize(view: DataView, form: string): PixelSize | undefined {
  switch (form) {
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: threeBytes(view, 24) + 1, height: threeBytes(view, 27) + 1 }
    default:
      return undefined
  }
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000
}

/** Markers without a length: an escaped FF, fill bytes, restarts, the beginning. */
function isBare(marker: number): boolean {
  return marker === 0 || marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}

function jpegSize(bytes: Uint8Array, view: DataView): PixelSize | 'too-many-parts' | undefined {
  let at = 2
  for (let parts = 0; parts <= mostParts; parts++) {
    // Stray bytes between segments are passed over, as by what draws it.
    at = bytes.indexOf(0xff, at)
    if (at < 0) return undefined
    const marker = view.getUint8(at + 1)
    if (isBare(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    // The frame's header; C4, C8 and CC are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return 'too-many-parts'
}
