import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { decodingVersion } from '../../../shared/model/conversation/decoding'
import type { Disk } from '../../disk/interface/disk'
import { whenExclusive } from '../../disk/process/exclusive'
import { isNotFound, readSmallFile } from '../../disk/reading/read'
import { isTemporaryName, removeIfThere, replaceFile } from '../../disk/writing/atomic'
import { PartIndex } from '../parts/part-index'

/** The list of parts in use. Parts are never changed, so an older list is still correct. */
const Listing = z.object({
  version: z.literal(4),
  decoding: z.literal(decodingVersion),
  parts: z.array(z.string().regex(/^[0-9a-f]{16}$/)),
})

const listingName = 'index.json'
const extension = '.part'
/** Far above what a part of 256 segments takes. */
const largestPartBytes = 256 * 1024 * 1024
const waitMs = 5_000
/** A part that no list names may be one that another process is about to list. */
const orphanAfterMs = 3_600_000

/**
 * The index on the disk: its parts, and the list of those that are in use. Processes share it; reading takes no lock.
 */
export class IndexCatalog {
  private readonly disk: Disk
  private readonly folder: string
  private readonly loaded = new Map<string, PartIndex>()
  private stamp = ''
  /** Counts up when the parts in memory change. */
  revision = 0

  /** @param folder of the cache; made with the first part */
  constructor(disk: Disk, folder: string) {
    this.disk = disk
    this.folder = folder
  }

  /** The parts in memory, in the order of the list. */
  get parts(): ReadonlyMap<string, PartIndex> {
    return this.loaded
  }

  /** A path for a part that is to be built. */
  async newPart(): Promise<{ readonly name: string; readonly path: string }> {
    await this.disk.makeFolder(this.folder)
    const name = randomBytes(8).toString('hex')
    return { name, path: this.pathOf(name) }
  }

  /**
   * Brings memory up to the list on the disk. Costs one stat when nothing changed.
   *
   * A part that is damaged, of another version or of other decoders is left out: what it covered is read by searches, and built again.
   */
  async load(): Promise<void> {
    // Where the folder cannot be read, there is no index: search reads everything.
    const stat = await this.disk.stat(this.listingPath).catch(() => undefined)
    const stamp = stat === undefined ? '' : `${stat.identity} ${stat.mtimeMs} ${stat.sizeBytes}`
    if (stamp === this.stamp) return
    const parts = new Map<string, PartIndex>()
    for (const name of await this.readListing()) {
      const part = this.loaded.get(name) ?? (await this.open(name))
      if (part !== undefined) parts.set(name, part)
    }
    this.loaded.clear()
    for (const [name, part] of parts) this.loaded.set(name, part)
    this.stamp = stamp
    this.revision++
  }

  /** Lists new parts and strikes others off, at once; then removes the files of those. */
  async publish(added: readonly string[], removed: readonly string[]): Promise<void> {
    const done = await whenExclusive(this.disk, `${this.listingPath}.lock`, waitMs, async () => {
      const gone = new Set(removed)
      const names = (await this.readListing()).filter((name) => !gone.has(name))
      const listing = {
        version: 4,
        decoding: decodingVersion,
        parts: [...names, ...added],
      } satisfies z.infer<typeof Listing>
      await replaceFile(this.disk, this.listingPath, Buffer.from(JSON.stringify(listing)))
    })
    if (done === undefined) throw new Error('another process holds the list of the search index')
    for (const name of removed) await this.remove(this.pathOf(name))
    await this.load()
  }

  /** Removes what crashed builds left behind. */
  async sweep(now: number): Promise<void> {
    const listed = new Set(await this.readListing())
    const names = await this.disk.list(this.folder).catch(() => [])
    for (const name of names) {
      const isOrphan = name.endsWith(extension) && !listed.has(name.slice(0, -extension.length))
      if (!isOrphan && !isTemporaryName(name)) continue
      const target = path.join(this.folder, name)
      const stat = await this.disk.stat(target)
      if (stat !== undefined && now - stat.mtimeMs > orphanAfterMs) await this.remove(target)
    }
  }

  private get listingPath(): string {
    return path.join(this.folder, listingName)
  }

  private pathOf(name: string): string {
    return path.join(this.folder, `${name}${extension}`)
  }

  private async readListing(): Promise<readonly string[]> {
    const bytes = await readSmallFile(this.disk, this.listingPath)
    if (bytes === undefined) return []
    try {
      return Listing.parse(JSON.parse(new TextDecoder().decode(bytes))).parts
    } catch {
      return [] // Damaged, of another version, or of other decoders: the index is built anew.
    }
  }

  private async open(name: string): Promise<PartIndex | undefined> {
    try {
      const bytes = await readSmallFile(this.disk, this.pathOf(name), largestPartBytes)
      return bytes && PartIndex.open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  private async remove(target: string): Promise<void> {
    // Where another process has it open and the system minds, the next sweep takes it.
    await removeIfThere(this.disk, target).catch(() => undefined)
  }
}
