import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { liesInFolder } from '../../disk/reading/real-path'

/** Deeper folders are none of an export. */
const deepest = 8

/** File of an export. */
export interface ExportFile {
  /** Below the export; empty for a file by itself. */
  readonly file: string
  readonly bytes: number
}

/** Files of an export, and what was passed over. */
interface ExportFiles {
  readonly files: readonly ExportFile[]
  /** Links to folders of the export, below it. */
  readonly folderLinks: readonly string[]
}

/**
 * Lists the files of a folder and of those below it, each folder under its own name alone: an unpacked archive may have links to folders
 * that go round. A link to a file of it is a file.
 *
 * @throws AppError `bad-argument` where a link leads out of it; DiskError; the signal's reason
 */
export async function filesInExport(
  disk: Disk,
  root: string,
  signal: AbortSignal,
): Promise<ExportFiles> {
  const files: ExportFile[] = []
  const folderLinks: string[] = []
  const top = await disk.realPath(root)

  async function walk(below: string, depth: number): Promise<void> {
    for (const name of [...(await disk.list(path.join(root, below)))].sort()) {
      signal.throwIfAborted()
      const file = path.join(below, name)
      const stat = await disk.stat(path.join(root, file))
      if (stat?.kind !== 'file' && stat?.kind !== 'directory') continue
      const real = await disk.realPath(path.join(root, file))
      if (!liesInFolder(top, real))
        throw new AppError(
          'bad-argument',
          `${path.basename(root)} holds a link that leads out of it, ${file}. Put what it leads to in its place first.`,
        )
      if (stat.kind === 'file') files.push({ file, bytes: stat.sizeBytes })
      else if (real !== path.join(top, file)) folderLinks.push(file)
      else if (depth < deepest) await walk(file, depth + 1)
    }
  }

  await walk('', 0)
  return { files, folderLinks }
}

/** Returns a disk on which no folder lists these paths. */
export function diskWithout(disk: Disk, paths: readonly string[]): Disk {
  const hidden = new Set(paths)
  return {
    ...disk,
    async list(folder) {
      const names = await disk.list(folder)
      return names.filter((name) => !hidden.has(path.join(folder, name)))
    },
  }
}
