import os from 'node:os'
import path from 'node:path'
import type { ConfigFile } from '../../../shared/model/settings/settings'
import { type Disk, DiskError } from '../../disk/interface/disk'
import type { NewFolder } from '../base/approval'
import { type HomeConfig, readHomeConfig } from '../config/home-config'
import { expandUserFolder } from '../config/tool-settings'

/**
 * Finds the folders that a change of `file_tools_allowed_paths` would open to models: those that no present list
 * has. A context without a list has the home's, so removing a narrow one opens folders too.
 *
 * @param now the file that is changed, as it is
 * @param next its list afterwards; undefined where it has none
 */
export async function findNewFolders(
  { disk, home }: { readonly disk: Disk; readonly home: string },
  file: ConfigFile,
  now: HomeConfig,
  next: readonly string[] | undefined,
): Promise<readonly NewFolder[]> {
  const below = file === 'config.toml' ? undefined : listOf(await readHomeConfig(disk, home))
  const before = new Set((listOf(now) ?? below ?? []).map((one) => expandUserFolder(one)))
  const after = new Set((next ?? below ?? []).map((one) => expandUserFolder(one)))
  const added = [...after].filter((folder) => !before.has(folder))
  return Promise.all(added.map((folder) => describe(disk, folder)))
}

function listOf({ plain }: HomeConfig): readonly string[] | undefined {
  return plain.file_tools_allowed_paths?.value
}

async function describe(disk: Disk, folder: string): Promise<NewFolder> {
  const real = await realOf(disk, folder)
  const own = await realOf(disk, os.homedir())
  const isAround = (inner: string) => inner === real || inner.startsWith(withSeparator(real))
  return {
    path: folder,
    real,
    isEverything:
      path.parse(real).root === real ? 'disk' : isAround(own) ? 'own folder' : undefined,
  }
}

async function realOf(disk: Disk, folder: string): Promise<string> {
  try {
    return await disk.realPath(folder)
  } catch (error) {
    if (error instanceof DiskError) return folder
    throw error
  }
}

function withSeparator(folder: string): string {
  return folder.endsWith(path.sep) ? folder : folder + path.sep
}
