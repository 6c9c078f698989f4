import type { Disk } from '../../main/disk/interface/disk'
import { isMissingIn } from '../../main/library/backups'
import type { HistoryReader, SourceRef } from '../../main/readers/common/reader'
import { readers } from '../../main/readers/index'
import { pushAll } from '../../shared/model/basics/long-lists'
import type { Root } from '../command/arguments'
import { isUnreadable, tolerantReader } from './tolerant-reader'

/**
 * A choice among the copies of a conversation: the listed one, under the key that it has on the command line, or undefined where
 * another one counts. For one reading of the roots, in their order.
 */
export type ChooseCopy = (root: Root, ref: SourceRef) => SourceRef | undefined

/**
 * Finds out which copies count of conversations that a system keeps in several stores, under several of the roots, and what of
 * backups their roots do not have any more. Lists these roots; those of other systems are not touched, and each
 * conversation there counts.
 */
export async function findChosen(
  roots: readonly Root[],
  disk: Disk,
  signal: AbortSignal,
): Promise<ChooseCopy> {
  const isRichest = await findRichest(roots, disk, signal)
  const isMissing = await findMissing(roots, disk, signal)
  const taken = new Map<string, string>()

  /** As the library has it: of several with one key the later ones are numbered. */
  function keyed(root: Root, ref: SourceRef): SourceRef {
    const own = `${root.path}\0${ref.key}`
    for (let copy = 1; ; copy++) {
      const key = copy === 1 ? ref.key : `${ref.key}@${copy}`
      const name = `${ref.source}:${key}`
      const owner = taken.get(name)
      if (owner !== undefined && owner !== own) continue
      taken.set(name, own)
      return root.backup === undefined || copy === 1 ? ref : { ...ref, key }
    }
  }

  return (root, ref) =>
    isRichest(root, ref) && isMissing(root, ref) ? keyed(root, ref) : undefined
}

type Counts = (root: Root, ref: SourceRef) => boolean

async function findRichest(
  roots: readonly Root[],
  disk: Disk,
  signal: AbortSignal,
): Promise<Counts> {
  const richest = new Map<string, { readonly root: Root; readonly ref: SourceRef }>()
  for (const root of roots) {
    const reader = readers.find(({ id }) => id === root.source)
    const isAlone = roots.filter(({ source }) => source === root.source).length < 2
    if (reader?.isRicher === undefined || isAlone) continue
    for (const ref of await refsUnder(reader, root, disk, signal)) {
      const name = `${root.source}:${ref.key}`
      const other = richest.get(name)
      if (other === undefined || reader.isRicher(ref, other.ref)) richest.set(name, { root, ref })
    }
  }
  return (root, { key }) => {
    const found = richest.get(`${root.source}:${key}`)
    return found === undefined || found.root === root
  }
}

/** Chooses what backups have that is not at its root any more, earlier versions, and all that is in no backup. */
async function findMissing(
  roots: readonly Root[],
  disk: Disk,
  signal: AbortSignal,
): Promise<Counts> {
  const tests = new Map<Root, (ref: SourceRef) => boolean>()
  for (const root of roots) {
    const { source, backup } = root
    const reader = readers.find(({ id }) => id === source)
    if (backup?.version !== 'newest' || reader === undefined) continue
    const live: SourceRef[] = []
    for (const other of roots)
      if (other.backup === undefined && other.source === source && other.path === backup.of)
        pushAll(live, await refsUnder(reader, other, disk, signal))
    tests.set(root, isMissingIn(live))
  }
  return (root, ref) => tests.get(root)?.(ref) ?? true
}

async function refsUnder(
  reader: HistoryReader,
  root: Root,
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  try {
    // What cannot be listed is reported where it is read.
    const { list } = tolerantReader(reader, () => undefined)
    for await (const ref of list(root.path, disk, signal)) refs.push(ref)
  } catch (error) {
    if (signal.aborted || !isUnreadable(error)) throw error
  }
  return refs
}
