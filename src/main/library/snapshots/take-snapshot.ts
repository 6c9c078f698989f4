import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { openAgeWriter } from '../../disk/encryption/age-writer'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { type WrittenMember, ZipWriter } from '../../disk/pack/zip-writer'
import { isNameTaken, isNotFound, namesInFolder } from '../../disk/reading/read'
import { moveToFreeName, temporaryName, withTemporary } from '../../disk/writing/atomic'
import { checkMembers, membersOfSnapshot } from './check-snapshot'
import {
  encryptedEnding,
  requireNewPassphrase,
  type SnapshotEncryption,
  snapshotDisk,
} from './encrypted-snapshot'
import { type FileToCopy, type FoundToCopy, filesToCopy, isPassing } from './files-to-copy'
import { type PlacesInUse, requireOutside } from './places-outside'
import {
  filePieces,
  type SnapshotProgress,
  snapshotError,
  snapshotName,
  sumsName,
  sumsText,
} from './snapshot-form'

/** Dependencies of a snapshot. */
export interface SnapshotDeps {
  /** On which a packed file is what it is. */
  readonly disk: Disk
  /** The chibi home. */
  readonly home: string
  /** The folder of Skein's own files. */
  readonly userFolder: string
  /** Histories of other systems, among which nothing is written. */
  readonly roots: PlacesInUse['roots']
  /** In Unix milliseconds. */
  readonly now: () => number
}

/** A snapshot that was taken and checked. */
export interface TakenSnapshot {
  readonly file: string
  readonly files: number
  /** Of all files together. */
  readonly bytes: number
  /** Of the snapshot. */
  readonly packedBytes: number
  /** Names in the home of what no copy can be made of. */
  readonly leftOut: readonly string[]
}

/**
 * Names in Skein's folder that no snapshot has: keys, which are in the keychain's care; the storage of pages and what Chromium
 * keeps; trust and copies of plugins, which hold for a home at its place; caches, and what comes with Skein. All else is taken.
 */
const notTaken: ReadonlySet<string> = new Set([
  ...['shell', 'homes', 'plugin-copies', 'trusted-plugins', 'sample-library'],
  ...['caches', 'Cache', 'Crashpad', 'logs'],
])

const isTaken = (name: string) => !notTaken.has(name) && !/^keys(\.|$)/.test(name)

const contextsName = 'home/contexts/'

/** So often a conversation is copied anew that another program rotated or renamed meanwhile. */
const mostTries = 5

/**
 * Writes all files of a home, and what Skein keeps of its own, into one new zip archive in a folder; reads it back
 * and compares every byte's digest before it gets its name. Files that grow are taken as far as they were when they were opened;
 * a context in which files got other names meanwhile is copied again, so that no line is missing. Nothing of the home is changed.
 *
 * With a passphrase it is encrypted while it is written, and decrypted to be read back: no byte of it is on the disk as it is.
 *
 * Durable on return. After a failure or a stop no file has the name. Holds some 300 bytes for each file.
 *
 * @param folder outside of the home, of Skein's own files, and of other systems' histories
 * @throws AppError `not-found` there is no home, `bad-argument`, `busy` it is changed all the time, `disk-full`, `unreadable` it reads
 *   otherwise than it was written, `passphrase` it is none to encrypt with, `io`;
 *   the signal's reason
 */
