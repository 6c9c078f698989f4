import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * Lists SHA-256 sums of files as `sha256sum` writes and checks them, by names without folders.
 * @param {readonly string[]} files
 */
export async function sumsOf(files) {
  const lines = []
  for (const file of [...files].sort()) {
    const hash = createHash('sha256')
    await pipeline(fs.createReadStream(file), hash)
    lines.push(`${hash.digest('hex')}  ${path.basename(file)}\n`)
  }
  return lines.join('')
}
