import path from 'node:path'
import { decoderNamed, type SearchDecoders, type SearchFile } from '../../shared/model/search'
import { Mutex } from '../async/mutex'
import type { Disk } from '../disk/interface/disk'
import { acquireBuildLease } from './build/build-lease'
import type { FileToIndex } from './build/build-part'
import { IndexCatalog } from './build/index-catalog'
import { planBuild } from './build/plan-build'
import { coverByFilter } from './coverage/cover-by-filter'
import { coverFile, type FileCoverage, groupRunsByFile, type KnownRun } from './coverage/coverage'

/** Progress of the index, in bytes. */
export interface IndexProgress {
  /** Bytes of all files, and of those how many filters cover. */
  readonly totalBytes: number
  readonly coveredBytes: number
  /** Bytes of the index on the disk. */
  readonly indexBytes: number
  readonly parts: number
}

/**
 * A function that builds a part of these files into a new file at `target`; false when there was nothing to write.
 */
export type BuildPart = (
  files: readonly FileToIndex[],
  target: string,
  signal: AbortSignal | undefined,
) => Promise<boolean>

/** The index as one process sees it: the filters that cover each file. Nothing here waits for another process. */
export class SegmentIndex {
  private readonly disk: Disk
  private readonly decoders: SearchDecoders
  private readonly folder: string
  private readonly catalog: IndexCatalog
  private known: ReadonlyMap<string, readonly KnownRun[]> = new Map()
  private knownRevision = 0
  private coverages = new Map<string, FileCoverage>()
  /** Coverage by side filters, where the cache covers less: by the file's path. */
  private sideCoverages: ReadonlyMap<string, FileCoverage> = new Map()
  private wanted: readonly SearchFile[] = []
  /** Each takes the list of its own time: an older list never undoes a newer one. */
  private readonly refreshes = new Mutex()

  constructor(disk: Disk, decoders: SearchDecoders, folder: string) {
    this.disk = disk
    this.decoders = decoders
    this.folder = folder
    this.catalog = new IndexCatalog(disk, folder)
  }

  /** The files as they were last given, with what is known of them. */
  get files(): readonly FileCoverage[] {
    return [...this.coverages.values()]
  }

  /** Takes the list of files that are searched; checks those that changed again, and all when the index did. */
  refresh(files: readonly SearchFile[]): Promise<void> {
    this.wanted = files
    return this.refreshAgain()
  }

  private refreshAgain(): Promise<void> {
    return this.refreshes.run(() => this.coverAll(this.wanted))
  }

  private async coverAll(files: readonly SearchFile[]): Promise<void> {
    await this.catalog.load()
    const isNew = this.catalog.revision !== this.knownRevision
    if (isNew) this.known = groupRunsByFile([...this.catalog.parts.values()])
    this.knownRevision = this.catalog.revision
    const coverages = new Map<string, FileCoverage>()
    const sideCoverages = new Map<string, FileCoverage>()
    for (const file of files) {
      if (coverages.has(file.path)) continue // Several conversations share it.
      const before = isNew ? undefined : this.coverages.get(file.path)
      const covered =
        before !== undefined && isSame(before.file, file)
          ? { ...before, file }
          : await this.cover(file)
      coverages.set(file.path, covered)
      if (covered.filter !== undefined) sideCoverages.set(file.path, covered)
    }
    this.coverages = coverages
    this.sideCoverages = sideCoverages
  }

  /**
   * Builds what is missing, part by part, until all is covered or the signal aborts. Returns false when another process
   * is building: what it makes is seen by the next `refresh`.
   *
   * @param options.onProgress is called after every part
   */
  async build(
    buildPart: BuildPart,
    options: {
      readonly all: boolean
      readonly onProgress?: ((progress: IndexProgress) => void) | undefined
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<boolean> {
    const { signal } = options
    const step = () => planBuild(this.files, this.catalog.parts, new Set(), options.all)
    if (step() === undefined) return true
    await this.disk.makeFolder(this.folder)
    const lease = await acquireBuildLease(this.disk, path.join(this.folder, 'builder.json'))
    if (lease === undefined) return false
    try {
      await this.catalog.sweep(Date.now())
      let before = Number.POSITIVE_INFINITY
      while (!signal?.aborted) {
        await this.refreshAgain()
        const next = planBuild(
          this.files,
          this.catalog.parts,
          await this.foreignParts(),
          options.all,
        )
        if (next === undefined) return true
        // What is left does not get less: files that cannot be read, or a decoder that is missing.
        if (next.uncoveredBytes >= before) return true
        before = next.uncoveredBytes
        const part = await this.catalog.newPart()
        const written = next.files.length > 0 && (await buildPart(next.files, part.path, signal))
        if (signal?.aborted) return true
        await this.catalog.publish(written ? [part.name] : [], next.replaces)
        await this.refreshAgain()
        options.onProgress?.(this.progress())
      }
      return true
    } finally {
      await lease.release()
    }
  }

  progress(): IndexProgress {
    let totalBytes = 0
    let coveredBytes = 0
    for (const { file, end } of this.coverages.values()) {
      totalBytes += file.sizeBytes
      coveredBytes += Math.min(end, file.sizeBytes)
    }
    let indexBytes = 0
    for (const part of this.catalog.parts.values()) indexBytes += part.sizeBytes
    return { totalBytes, coveredBytes, indexBytes, parts: this.catalog.parts.size }
  }

  private async cover(file: SearchFile): Promise<FileCoverage> {
    const isDocument = decoderNamed(this.decoders, file.decoder)?.decoder.unit === 'document'
    const known = this.known.get(file.identity) ?? []
    const cached = await coverFile(this.disk, file, known, isDocument)
    if (cached.end >= file.sizeBytes) return cached
    const before = this.sideCoverages.get(file.path)
    const bySideFilter =
      before !== undefined && isSame(before.file, file)
        ? { ...before, file }
        : await coverByFilter(this.disk, file)
    return bySideFilter === undefined || bySideFilter.end <= cached.end ? cached : bySideFilter
  }

  /** Parts with files that are not searched here and still are where they were: another process searches them. */
  private async foreignParts(): Promise<ReadonlySet<string>> {
    const own = new Set([...this.coverages.values()].map(({ file }) => file.identity))
    const foreign = new Set<string>()
    for (const [name, part] of this.catalog.parts) {
      for (const { identity, path: at } of part.files) {
        if (own.has(identity)) continue
        const stat = await this.disk.stat(at).catch(() => undefined)
        if (stat?.identity !== identity) continue
        foreign.add(name)
        break
      }
    }
    return foreign
  }
}

function isSame(a: SearchFile, b: SearchFile): boolean {
  return (
    a.identity === b.identity &&
    a.sizeBytes === b.sizeBytes &&
    a.mtimeMs === b.mtimeMs &&
    a.decoder === b.decoder &&
    a.own?.offset === b.own?.offset
  )
}
