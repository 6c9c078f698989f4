import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { LibraryKey, SourceId } from '../../shared/model/conversation'
import { replaceFile } from '../disk/atomic'
import type { Disk } from '../disk/disk'
import { readSmallText } from '../disk/read'
import type { LibraryRoot } from './roots'
import { isWhole, type Known } from './rows'

/** What the library remembers between two starts: a file that can be thrown away at any time. */
export interface LibraryCache {
  /** All that was kept; nothing where the file is missing, damaged, or of another version. */
  load(): Promise<ReadonlyMap<LibraryKey, Known>>
  /** Replaces the file. A folder that cannot be written to is no failure: it is noted, once. */
  save(known: ReadonlyMap<LibraryKey, Known>): Promise<void>
}

/** Raised when a line's shape or the meaning of a stamp changes. */
const version = 1
const Head = z.object({ file: z.literal('skein library'), version: z.literal(version) })

const Count = z.object({
  files: z.int(),
  entries: z.int(),
  lines: z.int(),
  blank: z.int(),
  damaged: z.int(),
  partitions: z.int(),
  strays: z.array(z.string()),
  notices: z.array(z.string()),
  models: z.array(z.string()),
})

const Line = z.object({
  key: LibraryKey,
  stamp: z.string(),
  source: SourceId,
  files: z.int(),
  bytes: z.int(),
  facts: z.object({
    title: z.string(),
    project: z.string().nullable(),
    created: z.string().nullable(),
    updated: z.string().nullable(),
  }),
  count: Count.optional(),
  gone: z.literal(true).optional(),
})

/** More than a hundred thousand conversations take. */
const largestBytes = 256 * 1024 * 1024

/**
 * The cache of the library over these roots: a file of JSON lines in the folder, which is made when there is something
 * to keep. Libraries over other roots have files of their own.
 */
export function libraryCache(
  disk: Disk,
  folder: string,
  roots: readonly LibraryRoot[],
  note: (words: string) => void,
): LibraryCache {
  const file = path.join(folder, 'library', `${nameOf(roots)}.jsonl`)
  let isNoted = false
  return {
    async load() {
      try {
        return parsed(await readSmallText(disk, file, largestBytes))
      } catch {
        return new Map() // As good as none: everything is read again.
      }
    },
    async save(known) {
      try {
        await disk.makeFolder(path.dirname(file))
        // Need not be durable: what a power failure leaves of it is damaged, and ignored.
        await replaceFile(disk, file, Buffer.from(written(known)), { durable: false })
      } catch (error) {
        if (!isNoted)
          note(`The list is not cached: ${error instanceof Error ? error.message : String(error)}.`)
        isNoted = true
      }
    },
  }
}

function nameOf(roots: readonly LibraryRoot[]): string {
  const named = JSON.stringify(roots.map(({ source, path: root }) => [source, root]))
  return createHash('sha256').update(named).digest('hex').slice(0, 16)
}

function written(known: ReadonlyMap<LibraryKey, Known>): string {
  const lines = [JSON.stringify({ file: 'skein library', version, lines: known.size })]
  for (const [key, one] of known) {
    const { stamp, source, files, bytes, facts, count, gone } = one
    const kept = { ...(isWhole(one) ? { count } : {}), ...(gone ? { gone } : {}) }
    lines.push(JSON.stringify({ key, stamp, source, files, bytes, facts, ...kept }))
  }
  return `${lines.join('\n')}\n`
}

/** @throws where a line is not what was written: then none of them is believed */
function parsed(text: string | undefined): ReadonlyMap<LibraryKey, Known> {
  const [head = '', ...lines] = (text ?? '').split('\n')
  const known = new Map<LibraryKey, Known>()
  if (!Head.safeParse(JSON.parse(head)).success) return known
  for (const line of lines) {
    if (line === '') continue
    const { key, count, gone, ...one } = Line.parse(JSON.parse(line))
    known.set(key, {
      ...one,
      ...(count === undefined ? {} : { count }),
      ...(gone === undefined ? {} : { gone }),
    })
  }
  return known
}
