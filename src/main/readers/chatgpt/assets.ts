import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { readOwnFile } from '../../disk/reading/own-file'
import { memberName, parseMemberPath, zipMembersFolder } from '../../disk/unpack/zip-path'
import { parseRecordPath } from '../../records/interface/record-format'
import { fileOf } from '../common/one-file'
import type { SourceRef } from '../common/reader'

/** The files beside a document of an export. */
interface ExportFolder {
  /** The folder, or that of the zip's members; absolute. */
  readonly folder: string
  readonly isZip: boolean
  /** Relative to the folder, with slashes. */
  readonly files: readonly string[]
  /** The folders, or the zip, whose names these are; absolute. */
  readonly watched: readonly string[]
  /** The state in which these were listed. */
  readonly state: string
  /** Its own in the root; undefined for the one that the conversation is in. */
  readonly name?: string
}

/** The files of the export that was asked for last. */
const last = new WeakMap<Disk, { readonly stamp: string; readonly found: ExportFolder }>()

/** A file of an export, and the folder or zip that it is in. */
interface FoundAsset {
  readonly in: ExportFolder
  readonly file: string
}

/**
 * Finds the file of an export that has this id, by its name, which begins with it: beside its conversation, else in another zip or
 * folder of the same root. Newer exports come in several zips, of which some have files alone. Undefined where there is none.
 */
async function assetFile(disk: Disk, ref: SourceRef, id: string): Promise<FoundAsset | undefined> {
  if (!/^[\w-]{3,200}$/.test(id)) return undefined
  const own = await filesOf(disk, ref)
  const found = fileIn(own, id)
  if (found !== undefined) return { in: own, file: found }
  if (ref.isAlone === true) return undefined
  for (const other of await exportsBeside(disk, ref.root)) {
    const file = fileIn(other, id)
    if (file !== undefined) return { in: other, file }
  }
  return undefined
}

function fileIn({ files }: ExportFolder, id: string): string | undefined {
  return files.find((one) => {
    const name = memberName(one)
    return name.startsWith(id) && !/^[A-Za-z0-9]/.test(name.slice(id.length))
  })
}

/**
 * Reads the file of an export that has this id; undefined where there is none, where it is a link, and where it is larger than `most`
 * bytes.
 */
