import { z } from 'zod'
import { AppError } from '../../../shared/model/basics/errors'
import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { LibraryKey } from '../../../shared/model/conversation/conversation'
import { EntryId } from '../../../shared/model/conversation/entry'
import {
  type EntryLabel,
  isSameEverywhere,
  mostLabels,
} from '../../../shared/model/conversation/entry-labels'
import { type Label, LabelColor, labelColors } from '../../../shared/model/conversation/label'
import { tagLine } from '../../../shared/model/conversation/tag'
import type { Disk } from '../../disk/interface/disk'
import { jsonOfAnyDepth } from '../../disk/json/json-write'
import { type JsonFile, readJson } from '../../disk/json/read-json'
import { runAtOnce } from '../../disk/pacing/slices'
import { replaceFile } from '../../disk/writing/atomic'
import { keepDamagedFile, type OnNotice } from './known-contexts'

/** A label as a file has it. */
export interface StoredLabel extends EntryLabel {
  /** When the context was made, Unix seconds, where state.json told: ids that are no UUID mean an entry of that one alone. */
  readonly createdAt: number | undefined
}

/** The entry that a label is given to. */
export interface LabelledEntry extends Pick<StoredLabel, 'key' | 'entry' | 'createdAt'> {
  /** Unix seconds. */
  readonly at: number
}

const Item = z.object({
  key: LibraryKey,
  entry: EntryId.min(1).max(1000),
  word: z.string().max(4000),
  // Of another program, or of a later version: shown in the first colour, and written back as it is.
  color: LabelColor.catch(labelColors[0]),
  at: z.number().catch(0),
  created_at: z.number().optional().catch(undefined),
})
/** Items of another shape, and keys that are not ours, stay through every change. */
const LabelFile = z.looseObject({ labels: z.array(z.unknown()) })
type LabelFile = z.infer<typeof LabelFile>

/** `mostLabels` of the longest take less. */
const largestBytes = 16 * 1024 * 1024

/**
 * Reads a file of labels; none where it is missing or damaged, and a bad item is left out alone.
 *
 * @throws DiskError
 */
export async function readLabels(disk: Disk, file: string): Promise<readonly StoredLabel[]> {
  return labelsOf(asLabelFile(await readJson(disk, file, largestBytes)))
}

/** Counts the items of a file of labels that are none of ours; 0 where it is missing or damaged. @throws DiskError */
export async function countOddLabels(disk: Disk, file: string): Promise<number> {
  const found = asLabelFile(await readJson(disk, file, largestBytes))
  return (found?.labels ?? []).length - labelsOf(found).length
}

/**
 * Gives an entry a label, or takes it away where `label` is undefined; the file is replaced at once and durably, or left
 * as it is where nothing changes. Returns the label that the entry had. A damaged file is kept beside the new one, with
 * a notice. The caller makes sure that nothing else writes it meanwhile.
 *
 * @throws DiskError; AppError `bad-argument` where there are too many
 */
export async function writeLabel(
  disk: Disk,
  file: string,
  on: LabelledEntry,
  label: Label | undefined,
  noticed: OnNotice,
): Promise<StoredLabel | undefined> {
  let before: StoredLabel | undefined
  await updateFile(disk, file, noticed, (items) => {
    const isOnIt = items.map((item) => isOn(labelIn(item), on))
    // Of several on one entry the last counts: the others go with it.
    const at = isOnIt.lastIndexOf(true)
    before = labelIn(items[at])
    if (before?.word === label?.word && before?.color === label?.color) return items
    const others = items.filter((_, place) => !isOnIt[place])
    if (label === undefined) return others
    if (others.length >= mostLabels)
      throw new AppError(
        'bad-argument',
        `There are already ${mostLabels} labels; no more are kept.`,
      )
    const item = { ...objectIn(items[at]), ...itemOf(on, label) }
    if (before === undefined) return [...others, item]
    return items.flatMap((one, place) => (place === at ? [item] : isOnIt[place] ? [] : [one]))
  })
  return before
}

/**
 * Gives entries labels as `writeLabel`, all in one write, but never in the place of another: returns how many were left out, because
 * their entry has one with other words or another colour, or there would be too many.
 *
 * @throws DiskError
 */
