import path from 'node:path'
import { isTemporaryName } from '../disk/atomic'
import type { Disk } from '../disk/disk'
import { namesIn } from '../disk/read'
import { type ContextPaths, placeName } from './home'
import {
  type FoundManifest,
  indexAmong,
  indexInTime,
  insideTranscript,
  type Manifest,
  readManifest,
} from './manifest'
import { isCopied } from './starts-alike'

/** A file that holds a piece of a context's transcript. */
export interface TranscriptFile {
  readonly path: string
  /** Relative to the home. */
  readonly place: string
  readonly kind: 'legacy' | 'partition' | 'active' | 'document'
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly identity: string
  /** Where reading begins, in a file of which an earlier part is others'; `sizeBytes` is where it ends then. */
  readonly begin?: { readonly offset: number; readonly line: number }
}

/** All files of a transcript in reading order, and what was noticed when they were looked up. */
export interface ContextFiles {
  readonly files: readonly TranscriptFile[]
  readonly manifest: FoundManifest
  /** Files in partitions/ that the manifest does not list. */
  readonly strays: readonly TranscriptFile[]
  /** A partition that is the active one under a second name: a rotation that was cut off in the middle. */
  readonly halfMoved: TranscriptFile | undefined
  /** What stands in the place of a file and is none, such as a folder or a pipe, in words. It is not read. */
  readonly notFiles: readonly string[]
  readonly notices: readonly string[]
}

/**
 * Looks up a context's transcript: partitions in the manifest's order, those it does not list at their place in time,
 * then the active one. A legacy `transcript.jsonl` comes first; `context.json` counts where nothing else is, and
 * `transcript.md` where that is not there either.
 *
 * Undefined where the context has no folder. Reads the manifest and the names; no transcript.
 */
export async function findFiles(
  disk: Disk,
  home: string,
  paths: ContextPaths,
): Promise<ContextFiles | undefined> {
  const folder = await disk.stat(paths.folder)
  if (folder?.kind !== 'directory') return undefined
  const found = await findOnce(disk, home, paths)
  // A rotation that goes on at this moment has moved a partition and not yet listed it: no stray, a look later.
  return found.strays.length > 0 ? findOnce(disk, home, paths) : found
}

async function findOnce(disk: Disk, home: string, paths: ContextPaths): Promise<ContextFiles> {
  const notFiles = new Map<string, string>()
  const look = fileLook(disk, home, notFiles)
  const manifest = await readManifest(disk, paths)
  const notices: string[] = []
  if (manifest.type === 'damaged')
    notices.push(`${manifest.reason}; the partitions were read by their names.`)

  const active = await look(activePath(paths, manifest), 'active')
  const named = await listedFiles(paths, manifest, look, notices, notFiles)
  // The manifest can name the active partition as an archived one, in other words or through a link: it is read once.
  const listed = named.filter((file) => file.identity !== active?.identity)
  const known = new Set(listed.map((file) => file.identity))
  const strays: TranscriptFile[] = []
  const twins = named.filter((file) => file.identity === active?.identity)
  const listedPaths = new Set(named.map((file) => file.path))
  const unlisted = (await namesIn(disk, paths.partitions))
    .filter((name) => name.endsWith('.jsonl') && !isTemporaryName(name))
    .map((name) => path.join(paths.partitions, name))
    .filter((target) => !listedPaths.has(target))
    .sort()
  for (const file of await Promise.all(unlisted.map((target) => look(target, 'partition')))) {
    if (file === undefined || known.has(file.identity)) continue
    known.add(file.identity)
    if (file.identity === active?.identity) twins.push(file)
    else strays.push(file)
  }
  const halfMoved = active && (await linkedTwin(disk, paths, active, twins))
  for (const twin of twins)
    if (twin !== halfMoved)
      notices.push(`${path.basename(twin.path)} is the active partition; it was read once.`)
  const partitions = merged(listed, strays)
  if (manifest.type !== 'damaged')
    for (const stray of strays)
      notices.push(`${path.basename(stray.path)} is not in the manifest; it was read all the same.`)

  const legacy = await look(paths.legacyTranscript, 'legacy')
  const files = [...partitions, ...(active ? [active] : [])]
  if (legacy && !(await isCopied(disk, legacy, files))) files.unshift(legacy)
  // What chibi wrote before it had lines. The page for people is the last resort: it holds neither tools nor times.
  for (const target of [paths.legacyContext, paths.legacyPage]) {
    const document = files.length === 0 ? await look(target, 'document') : undefined
    if (document) files.push(document)
  }
  for (const [target, words] of notFiles)
    notices.push(`${path.basename(target)} was not read: ${words}`)
  return { files, manifest, strays, halfMoved, notFiles: [...notFiles.values()], notices }
}

