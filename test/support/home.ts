import path from 'node:path'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import type { Home } from '../../src/main/home/home'
import type { HomeSetup } from '../../src/main/home/home-setup'
import { openHome } from '../../src/main/home/open-home'
import type { WorkerPaths } from '../../src/main/home/workers'
import { openSettings, type Settings } from '../../src/main/settings/settings'
import { environmentVault } from '../../src/main/settings/stored/key-vault'
import { allowed, allowedAll } from './permissions'

/** Where what belongs to a test's home lies: the chibi home, Skein's own files of the user, caches. */
interface TestPlaces {
  readonly home: string
  readonly userFolder: string
  readonly cacheFolder: string
}

/** Names the places of a home in a folder. Makes none. */
export function placesIn(folder: string): TestPlaces {
  return {
    home: path.join(folder, 'chibi'),
    userFolder: path.join(folder, 'user'),
    cacheFolder: path.join(folder, 'cache'),
  }
}

/** Opens the settings of a home; with a server, its model `m` is the one that answers. */
export async function testSettings(
  { home, userFolder }: Omit<TestPlaces, 'cacheFolder'>,
  serverUrl?: string,
): Promise<Settings> {
  const settings = openSettings({
    disk: nodeDisk,
    home,
    folder: userFolder,
    vault: environmentVault,
    environment: {},
  })
  if (serverUrl !== undefined) await settings.setModel({ baseUrl: serverUrl, model: 'm' }, allowed)
  return settings
}

/** Names workers that nobody has built: whoever starts one fails. */
function unbuiltWorkers(folder: string): WorkerPaths {
  const file = path.join(folder, 'not-built')
  return {
    families: file,
    statistics: file,
    search: file,
    count: file,
    tokens: file,
    comparison: file,
    find: file,
    landmarks: file,
  }
}

/** Prints a page as its own text. */
async function printedAsItIs(page: AsyncIterable<string>): Promise<Uint8Array> {
  const pieces: string[] = []
  for await (const piece of page) pieces.push(piece)
  return Buffer.from(pieces.join(''))
}

/** Opens a home as the window does, in a folder of the test's own. Whoever opens it closes it. */
export async function openTestHome(
  folder: string,
  setup: Omit<Partial<HomeSetup>, 'workers'> & {
    readonly workers?: Partial<WorkerPaths>
  } = {},
): Promise<Home> {
  const places = placesIn(folder)
  return openHome({
    disk: nodeDisk,
    ...places,
    roots: [],
    permissions: allowedAll,
    note: () => undefined,
    print: printedAsItIs,
    ...setup,
    workers: { ...unbuiltWorkers(folder), ...setup.workers },
    settings: setup.settings ?? (await testSettings({ ...places, ...setup })),
  })
}
