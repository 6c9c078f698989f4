import path from 'node:path'
import { type AppParts, BundledPackage } from '../../shared/ipc/app/app'
import type { Disk } from '../disk/interface/disk'
import { readJson } from '../disk/json/read-json'
import type { Updates } from './updates'

/** Parts of the built app that each list what they bundle; see scripts/vite/bundled-packages.mjs. */
const parts = ['main', 'preload', 'renderer']

/**
 * Reads what the app is made of from the lists that its build left beside its code. A part that has none, as the page of a
 * development server, adds nothing.
 *
 * @param builtFolder the folder that holds main, preload and renderer
 * @param updates those of this package
 * @throws DiskError
 */
export async function readAppParts(
  disk: Disk,
  builtFolder: string,
  versions: Readonly<Record<string, string | undefined>>,
  updates: Pick<Updates, 'place'>,
): Promise<AppParts> {
  const packages = new Map<string, BundledPackage>()
  for (const part of parts) {
    const list = await readJson(disk, path.join(builtFolder, part, 'bundled.json'))
    if (list === undefined || list === 'damaged') continue
    for (const each of BundledPackage.array().parse(list.value))
      packages.set(`${each.name}@${each.version}`, each)
  }
  return {
    electron: versions.electron ?? '',
    chromium: versions.chrome ?? '',
    node: versions.node ?? '',
    updates: await updates.place(),
    packages: [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
  }
}
