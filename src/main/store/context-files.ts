import path from 'node:path'
import { isTemporaryName } from '../disk/atomic'
import type { Disk } from '../disk/disk'
import { isNotFound } from '../disk/read'
import { type ContextPaths, placeName } from './home'
import {
  type FoundManifest,
  indexAmong,
  indexInTime,
  insideTranscript,
  type Manifest,
  readManifest,
} from './manifest'

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
  readonly notices: readonly string[]
}

/**
 * Looks up a context's transcript: partitions in the manifest's order, those it does not list at their place in time,
 * then the active one. A legacy `transcript.jsonl` comes first; `context.json` counts where nothing else is.
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
  const look = fileLook(disk, home)
  const manifest = await readManifest(disk, paths)
  const notices: string[] = []
  if (manifest.type === 'damaged')
    notices.push(`${manifest.reason}; the partitions were read by their names.`)

  const listed = await listedFiles(paths, manifest, look, notices)
  const active = await look(activePath(paths, manifest), 'active')
  const known = new Set(listed.map((file) => file.identity))
  const strays: TranscriptFile[] = []
  let halfMoved: TranscriptFile | undefined
  const names = await namesIn(disk, paths.partitions)
  const listedPaths = new Set(listed.map((file) => file.path))
  const unlisted = names
    .filter((name) => name.endsWith('.jsonl') && !isTemporaryName(name))
    .map((name) => path.join(paths.partitions, name))
    .filter((target) => !listedPaths.has(target))
    .sort()
  for (const file of await Promise.all(unlisted.map((target) => look(target, 'partition')))) {
    if (file === undefined || known.has(file.identity)) continue
    known.add(file.identity)
    if (file.identity === active?.identity) halfMoved = file
    else strays.push(file)
  }
  const partitions = merged(listed, strays)
  if (manifest.type !== 'damaged')
    for (const stray of strays)
      notices.push(`${path.basename(stray.path)} is not in the manifest; it was read all the same.`)

  const legacy = await look(paths.legacyTranscript, 'legacy')
  const files = [...partitions, ...(active ? [active] : [])]
  if (legacy && !(await isCopied(disk, legacy, files))) files.unshift(legacy)
  if (files.length === 0) {
    const document = await look(paths.legacyContext, 'document')
    if (document) files.push(document)
  }
  return {
    files,
    manifest,
    strays,
    halfMoved,
    notices,
  }
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

function fileLook(disk: Disk, home: string): Look {
  return async (target, kind) => {
    const stat = await disk.stat(target)
    if (stat === undefined) return undefined
    const { sizeBytes, mtimeMs, identity } = stat
    return { path: target, place: placeName(home, target), kind, sizeBytes, mtimeMs, identity }
  }
}

async function listedFiles(
  paths: ContextPaths,
  manifest: FoundManifest,
  look: Look,
  notices: string[],
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
    else if (!found) notices.push(`${name} is in the manifest but not on the disk.`)
    else if (!seen.has(found.identity)) {
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

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.list(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

/** Whether a legacy transcript is at the beginning of another file already: a migration that was cut off. */
async function isCopied(
  disk: Disk,
  legacy: TranscriptFile,
  files: readonly TranscriptFile[],
): Promise<boolean> {
  for (const file of files) {
    if (file.identity === legacy.identity) return true
    if (file.sizeBytes >= legacy.sizeBytes && (await startsAlike(disk, legacy, file))) return true
  }
  return false
}

const compareChunkBytes = 256 * 1024

async function startsAlike(
  disk: Disk,
  shorter: TranscriptFile,
  longer: TranscriptFile,
): Promise<boolean> {
  const a = await disk.open(shorter.path, 'read')
  try {
    const b = await disk.open(longer.path, 'read')
    try {
      const left = Buffer.alloc(compareChunkBytes)
      const right = Buffer.alloc(compareChunkBytes)
      for (let at = 0; at < shorter.sizeBytes; ) {
        const want = Math.min(compareChunkBytes, shorter.sizeBytes - at)
        const n = await a.read(left.subarray(0, want), at)
        if (n === 0) return false
        let m = 0
        while (m < n) {
          const got = await b.read(right.subarray(m, n), at + m)
          if (got === 0) return false
          m += got
        }
        if (!left.subarray(0, n).equals(right.subarray(0, n))) return false
        at += n
      }
      return true
    } finally {
      await b.close()
    }
  } finally {
    await a.close()
  }
}