export async function takeSnapshot(
  deps: SnapshotDeps,
  folder: string,
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
  encryption?: SnapshotEncryption,
): Promise<TakenSnapshot> {
  const { disk, home, userFolder } = deps
  const ending = encryption === undefined ? '' : encryptedEnding
  let target = path.join(folder, `${snapshotName(deps.now())}${ending}`)
  try {
    if (encryption !== undefined) requireNewPassphrase(encryption.passphrase)
    if ((await disk.stat(home))?.kind !== 'directory')
      throw new AppError('not-found', `There is no home at ${home}.`)
    const roots = [{ source: 'chibi', path: home }, ...deps.roots]
    await requireOutside(disk, target, { folders: [home, userFolder], roots })
    const temporary = temporaryName(target)
    let taken: Omit<TakenSnapshot, 'file' | 'packedBytes'> | undefined
    let packedBytes = 0
    await withTemporary(disk, temporary, async () => {
      const file = await disk.open(temporary, 'create-new')
      let written: readonly WrittenMember[] = []
      try {
        await writtenThrough(encryption, file, temporary, async (into) => {
          const zip = new ZipWriter(into, temporary)
          taken = await copyInto(zip, deps, progress, signal)
          await zip.finish()
          written = zip.members().filter(({ name }) => name !== sumsName)
        })
        await file.sync()
        packedBytes = (await file.stat()).sizeBytes
      } finally {
        await file.close()
      }
      const plain = await snapshotDisk(disk, temporary, encryption?.passphrase)
      await readBack(plain, temporary, written, progress, signal)
      signal.throwIfAborted()
      target = await giveFreeName(disk, temporary, target)
    })
    await disk.syncFolder(folder)
    if (taken === undefined) throw new Error('nothing was copied')
    return { file: target, packedBytes, ...taken }
  } catch (error) {
    signal.throwIfAborted()
    throw snapshotError(error)
  }
}

/** Gives a finished snapshot its name, with a number where another one has it: two may end within one second. */
async function giveFreeName(disk: Disk, temporary: string, target: string): Promise<string> {
  const name = path.basename(target)
  const ending = name.slice(name.indexOf('.'))
  for (let n = 1; ; n++) {
    const free = n === 1 ? target : `${target.slice(0, -ending.length)}-${n}${ending}`
    try {
      await moveToFreeName(disk, temporary, free)
      return free
    } catch (error) {
      if (!isNameTaken(error)) throw error
    }
  }
}

/** Has work write to a file, encrypted where it is to be; all of it is in the file once it resolves. */
async function writtenThrough(
  encryption: SnapshotEncryption | undefined,
  file: DiskFile,
  name: string,
  work: (into: Pick<DiskFile, 'write'>) => Promise<void>,
): Promise<void> {
  if (encryption === undefined) return work(file)
  const age = await openAgeWriter(file, name, encryption.passphrase, encryption.workFactor)
  try {
    await work(age)
    await age.finish()
  } catch (error) {
    await age.abandon()
    throw error
  }
}

async function copyInto(
  zip: ZipWriter,
  { disk, home, userFolder, now }: SnapshotDeps,
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
): Promise<Omit<TakenSnapshot, 'file' | 'packedBytes'>> {
  const contexts = path.join(home, 'contexts')
  const own = async () =>
    (await disk.stat(userFolder)) === undefined
      ? { files: [], leftOut: [] }
      : filesToCopy(disk, userFolder, 'skein', signal, isTaken)
  const rest = () => filesToCopy(disk, home, 'home', signal, (name) => name !== 'contexts')
  const ofContext = (name: string) => () =>
    filesToCopy(disk, path.join(contexts, name), `${contextsName}${name}`, signal)
  const namesNow = async () =>
    [...(await namesInFolder(disk, contexts))].filter((name) => !isPassing(name)).sort()

  let totalBytes = 0
  for (const list of [own, rest, ...(await namesNow()).map(ofContext)])
    for (const { stat } of (await list()).files) totalBytes += stat.sizeBytes
  let bytes = 0
  const copied = (more: number) => {
    bytes += more
    progress({ phase: 'copying', bytes: Math.min(bytes, totalBytes), totalBytes })
  }

  const copy = (list: () => Promise<FoundToCopy>, again: 'all' | 'changed') =>
    copySteadily({ zip, disk, copied, signal }, list, again)
  const leftOut = [...(await copy(own, 'changed')), ...(await copy(rest, 'changed'))]
  // Contexts come and go under other names while others are copied.
  const done = new Map<string, readonly string[]>()
  for (let round = 0; ; round++) {
    const names = await namesNow()
    const there = new Set(names)
    const gone = new Set([...done.keys()].filter((name) => !there.has(name)))
    for (const name of gone) done.delete(name)
    if (gone.size > 0) zip.drop(membersOfContexts(zip, gone))
    const missing = names.filter((name) => !done.has(name))
    if (missing.length === 0) break
    if (round === mostTries) throw changing('Its contexts get new names')
    for (const name of missing) done.set(name, await copy(ofContext(name), 'all'))
  }

  const written = zip.members()
  const sums = Buffer.from(sumsText(written))
  await zip.add(sumsName, piecesOf(sums), now())
  return {
    files: written.length - 1,
    bytes: written.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) - sums.length,
    leftOut: [...leftOut, ...[...done.values()].flat()],
  }
}

