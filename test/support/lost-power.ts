import type { Random } from '../../bench/support/random'

/** A file of a disk that forgets. */
export interface FileNode {
  readonly type: 'file'
  readonly id: number
  bytes: Buffer
  /** So many of its bytes are durable, from its beginning; a disk's files only grow. */
  synced: number
  mtimeMs: number
  syncedMtimeMs: number
}

/** A folder of it: its names as they are, and as they are durable. */
export interface FolderNode {
  readonly type: 'folder'
  readonly id: number
  readonly names: Map<string, Inode>
  durable: Map<string, Inode>
  mtimeMs: number
}

export type Inode = FileNode | FolderNode

interface Place {
  readonly folder: FolderNode
  readonly name: string
}

/** A change of names: a file or folder that was made or linked has `to` alone, a removed one `from` alone, a renamed one both. */
export interface Change {
  readonly from?: Place
  readonly to?: Place
  readonly node: Inode
}

/**
 * Which changes of names outlive a power loss, of those that no sync of their folder has made durable. A renaming does so as
 * a whole or not at all.
 *
 * - `in order`: the first so many of the whole disk, as where names have a journal (ext4, XFS, APFS, NTFS);
 * - `in order, each folder`: the first so many of each folder (Btrfs logs a folder by itself when it is synced);
 * - `any`: any of them, as POSIX has it (FAT, ext2);
 * - `none`.
 */
export type NameLoss = 'none' | 'in order' | 'in order, each folder' | 'any'
export const nameLosses: readonly [NameLoss, ...NameLoss[]] = [
  'none',
  'in order',
  'in order, each folder',
  'any',
]

/**
 * What is left of the bytes that no sync has made durable.
 *
 * - `none`: nothing is left, not even the file's length;
 * - `all`: all is;
 * - `torn`: the file has any length up to the last; of its sectors each has arrived or has not, in whatever order. One that
 *   has not has zeros, or what stood there before.
 */
export type ByteLoss = 'none' | 'all' | 'torn'
export const byteLosses: readonly [ByteLoss, ...ByteLoss[]] = ['torn', 'none', 'all']

export interface Loss {
  readonly names: NameLoss
  readonly bytes: ByteLoss
}

/** Disks write so many bytes at once, or not. */
const sectorBytes = 512

/** Builds the tree of what outlives a power loss; `lost` are the ids that nothing has any more. */
export function survivors(
  root: FolderNode,
  pending: readonly Change[],
  random: Random,
  loss: Loss,
): { readonly root: FolderNode; readonly lost: readonly number[] } {
  const kept = keptChanges(pending, random, loss.names)
  const names = new Map<FolderNode, Map<string, Inode>>()
  const namesIn = (folder: FolderNode) => {
    const there = names.get(folder) ?? new Map(folder.durable)
    names.set(folder, there)
    return there
  }
  for (const { from, to, node } of kept) {
    if (from !== undefined && namesIn(from.folder).get(from.name) === node)
      namesIn(from.folder).delete(from.name)
    if (to !== undefined) namesIn(to.folder).set(to.name, node)
  }
  const made = new Map<Inode, Inode>()
  const copy = (node: Inode): Inode => {
    const there = made.get(node)
    if (there !== undefined) return there
    if (node.type === 'file') {
      const bytes = keptBytes(node, random, loss.bytes)
      const isSame = bytes.equals(node.bytes)
      const mtimeMs = isSame || random.below(2) === 0 ? node.mtimeMs : node.syncedMtimeMs
      const file: FileNode = {
        ...node,
        bytes,
        synced: bytes.length,
        mtimeMs,
        syncedMtimeMs: mtimeMs,
      }
      made.set(node, file)
      return file
    }
    const folder: FolderNode = { ...node, names: new Map(), durable: new Map() }
    made.set(node, folder)
    for (const [name, one] of namesIn(node)) folder.names.set(name, copy(one))
    folder.durable = new Map(folder.names)
    return folder
  }
  const left = copy(root)
  if (left.type !== 'folder') throw new Error('the root is a folder')
  const ids = new Set([...made.keys()].map(({ id }) => id))
  const lost = [...idsOf(root, pending)].filter((id) => !ids.has(id))
  return { root: left, lost }
}

/** Copies a tree with its changes that are not durable. */
export function copyOf(
  root: FolderNode,
  pending: readonly Change[],
): { readonly root: FolderNode; readonly pending: Change[] } {
  const made = new Map<Inode, Inode>()
  const copy = <Node extends Inode>(node: Node): Node => {
    const there = made.get(node)
    // A node's copy is of its kind.
    if (there !== undefined) return there as Node
    if (node.type === 'file') {
      const file = { ...node }
      made.set(node, file)
      return file
    }
    const folder = { ...node, names: new Map<string, Inode>(), durable: new Map<string, Inode>() }
    made.set(node, folder)
    for (const [name, one] of node.names) folder.names.set(name, copy(one))
    for (const [name, one] of node.durable) folder.durable.set(name, copy(one))
    return folder
  }
  const place = ({ folder, name }: Place): Place => ({ folder: copy(folder), name })
  return {
    root: copy(root),
    pending: pending.map(({ from, to, node }) => ({
      ...(from === undefined ? {} : { from: place(from) }),
      ...(to === undefined ? {} : { to: place(to) }),
      node: copy(node),
    })),
  }
}

function keptChanges(pending: readonly Change[], random: Random, how: NameLoss): readonly Change[] {
  if (how === 'none') return []
  if (how === 'any') {
    // Often nearly all or nearly none: one that is missing alone is what is looked for.
    const of = random.pick([2, 2, 8, 8])
    const isRare = random.below(2) === 0
    return pending.filter(() => (random.below(of) === 0) === isRare)
  }
  if (how === 'in order') return pending.slice(0, random.below(pending.length + 1))
  const ends = new Map<FolderNode, number>()
  const endOf = (folder: FolderNode) => {
    const end = ends.get(folder) ?? random.below(pending.length + 1)
    ends.set(folder, end)
    return end
  }
  return pending.filter((one, at) => {
    const folders = [one.from, one.to].flatMap((place) => (place ? [place.folder] : []))
    if (folders.every((folder) => at < endOf(folder))) return true
    // What comes behind one that is lost is lost as well.
    for (const folder of folders) ends.set(folder, Math.min(at, endOf(folder)))
    return false
  })
}

function keptBytes({ bytes, synced }: FileNode, random: Random, how: ByteLoss): Buffer {
  if (how === 'all' || synced === bytes.length) return Buffer.from(bytes)
  if (how === 'none') return Buffer.from(bytes.subarray(0, synced))
  const waiting = bytes.length - synced
  const length = random.below(3) === 0 ? bytes.length : synced + random.below(waiting + 1)
  const left = Buffer.from(bytes.subarray(0, length))
  const fill = random.pick<() => number>([() => 0, () => random.below(32), () => 0x0a])
  for (let start = synced - (synced % sectorBytes); start < length; start += sectorBytes) {
    if (random.below(2) === 0) continue
    const end = Math.min(length, start + sectorBytes)
    for (let at = Math.max(start, synced); at < end; at++) left[at] = fill()
  }
  return left
}

function idsOf(root: FolderNode, pending: readonly Change[]): ReadonlySet<number> {
  const ids = new Set<number>()
  const walk = (node: Inode) => {
    ids.add(node.id)
    if (node.type === 'folder') for (const one of node.names.values()) walk(one)
  }
  walk(root)
  for (const { node } of pending) walk(node)
  return ids
}
