import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { ConversationKey, LibraryKey } from '../../../shared/model/conversation/conversation'
import { decodingVersion } from '../../../shared/model/conversation/decoding'
import { EntryId } from '../../../shared/model/conversation/entry'
import { ContextOrigin, SubagentOrigin } from '../../../shared/model/family/family'
import type { Outline } from '../../../shared/model/family/outline'
import type { Disk } from '../../disk/interface/disk'
import { jsonBytes } from '../../disk/json/json-write'
import { readJson } from '../../disk/json/read-json'
import { runInSlices, type Sliced } from '../../disk/pacing/slices'
import { removeIfThere, replaceFile } from '../../disk/writing/atomic'
import type { LibraryRoot } from '../sources/roots'

/** The cached facts of a conversation that decide about its relatives. */
export interface KnownRelative {
  readonly stamp: string
  /** See `blockingKeys`; none of one that could not be read. */
  readonly signs: readonly string[]
  /** It has parents inside, so that it may have branches without any relative. */
  readonly hasStrands: boolean
  /** All of it was read, and not its beginning alone. */
  readonly isOutlined: boolean
}

/**
 * A cache of families on the disk, which can be deleted at any time. A file that is missing, damaged, of another
 * version or of other decoders is no failure.
 */
export interface FamilyCache {
  load(): Promise<Map<LibraryKey, KnownRelative>>
  save(kin: ReadonlyMap<LibraryKey, KnownRelative>): Promise<void>
  loadOutline(key: LibraryKey, stamp: string): Promise<Outline | undefined>
  saveOutline(key: LibraryKey, stamp: string, outline: Outline): Promise<void>
  dropOutline(key: LibraryKey): Promise<void>
}

/** Raised when a shape, a sign, a mark or the meaning of a stamp changes. */
const version = 9
/** More than a hundred thousand conversations, or a million messages, take. */
const largestBytes = 256 * 1024 * 1024

/** Versions that say of a file that its content is as it would be written now. */
const current = { version, decoding: decodingVersion }
const Current = { version: z.literal(version), decoding: z.literal(decodingVersion) }

const KinFile = z.object({ ...Current, kin: z.array(z.unknown()) })
const Kin = z.object({
  key: LibraryKey,
  stamp: z.string(),
  signs: z.array(z.string()),
  hasStrands: z.boolean(),
  isOutlined: z.boolean(),
})
/** Weight of one of them in a slice, in bytes. */
const weightOfKin = 512

// By hand: of a million messages there are millions.
const numbers = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'number'),
)
const OutlineFile = z.object({
  ...Current,
  stamp: z.string(),
  outline: z
    .object({
      source: z.string(),
      key: ConversationKey,
      title: z.string(),
      storedTitle: z.string().optional(),
      createdMs: z.number().optional(),
      updatedMs: z.number().optional(),
      origin: ContextOrigin.optional(),
      formerKeys: z.array(z.string()),
      ids: z.array(EntryId),
      starts: numbers,
      marks: numbers,
      tools: numbers,
      heads: numbers,
      traits: numbers,
      times: numbers,
      words: z.array(z.string()),
      facts: z.object({
        modelNames: z.array(z.string()),
        models: numbers,
        toolNames: z.array(z.string()),
        calls: numbers,
        failures: numbers,
        usages: numbers,
      }),
      strands: z.object({ before: numbers, order: numbers }).optional(),
      leaf: z.number(),
      subagentOf: SubagentOrigin.optional(),
    })
    .refine(({ marks, starts, ids, ...rest }) => {
      const lists = [rest.tools, rest.heads, rest.traits, rest.times, rest.words, rest.facts.models]
      const isWhole = starts.length === marks.length + 1 && starts.at(-1) === ids.length
      return isWhole && lists.every((list) => list.length === marks.length)
    }),
})

/** Opens the cache for these paths: files in a folder of their own. Without a folder nothing is cached. */
export function familyCache(
  disk: Disk,
  cacheFolder: string | undefined,
  places: { readonly home: string; readonly roots: readonly LibraryRoot[] },
): FamilyCache {
  if (cacheFolder === undefined) return noCache
  const named = JSON.stringify([places.home, ...places.roots.map((root) => Object.values(root))])
  const folder = path.join(cacheFolder, 'families', digest(named))
  const kinFile = path.join(folder, 'kin.json')
  const outlineFile = (key: LibraryKey) => path.join(folder, `${digest(key)}.json`)

  async function load<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
    try {
      const found = await readJson(disk, file, largestBytes)
      if (found === undefined || found === 'damaged') return undefined
      return schema.safeParse(found.value).data
    } catch {
      return undefined // As good as none: it is read again.
    }
  }

  async function save(file: string, value: unknown): Promise<void> {
    try {
      await disk.makeFolder(folder)
      // Need not be durable: what a power failure leaves of it is damaged, and ignored.
      await replaceFile(disk, file, await runInSlices(jsonBytes(value)), { durable: false })
    } catch {
      // A folder that cannot be written to costs time at the next start. What is half there must not be believed later.
      await removeIfThere(disk, file).catch(() => undefined)
    }
  }

  return {
    async load() {
      const found = await load(kinFile, KinFile)
      return runInSlices(kinIn(found?.kin ?? []))
    },
    save: (kin) =>
      save(kinFile, { ...current, kin: [...kin].map(([key, known]) => ({ key, ...known })) }),
    async loadOutline(key, stamp) {
      const found = await load(outlineFile(key), OutlineFile)
      return found === undefined || found.stamp !== stamp ? undefined : asOutline(found.outline)
    },
    saveOutline: (key, stamp, outline) =>
      save(outlineFile(key), { ...current, stamp, outline: asJson(outline) }),
    dropOutline: (key) => removeIfThere(disk, outlineFile(key)).catch(() => undefined),
  }
}

/** None of them where one has another shape. */
function* kinIn(items: readonly unknown[]): Sliced<Map<LibraryKey, KnownRelative>> {
  const all = new Map<LibraryKey, KnownRelative>()
  for (const item of items) {
    const { data } = Kin.safeParse(item)
    if (data === undefined) return new Map()
    const { key, ...kin } = data
    all.set(key, kin)
    yield weightOfKin
  }
  return all
}

const noCache: FamilyCache = {
  load: async () => new Map(),
  save: async () => undefined,
  loadOutline: async () => undefined,
  saveOutline: async () => undefined,
  dropOutline: async () => undefined,
}

function asOutline(kept: z.infer<typeof OutlineFile>['outline']): Outline {
  const { storedTitle, createdMs, updatedMs, origin, strands, subagentOf } = kept
  const before = Int32Array.from(strands?.before ?? [])
  const order = Int32Array.from(strands?.order ?? [])
  return {
    ...kept,
    storedTitle,
    createdMs,
    updatedMs,
    origin,
    subagentOf,
    strands: strands === undefined ? undefined : { before, order },
  }
}

function asJson({ strands, ...outline }: Outline): unknown {
  if (strands === undefined) return outline
  return { ...outline, strands: { before: [...strands.before], order: [...strands.order] } }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
