import { AppError } from '../../shared/model/basics/errors'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import { type CheckupDeps, checkHome, repairHome } from '../home/checkup/checkup'
import type { Checkups } from '../ipc/handlers/conversations/checkup'
import type { PlacesInUse } from '../library/snapshots'
import type { Settings } from '../settings/settings'
import { openStore } from '../store/open-store'

/** Dependencies of checkups in the window. */
export interface CheckupsDeps extends Pick<CheckupDeps, 'cacheFolder' | 'now'> {
  readonly disk: Disk
  /** On which a packed file is what it is: for the snapshot. */
  readonly plainDisk: Disk
  /** The open home. */
  readonly home: () => string
  readonly settings: () => Pick<Settings, 'view' | 'lockHeartbeatSeconds' | 'storagePolicy'>
  readonly userFolder: string
  /** Histories of other systems that are read now. */
  readonly roots: () => PlacesInUse['roots']
  /** Asks a person for a folder for the snapshot. */
  readonly askForFolder: () => Promise<string | undefined>
}

/** Makes what checks and repairs the open home, one at a time. */
export function openCheckups(deps: CheckupsDeps): Checkups {
  let running: { readonly stop: AbortController; ended: Promise<unknown> } | undefined

  async function alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (running !== undefined) throw new AppError('busy', 'The home is being checked already.')
    const stop = new AbortController()
    const own = { stop, ended: Promise.resolve<unknown>(undefined) }
    running = own
    try {
      const done = work(stop.signal)
      own.ended = done.catch(() => undefined)
      return await done
    } catch (error) {
      if (!stop.signal.aborted) throw error
      throw new AppError('cancelled', 'It was stopped.', { cause: error })
    } finally {
      running = undefined
    }
  }

  function checkupDeps(): CheckupDeps {
    const { disk, cacheFolder, userFolder, now } = deps
    const settings = deps.settings()
    const store = openStore({
      home: deps.home(),
      disk,
      storagePolicy: (context) => settings.storagePolicy(context),
      heartbeatSeconds: () => settings.lockHeartbeatSeconds(),
    })
    return { disk, store, settings, cacheFolder, userFolder, now }
  }

  return {
    check: (progress) =>
      alone((signal) => checkHome(checkupDeps(), (done, all) => progress({ done, all }), signal)),
    repair: (progress) =>
      alone(async (signal) => {
        const folder = await deps.askForFolder()
        signal.throwIfAborted()
        if (folder === undefined) return undefined
        const { plainDisk, userFolder, now } = deps
        const [of, home] = [checkupDeps(), deps.home()]
        const tell = (done: number, all: number) => progress({ done, all })
        const before = await checkHome(of, tell, signal)
        const snapshot = { disk: plainDisk, home, userFolder, roots: deps.roots(), now }
        const repair = await repairHome(of, before, { deps: snapshot, folder }, tell, signal)
        if (repair === undefined) return undefined
        const { copy, repaired, failed, stopped, after } = repair
        return {
          copy: shownPath(copy),
          repaired: [...repaired],
          failed: [...failed],
          stopped,
          after,
        }
      }),
    async stop() {
      const now = running
      now?.stop.abort()
      await now?.ended
    },
  }
}
