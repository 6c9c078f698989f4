import path from 'node:path'
import { largestOf, smallestOf } from '../../../shared/model/basics/long-lists'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import { type Disk, DiskError } from '../../disk/interface/disk'
import type { FirstFailure } from '../common/first-failure'
import { glanceOf } from '../common/glance'
import type { LookElsewhere, SourceFile, SourceRef } from '../common/reader'
import { type DayIndex, dayIndexesOf, dayIndexOf } from './day-index'
import type { DayPart } from './day-scan'
import { type DocumentGroup, type FoundFile, groupDocuments, unreadPart } from './documents'
import { findVoicemodeFiles } from './files'
import { Opening } from './opening'

interface Stretch {
  /** The number of its file, by name. */
  readonly at: number
  readonly found: FoundFile
  readonly part: DayPart
}

/**
 * Lists the conversations under a root: those of text files, then those of day files, by their first lines. A day file
 * that cannot be read has none: the ledgers have the reason, and conversations of the days around it list it as a part
 * that may hold lines of theirs.
 *
 * @throws AppError `unreadable`
 */
export async function* listConversations(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const files = await findVoicemodeFiles(root, disk, signal)
  for (const group of await groupDocuments(files.root, files.documents, disk, signal))
    yield refOfDocuments(files.root, group)
  const seen = files.days.map(({ file, stat }) => ({ path: path.join(files.root, file), stat }))
  const indexes = await dayIndexesOf(disk, seen, signal, elsewhere)
  const conversations = new Map<string, Stretch[]>()
  for (const [at, found] of files.days.entries())
    for (const [key, part] of indexIn(indexes[at])) {
      const stretches = conversations.get(key)
      if (stretches === undefined) conversations.set(key, [{ at, found, part }])
      else stretches.push({ at, found, part })
    }
  const failures = indexes.flatMap((index, at) =>
    index instanceof DiskError ? [{ at, part: unreadPart(files.days[at]?.file ?? '', index) }] : [],
  )
  const readAt = indexes.flatMap((index, at) => (index instanceof DiskError ? [] : [at]))
  // Any day may lie in a folder that cannot be listed.
  const folders = unreadFolders(files.failure)
  for (const [key, stretches] of conversations) {
    const days = failures.filter(({ at }) => mayHold(at, stretches, readAt))
    const unread = [...folders, ...days.map(({ part }) => part)]
    const ref = refOfDays(files.root, key, stretches)
    yield unread.length === 0 ? ref : { ...ref, unread }
  }
  files.failure.throw()
}

function unreadFolders({ first }: FirstFailure): readonly UnreadPart[] {
  if (first === undefined) return []
  return [{ file: '', fromByte: 0, cause: 'failed', sentence: first.message }]
}

function indexIn(index: DayIndex | DiskError | undefined): Iterable<[string, DayPart]> {
  return index === undefined || index instanceof DiskError ? [] : index
}

/** Tells whether a conversation may go on in a file: it has lines in one before and one after it, or in the next one on a side. */
function mayHold(
  unreadAt: number,
  stretches: readonly Stretch[],
  readAt: readonly number[],
): boolean {
  const own = stretches.map(({ at }) => at)
  const before = readAt.findLast((at) => at < unreadAt) ?? Number.NEGATIVE_INFINITY
  const after = readAt.find((at) => at > unreadAt) ?? Number.POSITIVE_INFINITY
  return largestOf(own) >= before && smallestOf(own) <= after
}

function refOfDays(root: string, key: string, byName: readonly Stretch[]): SourceRef {
  const stretches = inOrder(byName)
  const files = suffixed(
    stretches.map(({ found, part: { offset, line, end } }) => ({
      ...sourceFile(found),
      part: { offset, line, end },
    })),
  )
  const bytes = stretches.reduce((sum, { part }) => sum + part.bytes, 0)
  const last = latest(stretches.map(({ part }) => part.last))
  const written = latest(files.map(({ mtimeMs }) => mtimeMs))
  const updatedAtMs = last === undefined ? written : last * 1000
  const ref = { source: 'voicemode', root, key, files, bytes, updatedAtMs } as const
  // Which of its lines is the first one is only known when they are put in order.
  if (!isOrdered(stretches)) return { ...ref, isUnordered: true }
  const opening = openingIn(stretches.map(({ part }) => part))
  return { ...ref, glance: glanceOf(ref, opening.fact(key), last) }
}

