import fs from 'node:fs'
import path from 'node:path'
import { root } from '../setup/project.mjs'

const source = path.join(root, 'packaging', 'icons')

/** Apple's names of the sizes that an .icns holds as PNG: 16@2x is 32, and so on. */
const appleNames = /** @type {const} */ ([
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic13', 256],
  ['ic09', 512],
  ['ic14', 512],
])

/** What an .ico holds; larger ones it has no numbers for. */
const windowsSizes = [16, 24, 32, 48, 64, 128, 256]

/**
 * Writes the icons of macOS and Windows, `icon.icns` and `icon.ico`, from the PNGs of the folder packaging: containers, into which these
 * go as they are. electron-builder would download a program for it.
 * @param {string} folder
 */
export function writeIcons(folder) {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'icon.icns'), icns())
  fs.writeFileSync(path.join(folder, 'icon.ico'), ico())
}

/** @param {number} size in pixels */
const png = (size) => fs.readFileSync(path.join(source, `${size}x${size}.png`))

/** Each part with its name and length before it, which count as well; so has the whole. */
function icns() {
  const parts = appleNames.map(([name, size]) => {
    const bytes = png(size)
    return Buffer.concat([Buffer.from(name, 'latin1'), bigEndian(bytes.length + 8), bytes])
  })
  const whole = Buffer.concat(parts)
  return Buffer.concat([Buffer.from('icns', 'latin1'), bigEndian(whole.length + 8), whole])
}

/** A table of 16 bytes for each, then the PNGs; a side of 256 is written as 0. */
function ico() {
  const images = windowsSizes.map((size) => ({ size, bytes: png(size) }))
  const head = Buffer.alloc(6)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length + 16 * images.length
  const table = images.map(({ size, bytes }) => {
    const row = Buffer.alloc(16)
    row.writeUInt8(size % 256, 0)
    row.writeUInt8(size % 256, 1)
    row.writeUInt16LE(1, 4)
    row.writeUInt16LE(32, 6)
    row.writeUInt32LE(bytes.length, 8)
    row.writeUInt32LE(offset, 12)
    offset += bytes.length
    return row
  })
  return Buffer.concat([head, ...table, ...images.map(({ bytes }) => bytes)])
}

/** @param {number} value */
function bigEndian(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
