import { homedir } from 'node:os'
import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { exportFormats, PlacedFormat } from '../../../shared/model/export'
import { type Disk, DiskError } from '../../disk/interface/disk'
import type { Exportable, Exporter } from '../../exporters/parts/exporter'
import type { LibraryRoot } from '../../library/sources/roots'
import { programCommand } from './continue-command'

/** The place of a new session among those that a program has. */
export interface ProgramPlace {
  /** The program's name. */
  readonly program: string
  /** The new file; absolute. */
  readonly file: string
  /** Where the session goes on; absolute. */
  readonly folder: string
  /** Goes on with it, quoted for the shell of the platform. */
  readonly command: string
}

/** A program's folder of sessions, below its own, and the folders in that for one session. */
interface SessionFolders {
  readonly name: string
  foldersFor(folder: string, fileName: string): readonly string[]
}

const places: Readonly<Record<PlacedFormat, SessionFolders>> = {
  pi: {
    name: 'sessions',
    foldersFor: (folder) => [`--${folder.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`],
  },
  'claude-code': {
    name: 'projects',
    foldersFor: (folder) => [folder.replace(/[^A-Za-z0-9-]/g, '-')],
  },
  codex: {
    name: 'sessions',
    foldersFor: (_, name) => /^rollout-(\d{4})-(\d\d)-(\d\d)T/.exec(name)?.slice(1) ?? [],
  },
}

/**
 * Finds the place of a new session in the folder of the format's own program: the first of its roots that has a folder of sessions.
 * The session goes on in the project's folder where that is there, else in the person's own. Writes nothing.
 *
 * @throws AppError `bad-argument` a format whose program takes no files, `not-found` the program has no sessions here
 */
export async function programPlace(
  exporter: Exporter,
  conversation: Pick<Exportable, 'created' | 'project'>,
  { disk, roots }: { readonly disk: Disk; readonly roots: readonly LibraryRoot[] },
  platform: NodeJS.Platform,
): Promise<ProgramPlace> {
  const { id } = exporter
  const program = exportFormats[id].inSentence ?? exportFormats[id].name
  const { data: format } = PlacedFormat.safeParse(id)
  if (format === undefined || exporter.fileName === undefined)
    throw new AppError(
      'bad-argument',
      `${program} has no folder that takes new files. Export a file, and use it as the format says.`,
    )
  const { name, foldersFor } = places[format]
  const sessions = await sessionsFolder(disk, roots, format, name)
  if (sessions === undefined)
    throw new AppError(
      'not-found',
      `${program} has no folder of sessions among the sources. Start it once, or export a file.`,
    )
  const folder = await folderFor(disk, exporter, conversation.project)
  const fileName = exporter.fileName(conversation)
  const file = path.join(sessions, ...foldersFor(folder, fileName), fileName)
  const key = /[0-9a-f-]{36}(?=\.jsonl$)/.exec(fileName)?.[0] ?? ''
  const command = programCommand(format, { key, file, folder }, platform)
  return { program, file, folder, command }
}

async function sessionsFolder(
  disk: Disk,
  roots: readonly LibraryRoot[],
  format: PlacedFormat,
  name: string,
): Promise<string | undefined> {
  for (const { source, path: root, backup } of roots) {
    // A program looks among its own files alone.
    if (backup !== undefined) continue
    if (source !== format) continue
    const folder = path.basename(root) === name ? root : path.join(root, name)
    if ((await disk.stat(folder))?.kind === 'directory') return folder
  }
  return undefined
}

/** Programs name their folders after the real path of the one that they run in. */
async function folderFor(
  disk: Disk,
  { hasProject }: Exporter,
  project: string | null,
): Promise<string> {
  if (project !== null && path.isAbsolute(project)) {
    const real = await realFolder(disk, project)
    const isKept = typeof hasProject === 'function' ? hasProject(real ?? project) : hasProject
    if (real !== undefined && isKept) return real
  }
  return disk.realPath(homedir())
}

/** Finds the real path of a folder; undefined where there is none, or none that this person can look at, as in another's home. */
async function realFolder(disk: Disk, folder: string): Promise<string | undefined> {
  try {
    const isThere = (await disk.stat(folder))?.kind === 'directory'
    return isThere ? await disk.realPath(folder) : undefined
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return undefined
  }
}
