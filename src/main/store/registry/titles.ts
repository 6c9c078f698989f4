import { z } from 'zod'
import { longestOwnTitle, titleLine } from '../../../shared/model/basics/title'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { LabelColor } from '../../../shared/model/conversation/label'
import { plainTags } from '../../../shared/model/conversation/tag'
import type { Disk } from '../../disk/interface/disk'
import { type JsonFile, readJson } from '../../disk/json/read-json'
import { runInSlices, type Sliced } from '../../disk/pacing/slices'
import { replaceFile } from '../../disk/writing/atomic'
import { keepDamagedFile, type OnNotice } from './known-contexts'
import { writeTitleFile } from './title-file-bytes'

/**
 * A title that was given to a conversation. Without a text it is the decision that it has none: a person removed it,
 * or a model could not give one; then no model is asked again by itself.
 */
export interface GivenTitle {
  readonly title: string | null
  readonly by: 'person' | 'model'
  /** With `by: 'model'`: which one. */
  readonly model?: string | undefined
  /** Unix seconds. */
  readonly at: number
  /** When the context was made, Unix seconds, where state.json tells: another one of its name has no part in it. */
  readonly createdAt?: number | undefined
  /** Why a model gave none, in a sentence. */
  readonly why?: string | undefined
}

/** Everything that a person gave a conversation in Skein: a title or the decision about it, tags, a pin, a colour, that it is hidden; or one of these alone. */
export interface TitleAndTags extends Omit<GivenTitle, 'title'> {
  /** Undefined where nothing was decided. */
  readonly title?: string | null | undefined
  /** As `plainTags` has them; never empty. */
  readonly tags?: readonly string[] | undefined
  /** It stands at the top of the library. */
  readonly pinned?: true | undefined
  readonly color?: LabelColor | undefined
  /** It is left out of the library's list. */
  readonly hidden?: true | undefined
  /**
   * It is what stayed in the file as the rest went into the trash with the folder: a Skein that knows no colours leaves them there. Only
   * as it is read.
   */
  readonly wentWithFolder?: true | undefined
}

/** Titles, tags and pins of a file, by the library's keys of conversations. */
export type GivenTitles = ReadonlyMap<string, TitleAndTags>

/**
 * The titles, tags and pins that were given to conversations in Skein: for a home's contexts in the home, for all others in
 * the person's own folder. No file of a conversation is changed, and no folder is renamed.
 */
export interface TitleStore {
  /** Reads the files again where they changed; cheap where not. Never rejects: a file that cannot be read stays as it was known. */
  look(): Promise<void>
  /** The given title as of the last `look`; also the decision that there is none. */
  of(key: LibraryKey): GivenTitle | undefined
  /**
   * Returns why given titles are unknown, for people: their file could not be read so far. Undefined where they are known,
   * also from an earlier `look`.
   */
  faultOf(key: LibraryKey): string | undefined
  /**
   * Gives a title, or what stands in its place, durably; undefined forgets it.
   *
   * @param mayGive gets the present title, of any writer; where it returns false, nothing is written
   * @returns whether it was given @throws AppError `read-only`, `disk-full`, `io`
   */
  give(
    key: LibraryKey,
    title: GivenTitle | undefined,
    mayGive?: (now: GivenTitle | undefined) => boolean,
  ): Promise<boolean>
  /** Returns the tags that a person gave, as of the last `look`. */
  tagsOf(key: LibraryKey): readonly string[]
  /**
   * Gives other tags, durably, as `change` says by those that are there now, whoever wrote them.
   *
   * @returns those that it has then @throws AppError `not-found`, `read-only`, `disk-full`, `io`; what `change` throws
   */
  changeTags(
    key: LibraryKey,
    change: (now: readonly string[]) => readonly string[],
  ): Promise<readonly string[]>
  /** Returns true where a person pinned it, as of the last `look`. */
  isPinned(key: LibraryKey): boolean
  /** Pins a conversation or takes the pin away, durably. @throws AppError `not-found`, `read-only`, `disk-full`, `io` */
  setPinned(key: LibraryKey, isPinned: boolean): Promise<void>
  /** Returns the colour that a person gave it, as of the last `look`. */
  colorOf(key: LibraryKey): LabelColor | undefined
  /** Gives a colour, durably; undefined takes it away. @throws AppError as `setPinned` */
  setColor(key: LibraryKey, color: LabelColor | undefined): Promise<void>
  /** Returns true where a person hid it, as of the last `look`. */
  isHidden(key: LibraryKey): boolean
  /** Hides a conversation in the library or shows it again, durably. @throws AppError as `setPinned` */
  setHidden(key: LibraryKey, isHidden: boolean): Promise<void>
  /** Another one whenever a `look` has found a change. */
  readonly version: number
}