/**
 * The partition that is a second name of the active one, as a rotation leaves it that was cut off in the middle.
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

/** The path of the active partition; a manifest may give it another name inside transcript/. */
export function activePath(paths: ContextPaths, found: FoundManifest): string {
  const named = found.type === 'whole' ? found.manifest.active_partition : 'active.jsonl'
  // A name that points elsewhere is not believed.
  return path.basename(named) === named && named.endsWith('.jsonl')
    ? path.join(paths.transcript, named)
    : paths.active
}

/** The manifest where one was read. */
export function manifestOf(found: FoundManifest): Manifest | undefined {
  return found.type === 'whole' ? found.manifest : undefined
}

type Look = (path: string, kind: TranscriptFile['kind']) => Promise<TranscriptFile | undefined>

/** @param notFiles is told what is no file: its path, and words about it */
function fileLook(disk: Disk, home: string, notFiles: Map<string, string>): Look {
  return async (target, kind) => {
    const stat = await disk.stat(target)
    if (stat === undefined) return undefined
    if (stat.kind !== 'file') {
      const what = stat.kind === 'directory' ? 'a folder, not a file' : 'not a file'
      notFiles.set(target, `${target} is ${what}`)
      return undefined
    }
    const { sizeBytes, mtimeMs, identity } = stat
    return { path: target, place: placeName(home, target), kind, sizeBytes, mtimeMs, identity }
  }
}

async function listedFiles(
  paths: ContextPaths,
  manifest: FoundManifest,
  look: Look,
  notices: string[],
  notFiles: ReadonlyMap<string, string>,
): Promise<readonly TranscriptFile[]> {
  const files: TranscriptFile[] = []
  const seen = new Set<string>()
  const looked = (manifestOf(manifest)?.partitions ?? []).map(async ({ file }) => {
    const target = insideTranscript(paths, file)
    return { name: file, target, found: target && (await look(target, 'partition')) }
  })
  for (const { name, target, found } of await Promise.all(looked)) {
    if (target === undefined)
      notices.push(`The manifest names "${name}", which lies outside; it was not read.`)
    else if (!found) {
      if (!notFiles.has(target)) notices.push(`${name} is in the manifest but not on the disk.`)
    } else if (!seen.has(found.identity)) {
      seen.add(found.identity)
      files.push(found)
    }
  }
  return files
}

/** Strays take their place; the manifest's own order stands. */
function merged(
  listed: readonly TranscriptFile[],
  strays: readonly TranscriptFile[],
): readonly TranscriptFile[] {
  const all = [...listed]
  const placed = ({ path: file, mtimeMs }: TranscriptFile) => ({
    name: path.basename(file),
    mtimeMs,
  })
  // Among the strays themselves there is no order but the times in their names.
  for (const stray of strays)
    all.splice(
      all.length === listed.length
        ? indexAmong(listed.map(placed), placed(stray))
        : indexInTime(
            all.map((file) => path.basename(file.path)),
            path.basename(stray.path),
          ),
      0,
      stray,
    )
  return all
}
