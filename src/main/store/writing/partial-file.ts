import path from 'node:path'
import type { EntryDraft } from '../../../shared/model/conversation/entry'
import { Mutex } from '../../async/mutex'
import { readSmallFile } from '../../disk/reading/read'
import {
  isTemporaryName,
  removeIfSame,
  removeIfThere,
  replaceFile,
} from '../../disk/writing/atomic'
import type { PartialAnswer } from '../core/writer-types'
import type { WritingScope } from '../core/writing-scope'
import type { TranscriptFile } from '../files/context-files'
import { decodeLineAsync, encodeEntryAsync } from '../lines/entry-line'
import { readFileFacts } from '../lines/file-facts'
import { keepDamagedBytes } from '../registry/known-contexts'

/** A crash loses at most this much of an answer, and the time of one write. */
const writeEveryMs = 1000
/** More text than any answer has. */
const largestPartial = 256 * 1024 * 1024

/** The partial file of one answer: the entry that it becomes after a crash, with the text so far. */
export class PartialFile implements PartialAnswer {
  private readonly scope: WritingScope
  private readonly draft: EntryDraft
  private text = ''
  private reasoning = ''
  private isBehind = false
  private timer: NodeJS.Timeout | undefined
  private readonly writes = new Mutex()
  private lastStartedMs = Number.NEGATIVE_INFINITY
  private failure: unknown
  private discarded = false

  private readonly lost: AbortSignal

  /** `lost` aborts when the file may be another process's by now: nothing is written or removed from then on. */
  constructor(scope: WritingScope, draft: EntryDraft, lost: AbortSignal) {
    this.scope = scope
    this.draft = draft
    this.lost = lost
  }

  get isOpen(): boolean {
    return !this.discarded
  }

  update(text: string, reasoning = ''): void {
    if (this.discarded) return
    this.text = text
    this.reasoning = reasoning
    this.isBehind = true
    if (this.timer !== undefined) return
    const waitMs = Math.max(0, this.lastStartedMs + writeEveryMs - performance.now())
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.writes.run(() => this.write())
    }, waitMs)
  }

  async discard(): Promise<void> {
    if (this.discarded) return
    this.discarded = true
    clearTimeout(this.timer)
    await this.writes.idle()
    try {
      if (!this.lost.aborted) await removePartial(this.scope, this.draft.id)
    } catch (error) {
      // Its entry is in the transcript under the same id, so the next writer finds that there is nothing to recover.
      this.failure ??= error
    }
    if (this.failure !== undefined)
      this.scope.noticed(`A partial answer could not be kept: ${(this.failure as Error).message}`)
  }

  /** Writes what is not written yet; the file stays, for the next writer to recover. */
  async flush(): Promise<void> {
    if (this.discarded) return
    clearTimeout(this.timer)
    this.timer = undefined
    await this.writes.run(() => this.write())
  }

  private soFar(): EntryDraft {
    const { draft, text: content, reasoning } = this
    return reasoning === ''
      ? { ...draft, content }
      : { ...draft, content, metadata: { ...draft.metadata, reasoning } }
  }

  private async write(): Promise<void> {
    if (!this.isBehind || this.discarded || this.lost.aborted) return
    this.isBehind = false
    this.lastStartedMs = performance.now()
    const nowSeconds = Math.floor(this.scope.now() / 1000)
    try {
      const line = await encodeEntryAsync(this.soFar(), nowSeconds)
      await this.scope.mustHold()
      await replaceFile(this.scope.disk, this.scope.paths.partial, line)
    } catch (error) {
      this.failure = error
    }
  }
}

/** Removes the partial file if it is of the answer with this id: another process may have begun its own. @throws DiskError */
async function removePartial({ disk, paths }: WritingScope, id: string | undefined): Promise<void> {
  await removeIfSame(disk, paths.partial, async (at) => {
    const bytes = await readSmallFile(disk, at, largestPartial)
    return bytes !== undefined && (await draftIn(bytes))?.id === id
  })
}

function isBlank({ content, metadata }: EntryDraft): boolean {
  return content === '' && (metadata?.reasoning ?? '') === ''
}

async function draftIn(bytes: Uint8Array): Promise<EntryDraft | undefined> {
  const decoded = await decodeLineAsync({ bytes, offset: 0, length: bytes.length, ended: true })
  return decoded.type === 'entry' ? decoded.draft : undefined
}

/** Reads an answer that a crash cut off, as the entry it becomes; undefined where there is none, or it is in the transcript. */
export async function readLostAnswer(
  scope: WritingScope,
  files: readonly TranscriptFile[],
): Promise<EntryDraft | undefined> {
  const { disk, paths } = scope
  const stat = await disk.stat(paths.partial)
  const bytes = await readSmallFile(disk, paths.partial, largestPartial)
  if (stat === undefined || bytes === undefined) return undefined
  const decoded = await decodeLineAsync({ bytes, offset: 0, length: bytes.length, ended: true })
  if (decoded.type === 'damaged')
    await keepAside(scope, bytes, `The answer that was cut off cannot be read: ${decoded.reason}.`)
  if (decoded.type !== 'entry' || isBlank(decoded.draft)) return undefined
  const { draft } = decoded
  // Its entry, if there is one, was appended after the partial file was last written.
  const candidates = files.filter((file) => file.mtimeMs >= stat.mtimeMs - 5000)
  for (const file of candidates.reverse()) {
    // It is durable: loading has synced what whoever wrote it may not have lived to sync.
    if (await holdsEntry(scope, file, draft.id)) return undefined
  }
  return { ...draft, metadata: { ...draft.metadata, interrupted: 'crashed' } }
}

/**
 * Keeps the partial file's bytes where its answer was refused as an entry, since no reader would accept it: it must
 * not prevent writing to the context.
 *
 * @throws DiskError
 */
export async function keepRefusedPartial(scope: WritingScope, { message }: Error): Promise<void> {
  const bytes = await readSmallFile(scope.disk, scope.paths.partial, largestPartial)
  if (bytes !== undefined) await keepAside(scope, bytes, message)
}

async function keepAside(scope: WritingScope, bytes: Uint8Array, why: string): Promise<void> {
  const kept = await keepDamagedBytes(scope.disk, scope.paths.partial, bytes)
  scope.noticed(`${why} It is kept as ${path.basename(kept)}.`)
}

/**
 * Removes temporary files of a process that was killed while it replaced the partial file: older text of the same
 * answer, or half of a newer one. Under the context's lock only this process writes there, and it has not begun.
 */
export async function sweepPartials(scope: WritingScope): Promise<void> {
  const { disk, paths } = scope
  try {
    const { dir, name } = path.parse(paths.partial)
    for (const left of await disk.list(dir))
      if (left.startsWith(`${name}.tmp.`) && isTemporaryName(left))
        await removeIfThere(disk, path.join(dir, left))
  } catch (error) {
    scope.noticed(`A leftover file was not removed: ${(error as Error).message}`)
  }
}

async function holdsEntry(scope: WritingScope, file: TranscriptFile, id: string): Promise<boolean> {
  for await (const facts of readFileFacts(scope.disk, file, scope.paths.name))
    for (const { rows } of facts)
      if (rows.some((row) => row.type === 'entry' && row.entry.id === id)) return true
  return false
}
