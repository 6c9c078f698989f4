import type { Disk, FileStat } from '../../disk/interface/disk'
import type { ComposedLine } from './composed-line'

/** Facts that are kept of a record file; its lines only while they are among those used last. */
interface KeptComposition {
  /** Of the state that it was made of. */
  readonly identity: string
  readonly sizeBytes: number
  readonly about: Readonly<Record<string, unknown>>
  lines: readonly ComposedLine[] | undefined
}

const mostLineBytes = 32 * 1024 * 1024
const mostRecords = 20_000

/** The record files that were composed last, for as long as their disk is used. */
export class KeptCompositions {
  private readonly ofDisks = new WeakMap<Disk, Map<string, KeptComposition>>()
  /** Those with lines, the one that was used last at the end; how much memory each takes. */
  private readonly withLines = new Map<KeptComposition, number>()
  private lineBytes = 0

  /** Undefined where nothing is known of it in that state. */
  get(disk: Disk, container: string, name: string, identity: string): KeptComposition | undefined {
    const kept = this.ofDisks.get(disk)?.get(keyOf(container, name))
    if (kept === undefined || kept.identity !== identity) return undefined
    const weight = this.withLines.get(kept)
    if (weight !== undefined) {
      this.withLines.delete(kept)
      this.withLines.set(kept, weight)
    }
    return kept
  }

  keep(disk: Disk, container: string, name: string, found: KeptComposition, weight: number): void {
    const known = this.ofDisks.get(disk) ?? new Map<string, KeptComposition>()
    this.ofDisks.set(disk, known)
    const key = keyOf(container, name)
    const before = known.get(key)
    if (before !== undefined) this.forgetLines(before)
    known.delete(key)
    const kept = { ...found }
    known.set(key, kept)
    this.withLines.set(kept, weight)
    this.lineBytes += weight
    for (const oldest of this.withLines.keys()) {
      if (this.lineBytes <= mostLineBytes || oldest === kept) break
      this.forgetLines(oldest)
    }
    const [first] = known
    if (known.size <= mostRecords || first === undefined) return
    this.forgetLines(first[1])
    known.delete(first[0])
  }

  private forgetLines(kept: KeptComposition): void {
    this.lineBytes -= this.withLines.get(kept) ?? 0
    this.withLines.delete(kept)
    kept.lines = undefined
  }
}

/** Facts of record files that threads have composed: no lines, and each only while its files are as they were. */
export class LearnedRecords {
  private readonly records = new Map<string, KeptComposition>()

  has(container: string, name: string): boolean {
    return this.records.has(keyOf(container, name))
  }

  /** Undefined where nothing was told of it in that state. */
  get(container: string, name: string, identity: string): KeptComposition | undefined {
    const told = this.records.get(keyOf(container, name))
    return told?.identity === identity ? told : undefined
  }

  keep(
    container: string,
    name: string,
    { about, stat }: { readonly about: KeptComposition['about']; readonly stat: FileStat },
  ): void {
    const { identity, sizeBytes } = stat
    const key = keyOf(container, name)
    this.records.delete(key)
    this.records.set(key, { identity, sizeBytes, about, lines: undefined })
    const [first] = this.records.keys()
    if (this.records.size > mostRecords && first !== undefined) this.records.delete(first)
  }
}

function keyOf(container: string, name: string): string {
  return `${container}\0${name}`
}
