import path from 'node:path'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { namesInFolder } from '../../disk/reading/read'
import { isTemporaryName } from '../../disk/writing/atomic'
import type { ContextPaths } from '../core/home-paths'
import { type FoundManifest, readManifest } from '../core/manifest'
import type { MissingFile, TranscriptFile } from '../core/transcript-file'
import { FileMovedError } from '../lines/file-facts'
import { againWhereMoved } from './again-where-moved'
import { isCopied } from './copied-file'
import { createFileProbe } from './file-probe'
import { findActivePath, findListedFiles, mergeStrays } from './listed-files'
import { placeMissingFiles } from './missing-files'
import { comparePermanentFirst, isTransientName } from './transient-names'
import { findWindowRemainder, type WindowCheck } from './window-remainder'

export type { TranscriptFile } from '../core/transcript-file'

/** The files of a transcript that can be read, and those that cannot. */
export type TranscriptFiles = Pick<ContextFiles, 'files' | 'missing'>

/** All files of a transcript in reading order, with notices about them. */
export interface ContextFiles {
  /** With context.jsonl as the last one, or a part of it, where it has what the others do not. */
  readonly files: readonly TranscriptFile[]
  /** Where entries are appended; nothing need be there. */
  readonly activePath: string
  /** context.jsonl, where it is a file. */
  readonly window: TranscriptFile | undefined
  /** Why a part of it, or all, is read from context.jsonl; one of the notices. */
  readonly windowNotice: string | undefined
  readonly manifest: FoundManifest
  /** Files in partitions/ that the manifest does not list. */
  readonly strays: readonly TranscriptFile[]
  /** A partition that is the active one under a second name: a rotation that was cut off in the middle. */
  readonly halfMoved: TranscriptFile | undefined
  /** Names of files that were moved aside for a check and have another name by now, `other`. */
  readonly spares: readonly { readonly path: string; readonly other: string }[]
  /** Things in the place of a file that are none, such as a folder or a pipe: sentences by path. They are not read. */
  readonly notFiles: ReadonlyMap<string, string>
  /** Files that belong to the transcript and cannot be read: partitions that are named and not there, and what is no file. */
  readonly missing: readonly MissingFile[]
  readonly notices: readonly string[]
  /** Those of the notices that nothing else here says. */
  readonly oddities: readonly string[]
}

/**
 * Finds the files of a context's transcript: partitions in the manifest's order, those that it does not list at their
 * place in time, then the active one, then what only `context.jsonl` has. A legacy `transcript.jsonl` comes first;
 * `context.json` is read where there is nothing else, and `transcript.md` where that is missing too.
 *
 * Undefined where the context has no folder. Reads the manifest and the names; of the transcript and of context.jsonl
 * what `check` asks for.
 */
export async function findContextFiles(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  check: WindowCheck = 'where-it-seems-ahead',
): Promise<ContextFiles | undefined> {
  const folder = await disk.stat(paths.folder)
  if (folder?.kind !== 'directory') return undefined
  const found = await againWhereMoved(() => findOnce(disk, home, paths, check))
  // A rotation at this moment has moved a partition and not yet listed it: the second time it is no stray.
  return found.strays.length > 0 ? againWhereMoved(() => findOnce(disk, home, paths, check)) : found
}

