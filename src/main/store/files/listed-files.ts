import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import type { ContextPaths } from '../core/home-paths'
import {
  type FoundManifest,
  indexAmongListed,
  indexByTime,
  insideTranscript,
  manifestOf,
} from '../core/manifest'
import type { TranscriptFile } from '../core/transcript-file'
import type { FileProbe } from './file-probe'
import type { AbsentFile } from './missing-files'
import { isMisnamed } from './transient-names'

/** Files that a manifest lists. */
interface ListedFiles {
  /** In its order, each once. */
  readonly files: readonly TranscriptFile[]
  readonly absent: readonly AbsentFile[]
}

/**
 * Finds the path of the active partition; a manifest may give it another name inside transcript/. Without one, chibi
 * uses a `transcript/context.jsonl`, as its first partitions had it.
 */
export async function findActivePath(
  disk: Disk,
  paths: ContextPaths,
  found: FoundManifest,
): Promise<string> {
  const older = path.join(paths.transcript, 'context.jsonl')
  if (found.type === 'absent' && (await disk.stat(older))?.kind === 'file') return older
  const named = found.type === 'whole' ? found.manifest.active_partition : 'active.jsonl'
  // A name that points elsewhere is not believed.
  return path.basename(named) === named && named.endsWith('.jsonl')
    ? path.join(paths.transcript, named)
    : paths.active
}

/**
 * Finds the partitions that the manifest lists.
 *
 * @throws DiskError
 */
export async function findListedFiles(
  paths: ContextPaths,
  manifest: FoundManifest,
  look: FileProbe,
): Promise<ListedFiles> {
  const files: TranscriptFile[] = []
  const absent: AbsentFile[] = []
  const seen = new Set<string>()
  // A manifest may name a file many times: each is looked at once.
  const names = [...new Set((manifestOf(manifest)?.partitions ?? []).map(({ file }) => file))]
  const looked = names.map(async (file) => {
    const target = insideTranscript(paths, file)
    return { file, target, found: target && (await look(target, 'partition')) }
  })
  for (const { file, target, found } of await Promise.all(looked)) {
    const after = files.at(-1)?.identity
    if (target === undefined)
      absent.push({
        target,
        file,
        after,
        sentence: `The manifest names "${file}", which is outside the folder; it was not read.`,
      })
    else if (!found)
      absent.push({
        target,
        file,
        after,
        sentence: `${file} is in the manifest but not on the disk.`,
      })
    else if (!seen.has(found.identity)) {
      seen.add(found.identity)
      files.push(found)
    }
  }
  return { files, absent }
}

/** Merges partitions that the manifest does not list into those that it lists, whose order stays. */
export function mergeStrays(
  listed: readonly TranscriptFile[],
  strays: readonly TranscriptFile[],
): TranscriptFile[] {
  const all = [...listed]
  const names = [...listed, ...strays].map((file) => path.basename(file.path))
  const nameOf = ({ path: file }: TranscriptFile) => {
    const name = path.basename(file)
    return isMisnamed(name, names) ? 'tells no time' : name
  }
  const placed = (file: TranscriptFile) => ({ name: nameOf(file), mtimeMs: file.mtimeMs })
  // Among the strays themselves there is no order but the times in their names.
  for (const stray of strays)
    all.splice(
      all.length === listed.length
        ? indexAmongListed(listed.map(placed), placed(stray))
        : indexByTime(all.map(nameOf), nameOf(stray)),
      0,
      stray,
    )
  return all
}
