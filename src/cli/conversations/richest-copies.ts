import type { Disk } from '../../main/disk/interface/disk'
import type { HistoryReader, SourceRef } from '../../main/readers/common/reader'
import { readers } from '../../main/readers/index'
import type { Root } from '../command/arguments'
import { isUnreadable, tolerantReader } from './tolerant-reader'

/** A test whether the copy of a conversation under a root counts, and not one under another root. */
export type IsRichest = (root: Root, ref: SourceRef) => boolean

/**
 * Finds out which copies count of conversations that a system keeps in several stores, under several of the roots. Lists
 * these roots; those of other systems are not touched, and each conversation there counts.
 */
export async function findRichest(
  roots: readonly Root[],
  disk: Disk,
  signal: AbortSignal,
): Promise<IsRichest> {
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
