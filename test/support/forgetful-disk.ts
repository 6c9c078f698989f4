import path from 'node:path'
import type { Random } from '../../bench/support/random'
import {
  type Disk,
  DiskError,
  type DiskFile,
  type FileStat,
} from '../../src/main/disk/interface/disk'
import { callKind } from './call-kinds'
import {
  type Change,
  copyOf,
  type FileNode,
  type FolderNode,
  type Inode,
  type Loss,
  survivors,
} from './lost-power'

/**
 * A disk in memory that keeps apart what is durable: of a file, the bytes that were there at its last sync; of a folder, the
 * names that were in it at its last sync. Everything else is lost by `powerLoss`, or is not, as the seed has it.
 */
export interface ForgetfulDisk extends Disk {
  /** Calls so far that may have changed the disk. */
  readonly calls: () => number
  /** The kind of each of them, in order. */
  readonly kinds: () => readonly string[]
  /** Counts anew, and stops right before the call with this number: from then on every call fails, reading ones too. */
  stopAt(call: number): void
  /** Whether it has stopped: what is told from then on is told by nobody. */
  readonly hasStopped: () => boolean
  /** Another disk with the same on it, durable and not, for the next process: the first one was killed, and the machine goes on. */
  copied(): ForgetfulDisk
  /** Another disk, as it is found when the power is back: everything on it is durable. @param nowMs the clock of its files then */
  powerLoss(random: Random, loss: Loss, nowMs: number): ForgetfulDisk
  /** Makes everything durable. */
  settle(): void
  /** Puts a durable file in place, with its folders. */
  put(file: string, content: string | Uint8Array): void
  /** Every file by its path, with its bytes. */
  files(): ReadonlyMap<string, Buffer>
}

interface Machine {
  readonly root: FolderNode
  /** Changes of folders that are not durable yet, in their order. */
  pending: Change[]
  readonly freeIds: number[]
  nextId: number
  readonly now: () => number
}

/** Creates an empty one; paths are absolute, with slashes. @param now the clock of its files, Unix milliseconds */
export function forgetfulDisk(now: () => number): ForgetfulDisk {
  const root: FolderNode = {
    type: 'folder',
    id: 1,
    names: new Map(),
    durable: new Map(),
    mtimeMs: now(),
  }
  return onMachine({ root, pending: [], freeIds: [], nextId: 2, now })
}

