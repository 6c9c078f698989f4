import os from 'node:os'
import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { shownPath } from '../../main/disk/interface/shown-path'
import { foreignRoots } from '../../main/library/sources/roots'
import { cachedContextLengths } from '../../main/settings/context-length'
import type { Endpoint } from '../../main/settings/endpoint/endpoint'
import { openSettings, type Settings } from '../../main/settings/settings'
import { environmentVault } from '../../main/settings/stored/key-vault'
import { defaultCacheFolder, importsFolder, skeinFolder } from '../../main/settings/user-folders'
import { openStore } from '../../main/store/open-store'
import type { Store } from '../../main/store/store'
import type { Arguments, Root } from '../command/arguments'

/** A store over one of the homes that the command line names. */
export interface NamedStore {
  readonly store: Store
  /** As people write it: `~/.chibi`. */
  readonly shown: string
  readonly writable: boolean
}

/** Lists the roots that are read where the command line names none: the chibi home, and those of other systems. */
export function defaultRoots(
  environment: Readonly<Record<string, string | undefined>>,
): readonly Root[] {
  const home = environment.CHIBI_HOME || path.join(os.homedir(), '.chibi')
  const others = foreignRoots(environment, importsFolder(environment)).map((root) => ({
    ...root,
    writable: false,
  }))
  return [{ source: 'chibi', path: path.resolve(home), writable: true }, ...others]
}

/** Returns the folder for caches: that of `--cache`, else the one that the app window uses too. */
export function cacheFolder(
  args: Arguments,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return args.cache ?? defaultCacheFolder(environment)
}

/** Stores over the homes that were named, in their order. */
export function chibiStores(args: Arguments, disk: Disk): readonly NamedStore[] {
  return args.roots
    .filter((root) => root.source === 'chibi')
    .map((root) => ({
      store: storeAt(root, disk),
      shown: shownPath(root.path),
      writable: root.writable,
    }))
}

/**
 * Returns a function that finds the context length of an endpoint's model in tokens, from the model lists that the
 * app window cached. Sends no request, never rejects.
 */
export function contextLengths(
  args: Arguments,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
): (endpoint: Endpoint) => Promise<number | undefined> {
  return cachedContextLengths(disk, cacheFolder(args, environment))
}

/** Opens the store of a home. */
export function storeAt(root: Root, disk: Disk): Store {
  const settings = settingsAt(root, disk, {})
  return openStore({
    home: root.path,
    disk,
    storagePolicy: (context) => settings.storagePolicy(context),
    heartbeatSeconds: () => settings.lockHeartbeatSeconds(),
  })
}

/** Opens the settings of a home for the command line: files and environment, no keychain. */
export function settingsAt(
  root: Root,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
  practice?: () => Promise<string>,
): Settings {
  return openSettings({
    disk,
    home: root.path,
    folder: skeinFolder(environment),
    vault: environmentVault,
    environment,
    practice,
  })
}