async function findOnce(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  check: WindowCheck,
): Promise<ContextFiles> {
  const notFiles = new Map<string, string>()
  const probe = createFileProbe(disk, home, notFiles)
  const manifest = await readManifest(disk, paths)
  const notices: string[] = []
  const oddities: string[] = []
  const odd = (notice: string) => {
    notices.push(notice)
    oddities.push(notice)
  }
  if (manifest.type === 'damaged')
    notices.push(`${manifest.reason}; the partitions were read by their names.`)

  const activePath = await findActivePath(disk, paths, manifest)
  const active = await probe(activePath, 'active')
  const { files: named, absent } = await findListedFiles(paths, manifest, probe)
  // The manifest can name the active partition as an archived one, by another name or through a link: it is read once.
  const listed = named.filter((file) => file.identity !== active?.identity)
  const known = new Set(listed.map((file) => file.identity))
  const strays: TranscriptFile[] = []
  const twins = named.filter((file) => file.identity === active?.identity)
  const listedPaths = new Set(named.map((file) => file.path))
  const unlisted = (await namesInFolder(disk, paths.partitions))
    .filter((name) => name.endsWith('.jsonl') && !isTemporaryName(name))
    .map((name) => path.join(paths.partitions, name))
    .filter((target) => !listedPaths.has(target))
    .sort(comparePermanentFirst)
  const spares: { readonly path: string; readonly other: string }[] = []
  for (const file of await Promise.all(unlisted.map((target) => probe(target, 'partition')))) {
    if (file === undefined) continue
    const isSame = (one: TranscriptFile) => one.identity === file.identity
    const other = [...(active ? [active] : []), ...listed, ...strays, ...twins].find(isSame)
    if (other !== undefined && isTransientName(file.path))
      spares.push({ path: file.path, other: other.path })
    if (known.has(file.identity) || (other !== undefined && isTransientName(file.path))) continue
    known.add(file.identity)
    if (file.identity === active?.identity) twins.push(file)
    else strays.push(file)
  }
  const halfMoved = active && (await linkedTwin(disk, paths, active, twins))
  for (const twin of twins)
    if (twin !== halfMoved)
      odd(`${path.basename(twin.path)} is the active partition; it was read once.`)
  // Its place is taken by another name, as chibi's first partitions had one: it still holds entries.
  const unnamed = activePath === paths.active ? undefined : await probe(paths.active, 'partition')
  const partitions = mergeStrays(listed, strays)
  if (
    unnamed !== undefined &&
    !known.has(unnamed.identity) &&
    unnamed.identity !== active?.identity
  ) {
    partitions.push(unnamed)
    odd('active.jsonl is not the active partition here; it was read anyway.')
  }
  if (manifest.type !== 'damaged')
    for (const stray of strays)
      notices.push(`${path.basename(stray.path)} is not in the manifest; it was read anyway.`)

  const legacy = await probe(paths.legacyTranscript, 'legacy')
  const files = [...partitions, ...(active ? [active] : [])]
  if (legacy && !(await isCopied(disk, legacy, files))) files.unshift(legacy)
  // A thing in its place that is no file is not missing from the transcript.
  const window = await createFileProbe(disk, home, new Map())(paths.window, 'window')
  let ownNotice: string | undefined
  try {
    const own = await findWindowRemainder(disk, paths.name, window, files, check, [
      ...notFiles.values(),
    ])
    if (own !== undefined) {
      files.push(own.file)
      ownNotice = own.notice
    }
  } catch (error) {
    // What is written to at this moment is compared the next time.
    if (!(error instanceof FileMovedError)) {
      if (!(error instanceof DiskError)) throw error
      odd(`context.jsonl was not compared with the transcript: ${error.message}.`)
    }
  }
  // What chibi wrote before it had lines. The page for people is the last resort: it holds neither tools nor times.
  for (const target of [paths.legacyContext, paths.legacyPage]) {
    const document = files.length === 0 ? await probe(target, 'document') : undefined
    if (document) files.push(document)
  }
  const hidden = await hiddenDocument(disk, paths, files)
  const windowNotice = ownNotice && (hidden === undefined ? ownNotice : `${ownNotice} ${hidden}`)
  if (windowNotice !== undefined) notices.push(windowNotice)
  else if (hidden !== undefined) odd(hidden)
  const missing = placeMissingFiles(home, paths, files, absent, notFiles)
  return {
    files,
    activePath,
    window,
    windowNotice,
    manifest,
    strays,
    halfMoved,
    spares,
    notFiles,
    missing,
    notices,
    oddities,
  }
}

/** Returns a notice that `context.json` is there besides other files. A migration of chibi's removes it; one that is left is the person's. */
async function hiddenDocument(
  disk: Disk,
  { legacyContext }: ContextPaths,
  files: readonly TranscriptFile[],
): Promise<string | undefined> {
  const isRead = files.some((file) => file.path === legacyContext)
  if (isRead || (await disk.stat(legacyContext))?.kind !== 'file') return undefined
  return 'context.json also holds messages, from a very old chibi. They are not shown.'
}

/**
 * Finds the partition that is a second name of the active one, as a rotation leaves it that was cut off in the middle.
 *
 * Only where both are names of their own: a symbolic link has nothing to read once the active partition's name is gone.
 */
async function linkedTwin(
  disk: Disk,
  paths: ContextPaths,
  active: TranscriptFile,
  twins: readonly TranscriptFile[],
): Promise<TranscriptFile | undefined> {
  for (const twin of twins)
    if (
      path.dirname(twin.path) === paths.partitions &&
      (await disk.realPath(twin.path)) !== (await disk.realPath(active.path))
    )
      return twin
  return undefined
}