interface Copying {
  readonly zip: ZipWriter
  readonly disk: Disk
  readonly copied: (bytes: number) => void
  readonly signal: AbortSignal
}

/**
 * Copies files until their names lead to what was copied; gives the names of what has no copy.
 *
 * @param again what is copied anew where some lead elsewhere meanwhile: lines of a context may have moved among its files
 */
async function copySteadily(
  copying: Copying,
  list: () => Promise<FoundToCopy>,
  again: 'all' | 'changed',
): Promise<readonly string[]> {
  const copies = new Map<string, string>()
  for (let tries = 0; ; tries++) {
    const { files, leftOut } = await list()
    const identities = new Map(files.map(({ name, stat }) => [name, stat.identity]))
    const isOther = (name: string) => identities.get(name) !== copies.get(name)
    const stale = [...copies.keys()].filter(isOther)
    if (stale.length === 0 && !files.some(({ name }) => isOther(name))) return leftOut
    if (tries === mostTries) throw changing('It is changed all the time')
    const dropped = again === 'all' ? [...copies.keys()] : stale
    if (dropped.length > 0) copying.zip.drop(new Set(dropped))
    for (const name of dropped) copies.delete(name)
    for (const file of files) {
      if (copies.has(file.name)) continue
      const identity = await copyFile(copying, file)
      if (identity !== undefined) copies.set(file.name, identity)
    }
  }
}

function changing(words: string): AppError {
  return new AppError('busy', `${words} while it is copied. Try again when nothing runs in it.`)
}

/** Gives the identity of what was copied; undefined where nothing is there any more. */
async function copyFile(
  { zip, disk, copied, signal }: Copying,
  { path: from, name }: FileToCopy,
): Promise<string | undefined> {
  signal.throwIfAborted()
  try {
    const file = await disk.open(from, 'read')
    try {
      const { sizeBytes, mtimeMs, identity } = await file.stat()
      copied((await zip.add(name, filePieces(file, sizeBytes, signal), mtimeMs)).sizeBytes)
      return identity
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function membersOfContexts(zip: ZipWriter, contexts: ReadonlySet<string>): ReadonlySet<string> {
  const isOfThese = (name: string) =>
    name.startsWith(contextsName) &&
    contexts.has(name.slice(contextsName.length).split('/', 1)[0] ?? '')
  return new Set(zip.members().flatMap(({ name }) => (isOfThese(name) ? [name] : [])))
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Reads a snapshot as a restore does, and compares it with what was read from the home. @throws AppError `unreadable`; DiskError */
async function readBack(
  disk: Disk,
  file: string,
  written: readonly WrittenMember[],
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const members = await membersOfSnapshot(disk, file)
  const isWhole =
    members.length === written.length &&
    members.every(({ name, sha256 }, at) => {
      const one = written[at]
      return one?.name === name && one.sha256 === sha256
    })
  if (!isWhole) throw new AppError('unreadable', 'The snapshot was written and reads otherwise.')
  await checkMembers(disk, members, progress, signal)
}
