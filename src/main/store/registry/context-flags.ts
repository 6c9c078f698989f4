import { z } from 'zod'
import { parseShallow } from '../../../shared/model/basics/json-depth'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import type { HomePaths } from '../core/home-paths'
import { keepDamagedFile, type OnNotice } from './known-contexts'

const Renaming = z.looseObject({
  from: z.string(),
  to: z.string(),
  /** Unix seconds. */
  at: z.number(),
})

/** When a context was made that was archived, Unix seconds: another one of its name is not. */
const ArchivedCreated = z.object({ name: z.string(), created_at: z.number() })

const parts = {
  archived: z.array(z.string()),
  /** Of those whose time state.json had. */
  archived_created: z.array(ArchivedCreated).optional(),
  /** Oldest first. Anchors of branches name their parent as it was called then, and no line of theirs is changed. */
  renamed: z.array(Renaming),
}
const CompleteFlags = z.looseObject({
  ...parts,
  archived: parts.archived.optional(),
  renamed: parts.renamed.optional(),
})
const Flags = z.looseObject({
  archived: wellFormed(z.string()),
  archived_created: wellFormed(ArchivedCreated).optional().catch(undefined),
  renamed: wellFormed(Renaming),
})

/** The flags and former names of a home's contexts, in `contexts.skein.json`; chibi does not know the file. */
export type ContextFlags = z.infer<typeof Flags>

/**
 * Reads the flags; none where the file is missing or damaged.
 *
 * @throws DiskError
 */
export async function readContextFlags(disk: Disk, paths: HomePaths): Promise<ContextFlags> {
  return parse(await readSmallText(disk, paths.marks)) ?? { archived: [], renamed: [] }
}

/**
 * Replaces the flags by the result of `change`; where that is the same object, the file stays as it is. Keys that are
 * not ours stay; a damaged file is kept beside the new one. Call it under `withStateLock`.
 *
 * @throws DiskError
 */
export async function updateContextFlags(
  disk: Disk,
  paths: HomePaths,
  change: (flags: ContextFlags) => ContextFlags,
  noticed: OnNotice,
): Promise<void> {
  const text = await readSmallText(disk, paths.marks)
  const found = parse(text)
  const before = found ?? { archived: [], renamed: [] }
  const after = change(before)
  if (after === before) return
  // Also where a part alone was left out: it would be gone.
  if (text !== undefined && !areFlagsWhole(text))
    await keepDamagedFile(disk, paths.marks, undefined, noticed)
  await replaceFile(disk, paths.marks, Buffer.from(JSON.stringify(after, undefined, 2)))
}

/**
 * Returns the flags with a context archived, or not.
 *
 * @param createdAt Unix seconds, where state.json tells it
 */
export function withArchived(
  flags: ContextFlags,
  name: string,
  isArchived: boolean,
  createdAt?: number | undefined,
): ContextFlags {
  const { archived, archived_created: before = [], ...rest } = flags
  const isSame = archived.includes(name) === isArchived
  if (isSame && (!isArchived || createdOf(flags, name) === createdAt)) return flags
  const others = archived.filter((one) => one !== name)
  const created = before.filter((one) => one.name !== name)
  if (isArchived && createdAt !== undefined) created.push({ name, created_at: createdAt })
  return {
    ...rest,
    archived: isArchived ? [...others, name].sort() : others,
    ...(created.length === 0 ? {} : { archived_created: created }),
  }
}

/**
 * Returns the names of archived contexts; of contexts that are gone as well. A flag is left out where its context was
 * created at another time than the one that has the name now: chibi removes and creates contexts without changing
 * flags.
 */
export function archivedNames(
  flags: ContextFlags,
  known: readonly { readonly name: string; readonly createdAt: number | undefined }[],
): readonly string[] {
  const createdAt = new Map(known.map((context) => [context.name, context.createdAt]))
  return flags.archived.filter((name) => {
    const [then, now] = [createdOf(flags, name), createdAt.get(name)]
    return then === undefined || now === undefined || then === now
  })
}

function createdOf({ archived_created: created = [] }: ContextFlags, name: string) {
  return created.find((one) => one.name === name)?.created_at
}

/** Returns the former names of a context, the latest first: anchors of its branches use them. */
export function formerNames({ renamed }: Pick<ContextFlags, 'renamed'>, name: string): string[] {
  const names: string[] = []
  let then = name
  for (const { from, to } of renamed.slice().reverse()) {
    if (to !== then) continue
    then = from
    if (from !== name && !names.includes(from)) names.push(from)
  }
  return names
}

/** The items of a list that are of the right shape: a bad one costs itself alone. */
function wellFormed<T>(item: z.ZodType<T>) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all.flatMap((one) => {
        const { success, data } = item.safeParse(one)
        return success ? [data] : []
      }),
    )
}

/** Returns true where every part of a file of flags has its shape: nothing of it is left out. */
export function areFlagsWhole(text: string): boolean {
  try {
    return CompleteFlags.safeParse(parseShallow(text)).success
  } catch {
    return false
  }
}

function parse(text: string | undefined): ContextFlags | undefined {
  if (text === undefined) return undefined
  try {
    return Flags.safeParse(parseShallow(text)).data
  } catch {
    return undefined // Damaged: a write keeps it aside first.
  }
}