const Line = z.object({
  key: z.string().min(1).max(600),
  title: z.string().max(4000).nullable().optional(),
  by: z.enum(['person', 'model']),
  model: z.string().optional().catch(undefined),
  at: z.number().catch(0),
  created_at: z.number().optional().catch(undefined),
  why: z.string().optional().catch(undefined),
  tags: z.array(z.unknown()).optional().catch(undefined),
  pinned: z.literal(true).optional().catch(undefined),
})
/** Stands in the place of a title that went into the trash with its context's folder. */
const InFolder = z.object({ key: z.string(), in_folder: z.literal(true) })
/** Colour of a conversation, and whether it is hidden. They are a list of their own: a Skein that knows none leaves that as it is. */
const Row = z.object({
  key: z.string().min(1).max(600),
  color: LabelColor.optional().catch(undefined),
  hidden: z.literal(true).optional().catch(undefined),
  created_at: z.number().optional().catch(undefined),
})
/** Items of another shape, and keys that are not ours, stay through every change. */
const TitleFile = z.looseObject({ titles: z.array(z.unknown()), rows: z.unknown().optional() })

/** More than a hundred thousand titles take. */
const largestBytes = 64 * 1024 * 1024

/**
 * Reads a file of titles; none where it is missing or damaged, and a bad item is left out alone.
 *
 * @throws DiskError
 */
export async function readTitles(disk: Disk, file: string): Promise<GivenTitles> {
  return (await readTitleFile(disk, file)).titles
}

/**
 * Reads a file of titles like `readTitles`, with the keys of conversations whose title is in the trash with their
 * folder.
 *
 * @throws DiskError
 */
export async function readTitleFile(
  disk: Disk,
  file: string,
): Promise<{ readonly titles: GivenTitles; readonly inFolders: readonly string[] }> {
  const found = asTitles(await readJson(disk, file, largestBytes))
  const titles = await runInSlices(titlesIn(found))
  const inFolders = (found?.titles ?? []).filter(isInFolder).map(keyOf)
  return { titles, inFolders }
}

/** Counts the items of a file of titles that are none of ours; 0 where it is missing or damaged. @throws DiskError */
export async function countOddTitles(disk: Disk, file: string): Promise<number> {
  const found = asTitles(await readJson(disk, file, largestBytes))
  return runInSlices(oddIn(found))
}

function* oddIn(found: z.infer<typeof TitleFile> | undefined): Sliced<number> {
  let odd = 0
  for (const item of found?.titles ?? []) {
    yield weightOfItem
    if (!Line.safeParse(item).success && !isInFolder(item)) odd += 1
  }
  for (const item of rowsIn(found)) {
    yield weightOfItem
    if (!Row.safeParse(item).success) odd += 1
  }
  return odd
}

/** Most items of a long file are none: only one with the key is parsed. */
function isInFolder(item: unknown): boolean {
  const hasKey = typeof item === 'object' && item !== null && 'in_folder' in item
  return hasKey && InFolder.safeParse(item).success
}

/** A file of a hundred thousand has about so much of each. In bytes. */
const weightOfItem = 512

function* titlesIn(found: z.infer<typeof TitleFile> | undefined): Sliced<GivenTitles> {
  const titles = new Map<string, TitleAndTags>()
  const sent = new Set<string>()
  for (const item of found?.titles ?? []) {
    yield weightOfItem
    const line = Line.safeParse(item).data
    if (line === undefined) {
      if (isInFolder(item)) sent.add(keyOf(item))
      continue
    }
    const { key, created_at: createdAt, title: stored, ...given } = line
    // Anybody may have written it: what is shown in lists is one plain line.
    const title =
      typeof stored === 'string' ? titleLine(stored, longestOwnTitle) || undefined : stored
    const before = titles.get(key)
    const found = plainTags([...(before?.tags ?? []), ...(given.tags ?? [])])
    const tags = found.length === 0 ? undefined : found
    const pinned = before?.pinned ?? given.pinned
    // Of two items of a key the later one counts, but none of a model above one of a person; the tags and pins of both do.
    const isLess =
      before?.title !== undefined &&
      (title === undefined || (given.by === 'model' && before.by === 'person'))
    if (isLess) titles.set(key, { ...before, tags, pinned })
    else if (title !== undefined || tags !== undefined || pinned !== undefined)
      titles.set(key, { ...given, title, tags, pinned, createdAt })
  }
  for (const item of rowsIn(found)) {
    yield weightOfItem
    const row = Row.safeParse(item).data
    if (row === undefined) continue
    const { key, created_at: createdAt } = row
    const before = titles.get(key)
    // A Skein that knows no rows may have given a title to another context of this name meanwhile.
    const isAnother = createdAt !== undefined && before?.createdAt !== undefined
    if (isAnother && createdAt !== before.createdAt) continue
    const color = before?.color ?? row.color
    const hidden = before?.hidden ?? row.hidden
    if (color === undefined && hidden === undefined) continue
    const wentWithFolder = before === undefined && sent.has(key) ? true : before?.wentWithFolder
    const given = before ?? { by: 'person', at: 0, createdAt }
    titles.set(key, { ...given, color, hidden, wentWithFolder })
  }
  return titles
}

