import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { type EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import { joinBytes } from '../../disk/pacing/sliced-text'
import { runInSlices, yieldToOthers } from '../../disk/pacing/slices'
import { isNameTaken, readSmallFile } from '../../disk/reading/read'
import {
  createFile,
  moveToFreeName,
  removeIfSame,
  removeIfThere,
  temporaryName,
} from '../../disk/writing/atomic'
import { copyFile } from '../../disk/writing/copy-file'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { toWholeSeconds, type WritingScope } from '../core/writing-scope'
import { findContextFiles, type TranscriptFile } from '../files/context-files'
import { encodeEntryAsync } from '../lines/entry-line'
import { readFileFacts } from '../lines/file-facts'
import { decodeLegacyDocument, isLegacyPage, readLegacyDocument } from '../lines/legacy-document'
import type { LineFact } from '../lines/line-facts'
import { countPartition } from './partition-count'

/**
 * Brings a context of an older chibi to the present layout: its content is copied whole, then the original is renamed
 * to `*.migrated`, which stays. Nothing is overwritten; where it is interrupted, the next opening continues.
 *
 * The original's name has to go: chibi would rename a `transcript.jsonl` over the active partition.
 */
export async function migrateLegacy(scope: WritingScope): Promise<void> {
  const { disk, home, paths } = scope
  const legacy = await Promise.all([paths.legacyTranscript, paths.legacyContext].map(disk.stat))
  const isLegacy = legacy.some((stat) => stat !== undefined)
  const found = isLegacy ? await findContextFiles(disk, home, paths) : undefined
  if (found === undefined) return
  const first = found.files[0]
  if (first?.kind === 'document') {
    if (isLegacyPage(first.place)) return
    await migrateDocument(scope, first)
    return
  }
  if (legacy[0]?.kind === 'file') {
    // Where it is not among the files, it was copied before.
    if (first?.kind === 'legacy') await copyTranscript(scope, first, found.files.length === 1)
    await setAside(scope, paths.legacyTranscript)
  }
  // Cut off right before its name went. One beside a transcript of other words is left as it is.
  if (legacy[1]?.kind === 'file' && first && (await isDocumentCopied(scope, first)))
    await setAside(scope, paths.legacyContext)
}

/** Whether a transcript begins as `migrateDocument` would write it: an anchor, then every message of context.json. */
async function isDocumentCopied(scope: WritingScope, first: TranscriptFile): Promise<boolean> {
  const { disk, paths } = scope
  const bytes = await readSmallFile(disk, paths.legacyContext, Number.MAX_SAFE_INTEGER)
  if (bytes === undefined) return false
  const { facts } = decodeLegacyDocument(bytes, path.basename(paths.legacyContext), paths.name)
  const wanted = wordsIn(facts)
  if (wanted.length === 0) return false
  const there: string[] = []
  for await (const batch of readFileFacts(disk, first, paths.name)) {
    pushAll(there, wordsIn(batch))
    if (there.length > wanted.length) break
  }
  return wanted.every((words, at) => there[at + 1] === words)
}

function wordsIn(facts: readonly LineFact[]): string[] {
  return facts
    .flatMap(({ rows }) => rows)
    .flatMap((row) => (row.type === 'entry' ? [`${row.entry.role} ${row.entry.content}`] : []))
}

async function copyTranscript(
  scope: WritingScope,
  legacy: TranscriptFile,
  isAlone: boolean,
): Promise<void> {
  const { disk, paths } = scope
  await makeDurableFolder(disk, paths.transcript)
  if (isAlone) {
    await removeEmptyActive(scope)
    await copyToFree(scope, legacy, () => paths.active)
    return
  }
  // Something newer stands in transcript/: the old one becomes its oldest partition, adopted like a stray.
  await makeDurableFolder(disk, paths.partitions)
  const count = await countPartition(scope, legacy, 1, () => {})
  const span = `${count.firstSeconds ?? 0}-${count.lastSeconds ?? 0}`
  await copyToFree(scope, legacy, (n) =>
    path.join(paths.partitions, `${span}${n === 1 ? '' : `-${n}`}.jsonl`),
  )
}

async function removeEmptyActive(scope: WritingScope): Promise<void> {
  const { disk, paths } = scope
  const isEmptyFile = async (at: string) => {
    const stat = await disk.stat(at)
    return stat?.kind === 'file' && stat.sizeBytes === 0
  }
  await removeIfSame(disk, paths.active, isEmptyFile)
}

async function migrateDocument(scope: WritingScope, file: TranscriptFile): Promise<void> {
  const { disk, paths } = scope
  const { facts, createdAt, summary } = await readLegacyDocument(disk, file, paths.name)
  const nowSeconds = Math.floor(scope.now() / 1000)
  const seconds = createdAt === undefined ? nowSeconds : toWholeSeconds(createdAt)
  const messages = facts
    .flatMap((fact) => fact.rows)
    .flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
  // Nothing that can be understood: it is read as it stands, and a new transcript begins beside it.
  if (messages.length === 0) return
  const drafts: EntryDraft[] = [
    anchorDraft(paths.name, seconds),
    ...messages.map((entry) => ({
      ...entry,
      id: /^L\d+$/.test(entry.id) ? EntryId.parse(randomUUID()) : entry.id,
      timestamp: seconds,
    })),
  ]
  const lines: Uint8Array[] = []
  for (const draft of drafts) {
    lines.push(await encodeEntryAsync(draft, nowSeconds), Buffer.from('\n'))
    await yieldToOthers(draft.content.length)
  }
  const permissions = { like: [file.path] }
  // Before the transcript: once that stands, context.json is not read any more.
  const summaryFile = path.join(paths.folder, 'summary.md')
  if (summary !== undefined && summary !== '' && (await disk.stat(summaryFile)) === undefined)
    await createFile(disk, summaryFile, Buffer.from(summary), permissions)
  await makeDurableFolder(disk, paths.transcript)
  await createFile(disk, paths.active, await runInSlices(joinBytes(lines)), permissions)
  await setAside(scope, paths.legacyContext)
}

/** Returns chibi's first entry of a context, its `context_created` anchor. */
export function anchorDraft(context: string, seconds: number): EntryDraft {
  return {
    id: EntryId.parse(randomUUID()),
    timestamp: seconds,
    from: 'system',
    to: context,
    content: 'Context created',
    entry_type: 'context_created',
  }
}

async function copyToFree(
  scope: WritingScope,
  from: TranscriptFile,
  name: (n: number) => string,
): Promise<void> {
  const { disk } = scope
  const temporary = temporaryName(name(1))
  try {
    await copyFile(disk, from.path, temporary)
    await takeFreeName(scope, temporary, name)
  } finally {
    await removeIfThere(disk, temporary)
  }
  await disk.syncFolder(path.dirname(temporary))
}

async function setAside(scope: WritingScope, original: string): Promise<void> {
  // Whoever made the copy may not have lived to sync its name.
  const { disk, paths } = scope
  await makeDurableFolder(disk, paths.transcript)
  for (const folder of [paths.transcript, paths.partitions])
    if ((await disk.stat(folder)) !== undefined) await disk.syncFolder(folder)
  await takeFreeName(scope, original, (n) => `${original}.migrated${n === 1 ? '' : `-${n}`}`)
  await scope.disk.syncFolder(path.dirname(original))
  scope.noticed(
    `${path.basename(original)} was converted to the current layout; the original is kept.`,
  )
}

async function takeFreeName(
  scope: WritingScope,
  from: string,
  name: (n: number) => string,
): Promise<void> {
  for (let n = 1; ; n++) {
    try {
      return await moveToFreeName(scope.disk, from, name(n))
    } catch (error) {
      // A name that always stays the same is no choice: the transcript appeared meanwhile.
      if (!isNameTaken(error) || name(n + 1) === name(n)) throw error
    }
  }
}
