import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { EntryDraft } from '../../../shared/model/conversation/entry'
import type { DiskFile } from '../../disk/interface/disk'
import {
  isTemporaryName,
  renameFile,
  temporaryName,
  writeAll,
  writeNewFile,
} from '../../disk/writing/atomic'
import { removeTree } from '../../disk/writing/remove-tree'
import { createEmptyWindow, rebuildWindow } from '../context-window/window-entries'
import { contextPathsIn } from '../core/home-paths'
import type { RotationPolicy } from '../core/manifest'
import type { WritingScope } from '../core/writing-scope'
import { findContextFiles } from '../files/context-files'
import { encodeForAppend } from '../lines/encoded-entry'
import { anchorDraft } from '../partitions/migrate'
import { PartitionCount } from '../partitions/partition-count'
import { rotatePartition } from '../partitions/rotation'
import { createContextMeta } from '../registry/context-meta'

/** The beginning of a new context, in place of a bare anchor. */
export interface ContextBeginning {
  /** Of its `context_created` anchor. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Entries after the anchor, written unchanged: ids, times and metadata are kept. */
  readonly entries: AsyncIterable<EntryDraft> | Iterable<EntryDraft>
  /** The context's own text files by name: `system_prompt.md`. */
  readonly files?: ReadonlyMap<string, string>
}

/** A folder of this name is being made; chibi and we refuse it as a context. */
const unfinished = '.skein-new'
/** No creation takes so long: what is older was left by a crash. */
const abandonedAfterMs = 24 * 3600 * 1000
const batchBytes = 256 * 1024

/**
 * Creates a whole context at once: transcript, rotated where the limits demand it, window and text files are written
 * and synced in a folder that is no context, which then gets the context's name.
 *
 * A crash or a full disk before that leaves no context; a failure after it leaves a whole one. The caller syncs the
 * folder of contexts.
 *
 * @throws AppError `exists` there is something of that name, `bad-argument` no reader would take one of the entries; DiskError
 */
export async function createContext(
  scope: WritingScope,
  beginning: ContextBeginning,
): Promise<void> {
  const { disk, paths } = scope
  const contexts = path.dirname(paths.folder)
  if ((await disk.stat(paths.folder)) !== undefined) throw taken(paths.name)
  await clearAbandoned(scope, contexts)
  const folder = temporaryName(path.join(contexts, unfinished))
  try {
    await fill({ ...scope, paths: contextPathsIn(folder, paths.name) }, beginning)
    await renameFile(disk, folder, paths.folder)
  } catch (error) {
    // The first failure is what the caller must know; what is left is no context.
    await removeTree(disk, folder).catch(() => undefined)
    if ((await disk.stat(paths.folder).catch(() => undefined)) !== undefined)
      throw taken(paths.name)
    throw error
  }
}

function taken(name: string): AppError {
  return new AppError('exists', `A context named "${name}" already exists.`)
}

/** Writes everything of a context into a folder that no other process knows. */
async function fill(scope: WritingScope, beginning: ContextBeginning): Promise<void> {
  const { disk, paths } = scope
  await disk.makeFolder(paths.transcript)
  const copies = await writeEntries(scope, beginning)
  for (const [name, text] of beginning.files ?? [])
    await writeNewFile(disk, path.join(paths.folder, path.basename(name)), Buffer.from(text))
  await createContextMeta(disk, paths, Math.floor(scope.now() / 1000))
  const found = await findContextFiles(disk, scope.home, paths)
  if (found === undefined) throw new Error(`${paths.folder} is gone`)
  await (copies === 0 ? createEmptyWindow(scope) : rebuildWindow(scope, found))
  await disk.syncFolder(paths.transcript)
  await disk.syncFolder(paths.folder)
}

/** Writes the anchor and what follows it; returns how many follow. Rotates by number and tokens, as appends would have. */
async function writeEntries(scope: WritingScope, beginning: ContextBeginning): Promise<number> {
  const policy = await scope.configuredPolicy()
  const nowSeconds = Math.floor(scope.now() / 1000)
  const { name } = scope.paths
  const anchor = { ...anchorDraft(name, nowSeconds), metadata: { ...beginning.metadata } }
  const out = new PartitionOut(scope, policy, nowSeconds)
  try {
    await out.add(anchor)
    let copies = 0
    for await (const entry of beginning.entries) {
      await out.add(entry)
      copies += 1
    }
    await out.end()
    return copies
  } finally {
    await out.close()
  }
}

/** Writes lines in batches: they are not read before all are there, so that one fsync for each partition is enough. */
class PartitionOut {
  private readonly scope: WritingScope
  private readonly policy: RotationPolicy
  private readonly nowSeconds: number
  private count: PartitionCount
  private file: DiskFile | undefined
  private lines: Uint8Array[] = []
  private pendingBytes = 0

  constructor(scope: WritingScope, policy: RotationPolicy, nowSeconds: number) {
    this.scope = scope
    this.policy = policy
    this.nowSeconds = nowSeconds
    this.count = new PartitionCount(policy.bytesPerToken)
  }

  async add(entry: EntryDraft): Promise<void> {
    const { line } = await encodeForAppend(entry, this.nowSeconds)
    this.lines.push(line, lineFeed)
    this.pendingBytes += line.length + 1
    this.count.addLine({ ...entry, timestamp: entry.timestamp ?? this.nowSeconds })
    if (this.pendingBytes >= batchBytes) await this.flush()
    // Not by age: copies are as old as what they are copies of, and the next append looks at that.
    const { maxEntries, maxTokens = Number.POSITIVE_INFINITY } = this.policy
    const isFull =
      this.count.entries >= Math.max(1, maxEntries) || this.count.tokens >= Math.max(1, maxTokens)
    if (isFull) await this.archive()
  }

  /** Makes what was written durable. */
  async end(): Promise<void> {
    await this.flush()
    await this.file?.sync()
    await this.close()
  }

  async close(): Promise<void> {
    const file = this.file
    this.file = undefined
    await file?.close()
  }

  private async archive(): Promise<void> {
    await this.end()
    const { disk, paths } = this.scope
    await rotatePartition(
      this.scope,
      paths.active,
      this.count,
      disk.statNow(paths.active)?.identity,
    )
    this.count = new PartitionCount(this.policy.bytesPerToken)
  }

  private async flush(): Promise<void> {
    if (this.lines.length === 0) return
    const { active } = this.scope.paths
    this.file ??= await this.scope.disk.open(active, 'create-new')
    const bytes = Buffer.concat(this.lines)
    this.lines = []
    this.pendingBytes = 0
    await writeAll(this.file, active, bytes)
  }
}

const lineFeed = Buffer.from('\n')

/** Removes what a crash left of creations that were going on long ago. What cannot be removed stays; it is no context. */
async function clearAbandoned(scope: WritingScope, contexts: string): Promise<void> {
  const { disk } = scope
  for (const name of await disk.list(contexts)) {
    if (!name.startsWith(`${unfinished}.`) || !isTemporaryName(name)) continue
    const folder = path.join(contexts, name)
    const stat = await disk.stat(folder).catch(() => undefined)
    if (stat !== undefined && scope.now() - stat.mtimeMs > abandonedAfterMs)
      await removeTree(disk, folder).catch(() => undefined)
  }
}
