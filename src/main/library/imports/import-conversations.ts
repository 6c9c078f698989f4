import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { ImportedConversations } from '../../../shared/model/settings/source-roots'
import type { SkeinExportHead } from '../../../shared/model/skein-export'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import type { GivenOnImport } from '../families/given-on-import'
import { areSame, type CopyOptions, copyPart, partNameOf, takeName } from './copy-on'
import { type ReadExport, readGiven } from './given-in-export'
import { exportHeadOf, type FoundExport, type FoundExports, importedEnding } from './skein-exports'

/** Dependencies of imports of Skein's own exports. */
interface ConversationDeps {
  readonly disk: Disk
  /** Of imports. */
  readonly folder: string
  /** Takes what exports say that a person gave their conversations, and resolves to how much of that it left out. */
  readonly give: (all: ReadonlyMap<LibraryKey, GivenOnImport>) => Promise<number>
  /** Is called for each conversation that is kept now, whatever comes after. */
  readonly kept: () => void
}

/** Exports whose tags and labels are written at once: what is stopped goes on behind the last group. */
const groupFiles = 100
const groupBytes = 64 * 1024 * 1024
/** Reasons that are told; of further ones the number. */
const mostFaults = 5

/** An export that is copied, and has not its name yet. */
interface Waiting {
  readonly one: FoundExport
  readonly key: string
  readonly to: string
  readonly read: ReadExport
  /** What was imported under its name before. */
  readonly beside: 'version' | 'namesake' | undefined
}

/**
 * Imports exports of Skein's, each under a name by its conversation: keeps a copy byte for byte, and hands on what a person gave it. One
 * that is there already is not copied again; one with other contents gets a name of its own. What fails is told of each and leaves the
 * others alone. Nobody else may copy into the folder meanwhile.
 *
 * `copied` is called with twice the bytes of each: they are read again for what a person gave.
 *
 * @throws AppError, DiskError where the folder cannot be made, or the one export that there is cannot be imported; the signal's reason
 */
export async function importConversations(
  { disk, folder, give, kept }: ConversationDeps,
  { exports, others }: FoundExports,
  options: CopyOptions,
): Promise<ImportedConversations & { readonly places: readonly string[] }> {
  await makeDurableFolder(disk, folder)
  const counts = { added: 0, known: 0, beside: 0, namesakes: 0, brokenOff: 0, withoutGiven: 0 }
  const faults: string[] = []
  const places: string[] = []
  let failed = 0
  /** By names as a disk without upper and lower case has them. */
  let group = new Map<string, Waiting>()

  const fail = ({ file }: FoundExport, error: unknown) => {
    options.signal.throwIfAborted()
    const isTold = error instanceof AppError || error instanceof DiskError
    if (!isTold || exports.length === 1) throw error
    failed += 1
    const why = error instanceof DiskError ? diskWords(error) : error.message
    if (faults.length < mostFaults) faults.push(`${path.basename(file)} was not imported: ${why}`)
  }

  /** Copies it beside its name; undefined where it was imported before. */
  async function prepare(one: FoundExport): Promise<Waiting | undefined> {
    let beside: Waiting['beside']
    for (let number = 1; ; number++) {
      options.signal.throwIfAborted()
      const key = number === 1 ? nameOf(one) : `${nameOf(one)} (${number})`
      const to = path.join(folder, `${key}.skein.jsonl`)
      const waiting = group.get(foldedName(key))
      if (waiting === undefined && (await disk.stat(to)) === undefined) {
        await copyPart(disk, one.file, to, options)
        const read = await readGiven(disk, partNameOf(to), one.head, options)
        return { one, key, to, read, beside }
      }
      const there = waiting === undefined ? to : partNameOf(waiting.to)
      if (await areSame(disk, one.file, there, options)) {
        counts.known += 1
        places.push(waiting?.to ?? to)
        return undefined
      }
      const head = waiting?.one.head ?? (await exportHeadOf(disk, there, options.signal))
      if (isSameConversation(one.head, head)) beside = 'version'
      else beside ??= 'namesake'
    }
  }

  async function finish({ one, to, read, beside }: Waiting): Promise<void> {
    try {
      await takeName(disk, to)
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === 'exists'
      if (!isTaken || !(await areSame(disk, one.file, to, options))) throw error
      counts.known += 1
      places.push(to)
      return
    }
    counts.added += 1
    if (beside === 'version') counts.beside += 1
    if (beside === 'namesake') counts.namesakes += 1
    if (!read.isWhole) counts.brokenOff += 1
    counts.withoutGiven += read.refused
    places.push(to)
    kept()
  }

  /** What a person gave comes before the names: what is stopped in between is done again whole. */
  async function finishGroup(): Promise<void> {
    const waiting = [...group.values()]
    group = new Map()
    try {
      const given = waiting.map(
        ({ key, read }) => [libraryKeyOf('skein', key), read.given] as const,
      )
      counts.withoutGiven += await give(new Map(given))
    } catch (error) {
      for (const { one } of waiting) fail(one, error)
      return
    }
    for (const each of waiting)
      try {
        await finish(each)
      } catch (error) {
        fail(each.one, error)
      }
  }

  let bytes = 0
  for (const one of exports) {
    try {
      const waiting = await prepare(one)
      if (waiting !== undefined) group.set(foldedName(waiting.key), waiting)
    } catch (error) {
      fail(one, error)
    }
    bytes += one.bytes
    if (group.size < groupFiles && bytes < groupBytes) continue
    await finishGroup()
    bytes = 0
  }
  await finishGroup()
  return { ...counts, others, failed, faults, places }
}

/** Longest name of a file without its ending, in UTF-8 bytes: file systems take 255. */
const longestName = 150

function nameOf({ head, file }: FoundExport): string {
  const own =
    head === undefined
      ? path.basename(file).replace(importedEnding, '')
      : `${head.source}-${head.key}`
  const whole = own.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  let name = whole
  while (Buffer.byteLength(name) > longestName) name = name.slice(0, -1)
  return name.replace(/[\uD800-\uDBFF]$/, '') || 'conversation'
}

function foldedName(key: string): string {
  return key.normalize('NFC').toLowerCase()
}

/** Whether exports are of one conversation, by their first lines: a context’s name is another’s on another machine. */
function isSameConversation(
  one: SkeinExportHead | undefined,
  other: SkeinExportHead | undefined,
): boolean {
  if (one === undefined || other === undefined) return false
  const isSameTime = one.created == null || other.created == null || one.created === other.created
  return one.source === other.source && one.key === other.key && isSameTime
}

function diskWords({ code, message }: DiskError): string {
  return code === 'no-space' ? 'The disk is full.' : `${message}.`
}