export async function readAsset(
  ref: SourceRef,
  id: string,
  disk: Disk,
  most: number,
): Promise<Uint8Array | undefined> {
  const asset = await assetFile(disk, ref, id)
  if (asset === undefined) return undefined
  const { folder, isZip } = asset.in
  if (!isZip) {
    const read = await readOwnFile(disk, folder, asset.file, async (file, { sizeBytes }) =>
      sizeBytes > most ? undefined : readExactly(file, 0, sizeBytes),
    )
    return read.type === 'read' ? read.value : undefined
  }
  const whole = path.join(folder, ...asset.file.split('/'))
  const file = await disk.open(whole, 'read')
  try {
    const { sizeBytes } = await file.stat()
    return sizeBytes > most ? undefined : await readExactly(file, 0, sizeBytes)
  } finally {
    await file.close()
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Adds to each image and attachment of an entry the name of its file in the export, where it is there. */
export async function withFileNames(
  disk: Disk,
  ref: SourceRef,
  metadata: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const named: Record<string, unknown> = {}
  for (const list of ['images', 'attachments']) {
    const all = metadata[list]
    if (!Array.isArray(all)) continue
    named[list] = await Promise.all(
      all.map(async (one: unknown) => (isJsonObject(one) ? withFileName(disk, ref, one) : one)),
    )
  }
  return { ...metadata, ...named }
}

async function withFileName(disk: Disk, ref: SourceRef, one: Fields): Promise<Fields> {
  const { asset, id, asset_pointer } = one
  const pointer =
    typeof asset_pointer === 'string' ? /:\/\/([\w-]+)/.exec(asset_pointer)?.[1] : undefined
  const name = [asset, id, pointer].find((given) => typeof given === 'string')
  const found = typeof name === 'string' ? await assetFile(disk, ref, name) : undefined
  return found === undefined ? one : { ...one, file: placeOf(found) }
}

/** Below its own export's folder; in another one with the name of that before it. */
function placeOf({ in: { name }, file }: FoundAsset): string {
  return name === undefined ? file : `${name}/${file}`
}

/** The zips and folders in a root that were asked for last, with the names of all that is in the root. */
const lastBeside = new WeakMap<Disk, { readonly stamp: string; readonly found: ExportFolder[] }>()

/** Lists the files of all zips and unpacked exports in a root, each once for as long as nothing comes or goes. */
async function exportsBeside(disk: Disk, root: string): Promise<readonly ExportFolder[]> {
  const names = (await namesIn(disk, root)).filter((name) => !name.startsWith('.'))
  const stamp = JSON.stringify([root, names])
  const known = lastBeside.get(disk)
  if (known?.stamp === stamp && (await areSame(disk, known.found))) return known.found
  const found: ExportFolder[] = []
  for (const name of names) {
    const place = path.join(root, name)
    const kind = (await disk.stat(place).catch(() => undefined))?.kind
    if (kind === 'directory') found.push({ ...(await filesInFolder(disk, place)), name })
    else if (kind === 'file' && zipName.test(name)) {
      found.push({ ...(await filesInZip(disk, place)), name })
    }
  }
  lastBeside.set(disk, { stamp, found })
  return found
}

/** Zips, also as browsers name them that do not know the kind of what they save. */
const zipName = /\.(?:zip|dat|download)$/i

async function filesOf(disk: Disk, ref: SourceRef): Promise<ExportFolder> {
  const file = fileOf(ref)
  const place = path.join(ref.root, file.file)
  const document = parseRecordPath(place)?.container ?? place
  const stamp = `${document} ${file.identity} ${file.mtimeMs}`
  const known = last.get(disk)
  if (known?.stamp === stamp && (await areSame(disk, [known.found]))) return known.found
  const found = await listed(disk, document)
  last.set(disk, { stamp, found })
  return found
}

/** Folders of an unpacked export in which images are. */
const imageFolder = /^(?:dalle-generations|user-[\w-]+)$/

async function listed(disk: Disk, document: string): Promise<ExportFolder> {
  const member = parseMemberPath(document)
  if (member !== undefined) return filesInZip(disk, member.zip)
  return filesInFolder(disk, path.dirname(document))
}

async function filesInFolder(disk: Disk, folder: string): Promise<ExportFolder> {
  // A picture that arrives while they are listed makes the state another one.
  const states = [await stateOf(disk, folder)]
  const names = await namesIn(disk, folder)
  const files = [...names]
  const watched = [folder]
  for (const name of names.filter((one) => imageFolder.test(one))) {
    const inside = path.join(folder, name)
    states.push(await stateOf(disk, inside))
    watched.push(inside)
    pushAll(
      files,
      (await namesIn(disk, inside)).map((one) => `${name}/${one}`),
    )
  }
  return { folder, isZip: false, files, watched, state: JSON.stringify(states) }
}

async function filesInZip(disk: Disk, zip: string): Promise<ExportFolder> {
  const state = JSON.stringify([await stateOf(disk, zip)])
  const folder = zipMembersFolder(zip)
  return { folder, isZip: true, files: await namesIn(disk, folder), watched: [zip], state }
}

/** Folders that were listed once are so for as long as nothing comes to them or goes. */
async function areSame(disk: Disk, found: readonly ExportFolder[]): Promise<boolean> {
  for (const { watched, state } of found) {
    const states: string[] = []
    for (const place of watched) states.push(await stateOf(disk, place))
    if (JSON.stringify(states) !== state) return false
  }
  return true
}

async function stateOf(disk: Disk, place: string): Promise<string> {
  const stat = await disk.stat(place).catch(() => undefined)
  return stat === undefined ? '' : `${stat.identity} ${stat.sizeBytes} ${stat.mtimeMs}`
}

/** None where the folder cannot be listed. */
async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return [...(await disk.list(folder))].sort()
  } catch (error) {
    if (error instanceof DiskError) return []
    throw error
  }
}
