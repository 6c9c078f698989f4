import type { Disk } from '../../main/disk/interface/disk'
import type { HistoryReader, SourceRef } from '../../main/readers/common/reader'
import { readers } from '../../main/readers/index'
import { type ReadConversation, readUnit } from '../../main/readers/read-root'
import { AppError } from '../../shared/model/basics/errors'
import type { UnreadPart } from '../../shared/model/conversation/reading'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { FileLedger } from '../../shared/model/conversation/transcript'
import { type Arguments, type Root, textFlag, UsageError } from '../command/arguments'
import { findChosen } from './chosen-copies'
import { sayOnce, tolerantReader } from './tolerant-reader'

/** Conversation that was found and read, with the ledgers of its files. */
export interface FoundConversation {
  readonly conversation: ReadConversation
  /** The ledgers of its files. */
  readonly files: readonly FileLedger[]
  /** Notices, one sentence each. */
  readonly notices: readonly string[]
  /** Parts that could not be read. */
  readonly unread: readonly UnreadPart[]
  /** How many of its lines are damaged. */
  readonly damagedLines: number
  readonly ref: SourceRef
  readonly reader: HistoryReader
}

/** A conversation that can be read, by names, sizes and times. */
export interface ListedRef {
  readonly reader: HistoryReader
  readonly ref: SourceRef
  /** Where it was listed. */
  readonly root: Root
}

/**
 * Yields the conversations under the roots, in the roots' order, without reading them; of one that a system keeps in several
 * stores, the copy that counts.
 *
 * @param note gets a sentence for what cannot be listed; the others are listed all the same
 */
export async function* listRefs(
  args: Pick<Arguments, 'roots'>,
  disk: Disk,
  signal: AbortSignal,
  note: (words: string) => void,
): AsyncGenerator<ListedRef> {
  const choose = await findChosen(args.roots, disk, signal)
  for (const root of args.roots)
    for (const reader of readers)
      if (reader.id === root.source) {
        const noteOf = (words: string) => note(`${sourceLabel(reader.id)}: ${words}`)
        const { list } = tolerantReader(reader, noteOf, (ref) => choose(root, ref))
        for await (const ref of list(root.path, disk, signal)) yield { reader, ref, root }
      }
}

/**
 * Finds a conversation by `key` or `source:key`, in the order of the roots; else the only one whose key has the
 * wanted text in it.
 *
 * @param note gets a sentence for what cannot be listed
 * @throws AppError `not-found`
 */
export async function findRef(
  wanted: string,
  args: Pick<Arguments, 'roots'>,
  disk: Disk,
  signal: AbortSignal,
  note: (words: string) => void,
): Promise<ListedRef> {
  const listed: ListedRef[] = []
  for await (const one of listRefs(args, disk, signal, sayOnce(note))) listed.push(one)
  return pickNamed(wanted, listed, ({ ref }) => ref)
}

interface Named {
  readonly source: string
  readonly key: string
}

/**
 * Finds the one that `wanted` names: by its key, by `source:key`, or by a part that only one has. Letters with marks
 * are the same however they are composed, since a typed name and another system's often differ in it.
 *
 * @throws AppError `not-found`
 */
export function pickNamed<T>(wanted: string, all: readonly T[], nameOf: (one: T) => Named): T {
  const found = exactlyNamed(wanted, all, nameOf) ?? partlyNamed(wanted, all, nameOf)
  if (found === undefined) throw new AppError('not-found', `There is no conversation "${wanted}".`)
  return found
}

/**
 * Finds the only one that has this in its key; undefined where none has.
 *
 * @throws AppError `not-found` where several have it; names them
 */
export function partlyNamed<T>(
  wanted: string,
  all: readonly T[],
  nameOf: (one: T) => Named,
): T | undefined {
  const near = wanted === '' ? [] : all.filter((one) => holds(nameOf(one), wanted))
  if (near.length > 1) throw new AppError('not-found', severalWords(wanted, near.map(nameOf)))
  return near[0]
}

/** Finds the one whose whole key, or `source:key`, this is; undefined where there is none. */
export function exactlyNamed<T>(
  wanted: string,
  all: readonly T[],
  nameOf: (one: T) => Named,
): T | undefined {
  const exact = all.find((one) => {
    const { source, key } = nameOf(one)
    return key === wanted || `${source}:${key}` === wanted
  })
  if (exact !== undefined) return exact
  const composed = wanted.normalize('NFC')
  const same = all.filter((one) => {
    const { source, key } = nameOf(one)
    const own = key.normalize('NFC')
    return own === composed || `${source}:${own}` === composed
  })
  return same.length === 1 ? same[0] : undefined
}

function holds({ source, key }: Named, wanted: string): boolean {
  const own = wanted.startsWith(`${source}:`) ? wanted.slice(source.length + 1) : wanted
  return key.normalize('NFC').includes(own.normalize('NFC'))
}

const namesTold = 10

function severalWords(wanted: string, near: readonly Named[]): string {
  const names = near.slice(0, namesTold).map(({ source, key }) => `${source}:${key}`)
  const others = near.length > namesTold ? `, and ${near.length - namesTold} more` : ''
  return `"${wanted}" stands in the keys of ${near.length} conversations: ${names.join(', ')}${others}.`
}

/** Reads a conversation; undefined where it is not there any more. @throws AppError `unreadable` */
export async function readListed(
  { reader, ref }: ListedRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundConversation | undefined> {
  const { conversations, files, notices, unread, damaged } = await readUnit(
    reader,
    ref,
    disk,
    signal,
  )
  const conversation = conversations.find(({ key }) => key === ref.key)
  if (conversation === undefined) return undefined
  return {
    conversation,
    files,
    notices: notices.map(({ notice }) => notice),
    unread: unread.map(({ part }) => part),
    damagedLines: damaged.find(({ key }) => key === ref.key)?.lines ?? 0,
    ref,
    reader,
  }
}

/**
 * Returns the roots of the source that `--source` names; all of them without it.
 *
 * @throws UsageError where there is none
 */
export function rootsOfSource(args: Arguments): Pick<Arguments, 'roots'> {
  const wanted = textFlag(args, 'source')
  if (wanted === undefined) return args
  const roots = args.roots.filter(({ source }) => source === wanted)
  if (roots.length === 0)
    throw new UsageError(`Nothing of the source "${wanted}" is read; "skein sources" lists them.`)
  return { roots }
}
