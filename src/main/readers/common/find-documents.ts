import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type Disk, DiskError, type DiskFile, type FileStat } from '../../disk/interface/disk'
import { hasBytesInFront, isZip } from '../../disk/unpack/zip-directory'
import { memberName, zipMembersFolder } from '../../disk/unpack/zip-path'
import { findRoot, inListedFile, sortedNamesIn, statNames } from './found-files'
import { unreadableSource } from './json-lines'

/** A JSON document of an export. */
export interface FoundDocument {
  /** Relative to the root of the listing, with slashes. */
  readonly file: string
  readonly stat: FileStat
}

/** The documents of an export under a root. */
export interface FoundDocuments {
  /** The folder that files are relative to. */
  readonly root: string
  readonly documents: readonly FoundDocument[]
  /** Why some could not be found, for people: a sentence each. */
  readonly faults: readonly string[]
}

/** Exports are unpacked into a folder, and often lie one folder below that. */
const deepest = 2

/** `conversations.json`, its parts `conversations-000.json`, and the names that browsers give to a second one. */
const documentName = /^conversations\b[^/]*\.json$/i
/** Zips, also as browsers name them that do not know the kind of what they save. */
const zipName = /\.(?:zip|dat|download)$/i

/**
 * Finds the documents of exports: the root itself whatever its name is, the members of a zip, or what lies in a folder, in
 * its zips and in folders not far below it.
 *
 * @param others names that documents of a system have besides
 *
 * @throws AppError `unreadable` the root cannot be read
 */
export async function findDocuments(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  others?: RegExp,
): Promise<FoundDocuments> {
  const isDocument = (name: string) => documentName.test(name) || others?.test(name) === true
  const top = await findRoot(disk, root)
  if (top === undefined) return { root, documents: [], faults: [] }
  if (top.type === 'file') {
    const { name: file, stat } = top.found
    const search = new Search(disk, top.folder, isDocument, signal)
    if (!(await search.zip(file)) && stat !== undefined) search.documents.push({ file, stat })
    return search.found()
  }
  const search = new Search(disk, root, isDocument, signal)
  await search.folder('', 0)
  return search.found()
}

class Search {
  readonly documents: FoundDocument[] = []
  private readonly faults: string[] = []
  private readonly disk: Disk
  private readonly root: string
  private readonly isDocument: (name: string) => boolean
  private readonly signal: AbortSignal

  constructor(
    disk: Disk,
    root: string,
    isDocument: (name: string) => boolean,
    signal: AbortSignal,
  ) {
    this.disk = disk
    this.root = root
    this.isDocument = isDocument
    this.signal = signal
  }

  found(): FoundDocuments {
    return { root: this.root, documents: this.documents, faults: this.faults }
  }

  async folder(folder: string, depth: number): Promise<void> {
    const whole = path.join(this.root, folder)
    const names = (await sortedNamesIn(this.disk, whole)).filter((name) => !name.startsWith('.'))
    // Beside the documents of an unpacked export lie its images and recordings, thousands of them, some named `.dat`.
    const isUnpacked = names.some(this.isDocument)
    const wanted = isUnpacked ? names.filter((name) => !/\.dat$/i.test(name)) : names
    const isKnown = (name: string) => this.isDocument(name) || zipName.test(name)
    const listed = depth < deepest ? wanted : wanted.filter(isKnown)
    for (const { name, stat, fault } of await statNames(this.disk, whole, listed, this.signal)) {
      const file = path.posix.join(folder, name)
      if (stat?.kind === 'directory') {
        if (depth < deepest) await this.below(file, depth + 1)
      } else if (stat?.kind !== 'file') {
        // It may be a folder, or an export.
        if (stat === undefined && fault === undefined) this.faults.push(`${file} cannot be read.`)
      } else if (this.isDocument(name)) this.documents.push({ file, stat })
      else if (zipName.test(name) && !(await this.zip(file)) && /\.zip$/i.test(name))
        this.faults.push(`${file} is not a zip archive.`)
    }
  }

  /** True for a zip. One that cannot be read, or only by unpacking it first, is reported. */
  async zip(file: string): Promise<boolean> {
    this.signal.throwIfAborted()
    const whole = path.join(this.root, file)
    try {
      const kind = await inListedFile(this.disk, whole, zipKindOf)
      if (kind === 'shifted')
        this.faults.push(`${file} cannot be read: other bytes come before the archive.`)
      if (kind === 'zip') await this.membersOf(file)
      return kind !== 'other'
    } catch (error) {
      this.note(whole, error)
      return true
    }
  }

  private async membersOf(file: string): Promise<void> {
    const folder = zipMembersFolder(path.join(this.root, file))
    const members = [...(await this.disk.list(folder))].filter(isExported).sort()
    const documents = members.filter((member) => this.isDocument(memberName(member)))
    for (const member of documents) {
      const stat = await this.disk.stat(path.join(folder, member))
      if (stat !== undefined) this.documents.push({ file: `${file}/!/${member}`, stat })
    }
    const [inner] = members.filter((member) => zipName.test(memberName(member)))
    // A zip of other things may have one among them.
    const isWrapped = members.every((member) => /\.(?:zip|json)$/i.test(memberName(member)))
    if (documents.length === 0 && inner !== undefined && isWrapped)
      this.faults.push(`${file} holds another zip, ${memberName(inner)}. Unpack ${file} first.`)
  }

  /** Folders of other people or programs may lie beside exports. */
  private async below(folder: string, depth: number): Promise<void> {
    try {
      await this.folder(folder, depth)
    } catch (error) {
      this.note(folder, error)
    }
  }

  private note(place: string, error: unknown): void {
    const found = error instanceof DiskError ? unreadableSource(place, error) : error
    if (!(found instanceof AppError)) throw error
    this.faults.push(found.message)
  }
}

async function zipKindOf(opened: DiskFile): Promise<'zip' | 'shifted' | 'other'> {
  if (await isZip(opened)) return 'zip'
  return (await hasBytesInFront(opened)) ? 'shifted' : 'other'
}

/** macOS adds a second file to each, with what only its own file system has. */
function isExported(member: string): boolean {
  return !/(?:^|\/|%5C)__MACOSX(?:\/|%5C)/.test(member)
}
