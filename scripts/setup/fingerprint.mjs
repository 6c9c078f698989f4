import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './project.mjs'

/**
 * A hash over files' relative paths, sizes and times: the same while nothing was changed. Cheap: reads no content.
 *
 * Folders are walked; what is missing counts as missing, so that making or removing it changes the hash.
 * @param {readonly string[]} paths relative to `base`
 * @param {string} [base]
 */
export function fingerprint(paths, base = root) {
  const hash = createHash('sha256')
  for (const each of [...paths].sort()) addPath(hash, each, base)
  return hash.digest('hex')
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} relative
 * @param {string} base
 */
function addPath(hash, relative, base) {
  const stat = fs.statSync(path.join(base, relative), { throwIfNoEntry: false })
  if (stat?.isDirectory()) {
    for (const name of fs.readdirSync(path.join(base, relative)).sort())
      addPath(hash, `${relative}/${name}`, base)
    return
  }
  hash.update(`${relative}\0${stat ? `${stat.size}\0${stat.mtimeMs}` : 'missing'}\n`)
}

/**
 * Reads a stamp; undefined where there is none.
 * @param {string} file
 */
export function readStamp(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Replaces a stamp at once, so that a killed process leaves the old one or the new one.
 * @param {string} file
 * @param {string} text
 */
export function writeStamp(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const next = `${file}.${process.pid}`
  fs.writeFileSync(next, text)
  fs.renameSync(next, file)
}
