import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { writeGrown } from './grown-file'

/** Names of conversations and folders in fixtures that no pattern tells from other words. */
const namesOf: Readonly<Record<string, readonly string[]>> = {
  aider: ['terrace'],
  chibi: ['garden'],
  cline: ['01K5GARDEN'],
  cursor: ['0a41'],
  fluux: ['mira@', 'salon@', 'quiet@'],
  gemini: ['roses'],
  goose: ['20250310_120000', '20260910_1'],
  jan: ['pond'],
  opencode: ['ses_jam', 'ses_old', 'ses_bread', 'msg_j', 'msg_k', 'prt_j', 'prt_k'],
  voicemode: ['2025-08-01', '2025-08-02'],
}

const isDatabase = /\.(?:db|vscdb)(?:-wal|-shm)?$/
const isPacked = /\.(?:zip|zst)$/
const isUuid = /[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g
const isHash = /\b[0-9a-f]{32,64}\b|\b(?=[a-f0-9]*[a-f])[0-9a-f]{8}\b/g
const isTime = /(?<![0-9])[0-9]{10,13}(?![0-9])/g
const dayMs = 86_400_000

/** A fixture of a reader, which is copied as often as a bench needs. */
export interface Fixture {
  readonly source: string
  /** Files that are copied, as paths below its root. */
  readonly files: readonly string[]
  /**
   * Writes a copy of it below a root, under names of its own.
   *
   * @param bytes what its files of conversations get together
   * @returns how many files and bytes there are now
   */
  copyTo(root: string, copy: number, bytes: number, draw: () => string): Promise<Written>
}

/** Files and bytes that were written. */
export interface Written {
  readonly files: number
  readonly bytes: number
}

/** Opens a fixture by the id of its source; databases and packed files in it are not copied. */
export function openFixture(fixtures: string, source: string): Fixture {
  const input = path.join(fixtures, source, 'input')
  const files = fs
    .readdirSync(input, { recursive: true, encoding: 'utf8' })
    .filter((file) => fs.statSync(path.join(input, file)).isFile())
    .filter((file) => !isDatabase.test(file) && !isPacked.test(file))
    .sort()
  const texts = new Map(
    files.map((file) => [file, fs.readFileSync(path.join(input, file), 'utf8')]),
  )
  const names = [...new Set([...namesIn(files), ...(namesOf[source] ?? [])])].sort(
    (a, b) => b.length - a.length,
  )
  // A file grows the more of it there is: one of a title stays small.
  const weights = files.map((file) => (isGrowing(file) ? (texts.get(file)?.length ?? 0) : 0))
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1
  return {
    source,
    files,
    async copyTo(root, copy, bytes, draw) {
      let sum = 0
      for (const [at, file] of files.entries()) {
        const to = path.join(root, renamed(file, names, copy))
        fs.mkdirSync(path.dirname(to), { recursive: true })
        const text = renamed(texts.get(file) ?? '', names, copy)
        sum += await writeOne(to, text, ((weights[at] ?? 0) / all) * bytes, draw)
      }
      return { files: files.length, bytes: sum }
    },
  }
}

/** Files of messages; the others are of titles, indexes and settings. */
function isGrowing(file: string): boolean {
  return !/index|meta|state\/|settings|thread\.json|logs\.json|user|knowledge|identity/i.test(file)
}

async function writeOne(
  to: string,
  text: string,
  bytes: number,
  draw: () => string,
): Promise<number> {
  if (bytes === 0) {
    fs.writeFileSync(to, text)
    return Buffer.byteLength(text)
  }
  const stream = fs.createWriteStream(to)
  await writeGrown(to, text, bytes, draw, async (piece) => {
    if (!stream.write(piece)) await once(stream, 'drain')
  })
  stream.end()
  await once(stream, 'close')
  return stream.bytesWritten
}

function namesIn(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    const uuids = file.match(isUuid) ?? []
    const hashes = file.match(isHash) ?? []
    const times = file.match(isTime) ?? []
    return [...uuids, ...hashes, ...times]
  })
}

/** Replaces names by those of a copy: of the same form, so that readers take them for what they are. */
function renamed(text: string, names: readonly string[], copy: number): string {
  if (copy === 0 || names.length === 0) return text
  const wanted = new RegExp(names.map((name) => name.replace(/[.@]/g, '\\$&')).join('|'), 'g')
  return text.replace(wanted, (name) => nameOf(name, copy))
}

function nameOf(name: string, copy: number): string {
  if (/^\d{4}-\d\d-\d\d$/.test(name))
    return new Date(Date.parse(name) - 2 * copy * dayMs).toISOString().slice(0, 10)
  if (/^\d+$/.test(name)) return String(Number(name) - copy * 60)
  if (/^[0-9a-f]{8,}$/.test(name))
    return (
      (Number.parseInt(name.slice(0, 8), 16) ^ (copy * 0x9e37))
        .toString(16)
        .replace(/^-/, 'f')
        .padStart(8, '0')
        .slice(-8) + name.slice(8)
    )
  return name.endsWith('@') ? `${name.slice(0, -1)}-${copy}@` : `${name}${copy}`
}