function onMachine(machine: Machine): ForgetfulDisk {
  let kinds: string[] = []
  let stop = Number.POSITIVE_INFINITY
  let hasStopped = false

  const off = (target: string) => new DiskError('io', target, `${target}: the machine is off`)
  const reading = (target: string) => {
    if (hasStopped) throw off(target)
  }
  const changing = (call: string, target: string) => {
    reading(target)
    kinds.push(callKind(call, target))
    if (kinds.length < stop) return
    hasStopped = true
    throw off(target)
  }
  const fails = (code: 'not-found' | 'exists' | 'is-directory' | 'not-directory', target: string) =>
    new DiskError(code, target, `${target}: ${code}`)

  const find = (target: string): Inode | undefined => {
    let at: Inode = machine.root
    for (const name of partsOf(target)) {
      if (at.type !== 'folder') return undefined
      const next = at.names.get(name)
      if (next === undefined) return undefined
      at = next
    }
    return at
  }
  const folderAt = (target: string): FolderNode => {
    const found = find(target)
    if (found === undefined) throw fails('not-found', target)
    if (found.type !== 'folder') throw fails('not-directory', target)
    return found
  }
  const placeOf = (target: string) => ({
    folder: folderAt(path.posix.dirname(target)),
    name: path.posix.basename(target),
  })
  const change = (one: Change) => {
    machine.pending.push(one)
    const at = machine.now()
    if (one.from !== undefined) {
      one.from.folder.names.delete(one.from.name)
      one.from.folder.mtimeMs = at
    }
    if (one.to === undefined) return
    one.to.folder.names.set(one.to.name, one.node)
    one.to.folder.mtimeMs = at
  }
  const newId = () => machine.freeIds.pop() ?? machine.nextId++
  const newFile = (): FileNode => {
    const at = machine.now()
    return {
      type: 'file',
      id: newId(),
      bytes: Buffer.alloc(0),
      synced: 0,
      mtimeMs: at,
      syncedMtimeMs: at,
    }
  }
  const newFolder = (): FolderNode => ({
    type: 'folder',
    id: newId(),
    names: new Map(),
    durable: new Map(),
    mtimeMs: machine.now(),
  })
  const makeFolder = (target: string) => {
    let at = machine.root
    for (const name of partsOf(target)) {
      let next = at.names.get(name)
      if (next === undefined) {
        next = newFolder()
        change({ to: { folder: at, name }, node: next })
      }
      if (next.type !== 'folder') throw fails('exists', target)
      at = next
    }
  }
  const remove = (target: string, type: Inode['type']) => {
    const from = placeOf(target)
    const node = from.folder.names.get(from.name)
    if (node === undefined) throw fails('not-found', target)
    if (node.type !== type) throw fails(type === 'file' ? 'is-directory' : 'not-directory', target)
    if (node.type === 'folder' && node.names.size > 0) throw fails('exists', target)
    change({ from, node })
  }
  const statOf = (target: string): FileStat | undefined => {
    reading(target)
    const node = find(target)
    return node && nodeStat(node)
  }

  const fileOf = (target: string, node: FileNode): DiskFile => ({
    async read(into, position) {
      reading(target)
      return node.bytes.copy(into, 0, position)
    },
    async write(bytes) {
      changing('write', target)
      node.bytes = Buffer.concat([node.bytes, bytes])
      node.mtimeMs = machine.now()
      return bytes.length
    },
    async sync() {
      changing('sync', target)
      node.synced = node.bytes.length
      node.syncedMtimeMs = node.mtimeMs
    },
    async stat() {
      reading(target)
      return nodeStat(node)
    },
    close: async () => undefined,
  })

  const disk: ForgetfulDisk = {
    calls: () => kinds.length,
    kinds: () => kinds,
    hasStopped: () => hasStopped,
    stopAt(call) {
      kinds = []
      stop = call
    },
    copied() {
      const { root, pending } = copyOf(machine.root, machine.pending)
      return onMachine({ ...machine, root, pending, freeIds: [...machine.freeIds] })
    },
    powerLoss(random, loss, nowMs) {
      const { root, lost } = survivors(machine.root, machine.pending, random, loss)
      const freeIds = [...machine.freeIds, ...lost]
      return onMachine({ ...machine, root, pending: [], freeIds, now: () => nowMs })
    },
    settle() {
      machine.pending = []
      const all = (node: Inode) => {
        if (node.type === 'file') {
          node.synced = node.bytes.length
          node.syncedMtimeMs = node.mtimeMs
          return
        }
        node.durable = new Map(node.names)
        for (const one of node.names.values()) all(one)
      }
      all(machine.root)
    },
    put(target, content) {
      makeFolder(path.posix.dirname(target))
      const to = placeOf(target)
      const node = newFile()
      node.bytes = Buffer.from(content)
      change({ to, node })
      disk.settle()
    },
    files() {
      const all = new Map<string, Buffer>()
      const walk = (node: Inode, at: string) => {
        if (node.type === 'file') all.set(at, node.bytes)
        else for (const [name, one] of node.names) walk(one, `${at === '/' ? '' : at}/${name}`)
      }
      walk(machine.root, '/')
      return all
    },
    stat: async (target) => statOf(target),
    statNow: statOf,
    async list(folder) {
      reading(folder)
      return [...folderAt(folder).names.keys()]
    },
    async open(target, mode) {
      if (mode !== 'read') changing('open', target)
      else reading(target)
      const there = find(target)
      if (there?.type === 'folder') throw fails('is-directory', target)
      if (there !== undefined) {
        if (mode === 'create-new') throw fails('exists', target)
        return fileOf(target, there)
      }
      const to = placeOf(target)
      if (mode === 'read') throw fails('not-found', target)
      const node = newFile()
      change({ to, node })
      return fileOf(target, node)
    },
    async makeFolder(folder) {
      changing('makeFolder', folder)
      makeFolder(folder)
    },
    async rename(source, target) {
      changing('rename', target)
      const [from, to] = [placeOf(source), placeOf(target)]
      const node = from.folder.names.get(from.name)
      const there = to.folder.names.get(to.name)
      if (node === undefined) throw fails('not-found', target)
      // By POSIX nothing is done where both are names of one file.
      if (there === node) return
      if (there?.type === 'folder' && there.names.size > 0) throw fails('exists', target)
      if (there !== undefined && there.type !== node.type)
        throw fails(there.type === 'folder' ? 'is-directory' : 'not-directory', target)
      change({ from, to, node })
    },
    async link(source, target) {
      changing('link', target)
      const node = find(source)
      const to = placeOf(target)
      if (node?.type !== 'file')
        throw fails(node === undefined ? 'not-found' : 'is-directory', target)
      if (to.folder.names.has(to.name)) throw fails('exists', target)
      change({ to, node })
    },
    async unlink(target) {
      changing('unlink', target)
      remove(target, 'file')
    },
    async removeFolder(target) {
      changing('removeFolder', target)
      remove(target, 'folder')
    },
    async syncFolder(target) {
      changing('syncFolder', target)
      const folder = folderAt(target)
      const isOfIt = ({ from, to }: Change) => from?.folder === folder || to?.folder === folder
      for (const one of machine.pending) if (isOfIt(one)) makeDurable(one)
      machine.pending = machine.pending.filter((one) => !isOfIt(one))
    },
    async realPath(target) {
      reading(target)
      if (find(target) === undefined) throw fails('not-found', target)
      return path.posix.resolve(target)
    },
    async setModified(target, mtimeMs) {
      changing('setModified', target)
      const node = find(target)
      if (node === undefined) throw fails('not-found', target)
      node.mtimeMs = mtimeMs
    },
  }
  return disk
}

function makeDurable({ from, to, node }: Change): void {
  if (from !== undefined && from.folder.durable.get(from.name) === node)
    from.folder.durable.delete(from.name)
  to?.folder.durable.set(to.name, node)
}

function partsOf(target: string): readonly string[] {
  return path.posix.resolve(target).split('/').filter(Boolean)
}

function nodeStat(node: Inode): FileStat {
  return {
    kind: node.type === 'file' ? 'file' : 'directory',
    sizeBytes: node.type === 'file' ? node.bytes.length : 0,
    mtimeMs: node.mtimeMs,
    identity: `1:${node.id}`,
  }
}