/** By the first lines in each part of a conversation. */
function openingIn(parts: readonly DayPart[]): Opening {
  let opening = new Opening()
  for (const part of parts) {
    if (opening.isComplete) break
    opening = opening.followedBy(part.opening)
  }
  return opening
}

function isOrdered(stretches: readonly Stretch[]): boolean {
  let before = Number.NEGATIVE_INFINITY
  return stretches.every(({ part }) => {
    const goesOn = part.isOrdered && (part.first ?? before) >= before
    before = part.last ?? before
    return goesOn
  })
}

/**
 * The files, each with the suffix of its line numbers in ids: nothing in a conversation's first file,
 * `@2025-08-02` in another day's, more of the name where two share that.
 */
function suffixed(files: readonly SourceFile[]): readonly SourceFile[] {
  const taken = new Set<string>()
  return files.map((source, at) => {
    if (at === 0) return source
    const name = path.posix.basename(source.file).replace(/^exchanges_/, '')
    const day = name.replace(/\.(?:gz|zst)$/i, '').replace(/\.(?:jsonl|txt)$/i, '')
    const idSuffix = [day, name, source.file].map((one) => `@${one}`).find((one) => !taken.has(one))
    taken.add(idSuffix ?? '')
    return idSuffix === undefined ? source : { ...source, idSuffix }
  })
}

/** By the first instant in each; one without any stays behind the one before it by name. */
function inOrder(byName: readonly Stretch[]): readonly Stretch[] {
  let before = Number.NEGATIVE_INFINITY
  return byName
    .map((stretch) => {
      before = stretch.part.first ?? before
      return { stretch, instant: before }
    })
    .sort((a, b) => (a.instant === b.instant ? 0 : a.instant - b.instant))
    .map(({ stretch }) => stretch)
}

function refOfDocuments(root: string, { key, files: found, unread }: DocumentGroup): SourceRef {
  const files = suffixed(found.map((one) => ({ ...sourceFile(one), isDocument: true as const })))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const updatedAtMs = latest(files.map(({ mtimeMs }) => mtimeMs))
  const ref = { source: 'voicemode', root, key, files, bytes, updatedAtMs } as const
  return unread.length === 0 ? ref : { ...ref, unread }
}

function sourceFile({ file, stat }: FoundFile): SourceFile {
  const { sizeBytes: bytes, mtimeMs, identity } = stat
  // It has no stat.
  if (identity === '') return { file, bytes, mtimeMs: undefined }
  return { file, bytes, mtimeMs, identity }
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (found, time) => (found === undefined || (time ?? found) > found ? time : found),
    undefined,
  )
}

/**
 * Reads the opening of a conversation from the first lines in each of its files, as they were listed.
 *
 * @throws DiskError
 */
export async function openingOf(ref: SourceRef, disk: Disk, signal: AbortSignal): Promise<Opening> {
  const parts: DayPart[] = []
  for (const source of ref.files) {
    const part = (await indexOf(ref, source, disk, signal)).get(ref.key)
    if (part !== undefined) parts.push(part)
  }
  return openingIn(parts)
}

/**
 * Reads the time of a conversation's latest line, in Unix seconds, as its files were listed.
 *
 * @throws DiskError
 */
export async function lastInstant(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<number | undefined> {
  const times: (number | undefined)[] = []
  for (const source of ref.files)
    if (!source.isDocument)
      times.push((await indexOf(ref, source, disk, signal)).get(ref.key)?.last)
  return latest(times)
}

/** The index that was read to list it, as a rule. */
function indexOf(
  { root }: SourceRef,
  { file, bytes, mtimeMs = 0, identity = '' }: SourceFile,
  disk: Disk,
  signal: AbortSignal,
): Promise<DayIndex> {
  const stat = { kind: 'file', sizeBytes: bytes, mtimeMs, identity } as const
  return dayIndexOf(disk, path.join(root, file), stat, signal)
}