function rowsIn(found: z.infer<typeof TitleFile> | undefined): readonly unknown[] {
  return Array.isArray(found?.rows) ? found.rows : []
}

/**
 * Sets or, with undefined, removes the titles of some conversations, or notes that they are in their folders, as
 * `change` returns them; the file is replaced at once and durably, or left as it is where nothing changes. A damaged
 * one is kept beside the new one, with a notice. The caller makes sure that nothing else writes it meanwhile.
 *
 * @throws DiskError
 */
export async function updateTitles(
  disk: Disk,
  file: string,
  change: (now: GivenTitles) => ReadonlyMap<string, TitleAndTags | 'in-folder' | undefined>,
  noticed: OnNotice = () => undefined,
): Promise<void> {
  const there = await readJson(disk, file, largestBytes)
  const found = asTitles(there)
  const changed = change(await runInSlices(titlesIn(found)))
  if (changed.size === 0) return
  const isOther = (item: unknown) => !changed.has(keyOf(item))
  const others = (found?.titles ?? []).filter(isOther)
  const given = [...changed].flatMap(([key, one]) => itemOf(key, one) ?? [])
  const rows = [
    ...rowsIn(found).filter(isOther),
    ...[...changed].flatMap(([key, one]) => rowOf(key, one) ?? []),
  ]
  if (there === undefined && given.length + rows.length === 0) return
  if (there !== undefined && found === undefined)
    await keepDamagedFile(disk, file, largestBytes, noticed)
  const { rows: before, ...kept } = found ?? {}
  // What another program has there stays until there is something of ours.
  const after = {
    ...kept,
    titles: [...others, ...given],
    ...(rows.length > 0
      ? { rows }
      : before === undefined || Array.isArray(before)
        ? {}
        : { rows: before }),
  }
  await replaceFile(disk, file, await runInSlices(writeTitleFile(after)))
}

/**
 * Returns the changes for a context with a new name: tags, a pin, a colour and a person's title move with it, and a model's title gives
 * way to the new name.
 */
export function renameTitles(
  now: GivenTitles,
  from: string,
  to: string,
): ReadonlyMap<string, TitleAndTags | undefined> {
  const given = now.get(from)
  const before = now.get(to)
  if (given === undefined) return new Map(before === undefined ? [] : [[to, undefined]])
  const { at, createdAt, tags, pinned, color, hidden } = given
  return new Map([
    [
      to,
      given.by === 'person'
        ? given
        : { title: null, by: 'person', at, createdAt, tags, pinned, color, hidden },
    ],
  ])
}

/** Returns a change that removes all that was given to a context that no longer has this name. */
export function forgetTitle(name: string) {
  return (now: GivenTitles): ReadonlyMap<string, undefined> =>
    new Map(now.has(name) ? [[name, undefined]] : [])
}

function keyOf(item: unknown): string {
  const isKeyed = typeof item === 'object' && item !== null && 'key' in item
  return isKeyed && typeof item.key === 'string' ? item.key : ''
}

/** Undefined where it has no title, no tags and no pin. */
function itemOf(key: string, given: TitleAndTags | 'in-folder' | undefined) {
  if (given === 'in-folder') return { key, in_folder: true }
  if (given === undefined) return undefined
  const { title, by, model, at, createdAt, why, tags, pinned } = given
  if (title === undefined && tags === undefined && pinned === undefined) return undefined
  return { key, title, by, model, at, created_at: createdAt, why, tags, pinned }
}

/** Undefined where it has no colour and is not hidden. */
function rowOf(key: string, given: TitleAndTags | 'in-folder' | undefined) {
  if (given === undefined || given === 'in-folder') return undefined
  const { color, hidden, createdAt } = given
  if (color === undefined && hidden === undefined) return undefined
  return { key, color, hidden, created_at: createdAt }
}

/** Undefined also for a damaged one: a write keeps it aside first. */
function asTitles(found: JsonFile | undefined): z.infer<typeof TitleFile> | undefined {
  return found === undefined || found === 'damaged'
    ? undefined
    : TitleFile.safeParse(found.value).data
}