export async function addLabels(
  disk: Disk,
  file: string,
  all: readonly { readonly on: LabelledEntry; readonly label: Label }[],
  noticed: OnNotice,
): Promise<number> {
  let leftOut = 0
  await updateFile(disk, file, noticed, (items) => {
    const there = new Map<string, Label>()
    for (const label of items.map(labelIn))
      if (label !== undefined) there.set(placeOf(label), label)
    const added: unknown[] = []
    for (const { on, label } of all) {
      const before = there.get(placeOf(on))
      if (before?.word === label.word && before.color === label.color) continue
      if (before !== undefined || items.length + added.length >= mostLabels) {
        leftOut += 1
        continue
      }
      there.set(placeOf(on), label)
      added.push(itemOf(on, label))
    }
    return added.length > 0 ? [...items, ...added] : items
  })
  return leftOut
}

/** The same for labels that are on one entry, as `isOn` tells. */
function placeOf({ key, entry }: Pick<LabelledEntry, 'key' | 'entry'>): string {
  return JSON.stringify([isSameEverywhere(key, entry) ? '' : key, entry])
}

/**
 * Moves the labels of a context to its new name. Those of another one that had this name go, where their ids are not
 * the same everywhere.
 *
 * @throws DiskError
 */
export async function renameLabels(
  disk: Disk,
  file: string,
  from: LibraryKey,
  to: LibraryKey,
  noticed: OnNotice,
): Promise<void> {
  await updateFile(disk, file, noticed, (items) => {
    const isOfBefore = (label: StoredLabel | undefined) =>
      label?.key === to && !isSameEverywhere(to, label.entry)
    if (!items.some((item) => labelIn(item)?.key === from)) return items
    return items.flatMap((item) => {
      const label = labelIn(item)
      if (isOfBefore(label)) return []
      return label?.key === from ? [{ ...objectIn(item), key: to }] : [item]
    })
  })
}

async function updateFile(
  disk: Disk,
  file: string,
  noticed: OnNotice,
  change: (items: readonly unknown[]) => readonly unknown[],
): Promise<void> {
  const there = await readJson(disk, file, largestBytes)
  const found = asLabelFile(there)
  const before = found?.labels ?? []
  const labels = change(before)
  if (labels === before) return
  if (there !== undefined && found === undefined)
    await keepDamagedFile(disk, file, largestBytes, noticed)
  const after = { ...found, labels }
  // What is nested too deeply for an indent was not written by us, and stays all the same.
  const text = isDeeperThan(after, deepestLine)
    ? runAtOnce(jsonOfAnyDepth(after))
    : JSON.stringify(after, undefined, 1)
  await replaceFile(disk, file, Buffer.from(`${text}\n`))
}

function labelsOf(found: LabelFile | undefined): readonly StoredLabel[] {
  return (found?.labels ?? []).flatMap((item) => {
    const label = labelIn(item)
    return label === undefined ? [] : [label]
  })
}

/** Anybody may have written it: what is shown is one plain line. */
function labelIn(item: unknown): StoredLabel | undefined {
  const { data } = Item.safeParse(item)
  if (data === undefined) return undefined
  const word = tagLine(data.word)
  if (word === undefined) return undefined
  const { key, entry, color, at, created_at: createdAt } = data
  return { key, entry, word, color, at, createdAt }
}

/** Whether a label is on this entry: copies of it are it, and another context of its name has others. */
function isOn(label: StoredLabel | undefined, on: LabelledEntry): boolean {
  if (label?.entry !== on.entry) return false
  if (isSameEverywhere(on.key, on.entry)) return isSameEverywhere(label.key, label.entry)
  return label.key === on.key
}

function itemOf({ key, entry, at, createdAt }: LabelledEntry, { word, color }: Label) {
  return { key, entry, word, color, at, created_at: createdAt }
}

function objectIn(item: unknown): JsonObject {
  return isJsonObject(item) ? item : {}
}

/** Undefined also for a damaged one: a write keeps it aside first. */
function asLabelFile(found: JsonFile | undefined): LabelFile | undefined {
  return found === undefined || found === 'damaged'
    ? undefined
    : LabelFile.safeParse(found.value).data
}
