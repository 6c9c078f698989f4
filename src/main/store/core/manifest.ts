import path from 'node:path'
import { z } from 'zod'
import { parseShallow } from '../../../shared/model/basics/json-depth'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import type { ContextPaths } from './home-paths'

/** Limits at which the active partition is archived. */
export interface RotationPolicy {
  readonly maxEntries: number
  readonly maxAgeSeconds: number
  /** No limit where undefined. */
  readonly maxTokens: number | undefined
  /** For the estimate of an entry's tokens; at least 1. */
  readonly bytesPerToken: number
  readonly bloomFilters: boolean
}

/** The limits that chibi has by default. */
export const defaultRotationPolicy: RotationPolicy = {
  maxEntries: 1000,
  maxAgeSeconds: 30 * 24 * 3600,
  maxTokens: 100_000,
  bytesPerToken: 3,
  bloomFilters: true,
}

const count = z.number().nonnegative()

/** An archived partition as the manifest lists it. */
export const PartitionRecord = z.looseObject({
  /** Relative to transcript/. */
  file: z.string(),
  /** Of the first and last line that parses, not the least and greatest. */
  start_ts: count,
  end_ts: count,
  entry_count: count,
  token_count: count.nullish(),
  bloom_file: z.string().nullish(),
})
export type PartitionRecord = z.infer<typeof PartitionRecord>

/** The content of manifest.json, of any version of chibi; unknown keys stay. */
export const Manifest = z.looseObject({
  version: z.number().default(1),
  active_partition: z.string().default('active.jsonl'),
  partitions: z.array(PartitionRecord).default([]),
  rotation_policy: z
    .looseObject({ max_entries: count, max_age_seconds: count, max_tokens: count.nullish() })
    .optional(),
})
export type Manifest = z.infer<typeof Manifest>

/** The result of reading manifest.json. */
export type FoundManifest =
  | { readonly type: 'absent' }
  | { readonly type: 'whole'; readonly manifest: Manifest }
  | { readonly type: 'damaged'; readonly reason: string }

/** Reads a manifest of any era. A damaged one is a result, not an error: the partitions are still there. */
export async function readManifest(disk: Disk, paths: ContextPaths): Promise<FoundManifest> {
  const text = await readSmallText(disk, paths.manifest)
  if (text === undefined) return { type: 'absent' }
  let value: unknown
  try {
    value = parseShallow(text)
  } catch {
    return { type: 'damaged', reason: 'manifest.json is not JSON' }
  }
  const parsed = Manifest.safeParse(value)
  if (parsed.success) return { type: 'whole', manifest: parsed.data }
  const key = parsed.error.issues[0]?.path.join('.')
  return { type: 'damaged', reason: `manifest.json has no valid "${key}"` }
}

/** Returns the manifest that was read; undefined where it is absent or damaged. */
export function manifestOf(found: FoundManifest): Manifest | undefined {
  return found.type === 'whole' ? found.manifest : undefined
}

/** Replaces the manifest at once, as chibi writes it: pretty, its key order, no final line feed. */
export async function writeManifest(
  disk: Disk,
  paths: ContextPaths,
  manifest: Manifest,
): Promise<void> {
  const { version, active_partition, partitions, rotation_policy, ...others } = manifest
  const text = JSON.stringify(
    {
      version,
      active_partition,
      partitions: partitions.map(ordered),
      rotation_policy,
      ...others,
    },
    undefined,
    2,
  )
  await replaceFile(disk, paths.manifest, Buffer.from(text))
}

/** Returns a manifest without partitions. */
export function newManifest(): Manifest {
  return { version: 1, active_partition: 'active.jsonl', partitions: [] }
}

/** Returns a manifest with the configured limits, which chibi then uses. Its other keys stay. */
export function withPolicy(manifest: Manifest, policy: RotationPolicy): Manifest {
  const { max_tokens: _, ...others } = manifest.rotation_policy ?? {}
  return {
    ...manifest,
    rotation_policy: {
      ...others,
      max_entries: policy.maxEntries,
      max_age_seconds: policy.maxAgeSeconds,
      ...(policy.maxTokens === undefined ? {} : { max_tokens: policy.maxTokens }),
    },
  }
}

/** Resolves a file name of the manifest to a path; undefined for one outside transcript/. */
export function insideTranscript(paths: ContextPaths, file: string): string | undefined {
  if (file === '' || file.includes('\0') || file.includes('\\') || path.isAbsolute(file))
    return undefined
  const target = path.resolve(paths.transcript, file)
  return target.startsWith(paths.transcript + path.sep) ? target : undefined
}

/**
 * Returns the index of a partition among others by its name, `FIRST-LAST` or `FIRST-LAST-2`: after the last one that
 * is not later. A name without times goes to the end.
 */
export function indexByTime(names: readonly string[], name: string): number {
  const order = partitionOrder(name)
  if (order === undefined) return names.length
  for (let at = names.length; at > 0; at--) {
    const before = partitionOrder(names[at - 1] ?? '')
    if (before !== undefined && compareOrder(before, order) <= 0) return at
  }
  return 0
}

/** A partition as it lies on the disk. */
interface PlacedPartition {
  readonly name: string
  readonly mtimeMs: number
}

/**
 * Returns the index of a partition that the manifest does not list among those that it lists, in the manifest's order.
 *
 * A rotation that is running or was interrupted leaves the newest one: it was written last. Its entries may still be
 * older than those before it (a clock that was set back, copied entries), so times in names come second.
 */
export function indexAmongListed(
  listed: readonly PlacedPartition[],
  stray: PlacedPartition,
): number {
  const last = listed.at(-1)
  const inOrder = listed.every((one, at) => one.mtimeMs >= (listed[at - 1]?.mtimeMs ?? 0))
  if (last !== undefined && inOrder && stray.mtimeMs >= last.mtimeMs) return listed.length
  return indexByTime(
    listed.map(({ name }) => name),
    stray.name,
  )
}

function compareOrder(a: readonly number[], b: readonly number[]): number {
  for (const [i, n] of a.entries()) {
    const difference = n - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function partitionOrder(file: string): readonly [number, number, number] | undefined {
  const match = /^(\d+)-(\d+)(?:-(\d+))?\.jsonl$/.exec(path.posix.basename(file))
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)] : undefined
}

function ordered(record: PartitionRecord): Record<string, unknown> {
  const { file, start_ts, end_ts, entry_count, prompt_count, token_count, bloom_file, ...others } =
    record
  // An undefined field is left out by JSON.stringify.
  return {
    file,
    start_ts,
    end_ts,
    entry_count,
    prompt_count,
    token_count: token_count ?? undefined,
    bloom_file: bloom_file ?? undefined,
    ...others,
  }
}
