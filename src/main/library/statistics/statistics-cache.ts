import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { LibraryKey } from '../../../shared/model/conversation/conversation'
import { decodingVersion } from '../../../shared/model/conversation/decoding'
import type { EntryRanges } from '../../../shared/model/family/ownership'
import { ConversationEnd } from '../../../shared/model/lists/conversation-end'
import type { StatisticsFacts } from '../../../shared/model/statistics/conversation-facts'
import { SpreadSums } from '../../../shared/model/statistics/spread'
import { TokenCounts } from '../../../shared/model/statistics/token-counts'
import type { Disk } from '../../disk/interface/disk'
import { jsonBytes } from '../../disk/json/json-write'
import { readJson } from '../../disk/json/read-json'
import { runInSlices } from '../../disk/pacing/slices'
import { removeIfThere, replaceFile } from '../../disk/writing/atomic'
import type { LibraryRoot } from '../sources/roots'

/** The cached facts of a conversation, valid while its stamp is the same. */
export interface KnownFacts {
  /** Empty of one of which a part may be readable the next time. */
  readonly stamp: string
  /** See `blockingKeys`. */
  readonly signs: readonly string[]
  /** The entries that the facts count. */
  readonly ranges: EntryRanges
  /** Names the members and stamps of the family in which `ranges` was found; undefined before. */
  readonly settledIn: string | undefined
  /** Undefined where the files hold no conversation. */
  readonly facts: StatisticsFacts | undefined
  /** Parts that could not be read, a sentence each. */
  readonly unread: readonly string[]
}

/**
 * A cache of facts on the disk, which can be deleted at any time. A file that is missing, damaged, of another version, of
 * other decoders or of another time zone is no failure.
 */
export interface StatisticsCache {
  load(): Promise<Map<LibraryKey, KnownFacts>>
  /** Writes the files that hold one of the keys again, with what is known now. */
  save(known: ReadonlyMap<LibraryKey, KnownFacts>, changed: ReadonlySet<LibraryKey>): Promise<void>
}

/** Raised when a shape, a sign, or the meaning of a stamp or of a fact changes. */
const version = 2
/** One change writes one of so many files. */
const files = 64
const largestBytes = 256 * 1024 * 1024

const Counts = z.array(z.tuple([z.string(), z.number()]))
const Cell = z.object({
  day: z.string(),
  hour: z.int(),
  model: z.string().nullable(),
  entries: z.int(),
  types: Counts,
  roles: Counts,
  calls: Counts,
  failures: Counts,
  bytes: Counts,
  output: Counts,
  usages: z.int(),
  tokens: TokenCounts,
  cost: z.number().nullable(),
  speech: z
    .object({
      exchanges: z.int(),
      heard: z.int(),
      spoken: z.int(),
      wordsHeard: z.int(),
      wordsSpoken: z.int(),
      providers: Counts,
      transports: Counts,
      voices: Counts,
      timing: z.array(z.tuple([z.string(), SpreadSums])),
      turns: z.array(
        z.object({
          from: z.string(),
          seconds: SpreadSums,
          steps: z.array(z.tuple([z.number(), z.number()])),
        }),
      ),
      silenceOn: z.int(),
      silenceOff: z.int(),
      errors: z.int(),
    })
    .nullable(),
})
const Facts = z.object({
  source: z.string(),
  key: z.string(),
  title: z.string(),
  project: z.string().nullable(),
  cells: z.array(Cell),
  lengths: z.array(z.object({ day: z.string(), model: z.string().nullable(), entries: z.int() })),
  leaves: z.int(),
  isTitled: z.boolean(),
  end: ConversationEnd.nullable(),
})
const Known = z.object({
  key: LibraryKey,
  stamp: z.string(),
  signs: z.array(z.string()),
  ranges: z.array(z.tuple([z.int(), z.int().nullable()])),
  settledIn: z.string().optional(),
  facts: Facts.optional(),
  unread: z.array(z.string()),
})

/**
 * Opens the cache for these paths: files in a folder of their own. Without a folder nothing is cached.
 *
 * @param zone the time zone whose days and hours the facts have
 */
export function statisticsCache(
  disk: Disk,
  cacheFolder: string | undefined,
  places: { readonly home: string; readonly roots: readonly LibraryRoot[] },
  zone: string,
): StatisticsCache {
  if (cacheFolder === undefined) return { load: async () => new Map(), save: async () => undefined }
  const named = JSON.stringify([places.home, ...places.roots.map((root) => Object.values(root))])
  const folder = path.join(cacheFolder, 'statistics', digest(named).slice(0, 24))
  const file = (number: number) => path.join(folder, `${number}.json`)
  const current = { version, decoding: decodingVersion, zone }
  const File = z.object({
    version: z.literal(version),
    decoding: z.literal(decodingVersion),
    zone: z.literal(zone),
    known: z.array(Known),
  })

  async function loadFile(number: number): Promise<z.infer<typeof File>['known']> {
    try {
      const found = await readJson(disk, file(number), largestBytes)
      if (found === undefined || found === 'damaged') return []
      return File.safeParse(found.value).data?.known ?? []
    } catch {
      return [] // As good as none: it is read again.
    }
  }

  return {
    async load() {
      const all = new Map<LibraryKey, KnownFacts>()
      for (let number = 0; number < files; number++)
        for (const { key, ...rest } of await loadFile(number)) {
          const { settledIn, facts } = rest
          all.set(key, { ...rest, settledIn, facts })
        }
      return all
    },
    async save(known, changed) {
      const stale = new Set([...changed].map(fileOf))
      if (stale.size === 0) return
      const parts = new Map([...stale].map((number) => [number, [] as unknown[]]))
      for (const [key, one] of known) parts.get(fileOf(key))?.push({ key, ...one })
      for (const [number, part] of parts) {
        try {
          await disk.makeFolder(folder)
          const bytes = await runInSlices(jsonBytes({ ...current, known: part }))
          // Need not be durable: what a power failure leaves of it is damaged, and ignored.
          await replaceFile(disk, file(number), bytes, { durable: false })
        } catch {
          // A folder that cannot be written to costs time at the next start. What is half there must not be believed later.
          await removeIfThere(disk, file(number)).catch(() => undefined)
        }
      }
    },
  }
}

function fileOf(key: LibraryKey): number {
  return Number.parseInt(digest(key).slice(0, 2), 16) % files
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
