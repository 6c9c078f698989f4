import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import { type OthersAccess, othersAccess, takeFromOthers } from '../../disk/node/others-permissions'
import { namesInFolder } from '../../disk/reading/read'
import { findingOf } from '../../store/home-checkup'
import type { OwnFinding } from './own-finding'

/** Of everybody else; and of the group too. */
const everybody = 0o007
const anybodyElse = 0o077
/** Entering a folder. */
const enter = 0o011

/** Folders with what people said, and what may run: closed ones hide all that lies in them. */
const privateFolders = ['imports', 'backups', 'trusted-plugins']
const privateFile = /^(?:settings|titles|labels|home)\.json(?:\.|$)/
const keysFile = /^keys(?:\.|$)/

/**
 * Finds files of Skein's own folder that other users of the computer can read. A file with keys counts whatever its folder allows, and
 * for its group too; any other only in a folder that others can enter. What a link leads to is told, and is its owner's to close. Nothing
 * on systems without modes.
 *
 * @throws the signal's reason
 */
export async function openFiles(
  disk: Disk,
  folder: string,
  signal: AbortSignal,
): Promise<readonly OwnFinding[]> {
  const found: OwnFinding[] = []
  const check = async (name: string, ofOthers: number) => {
    signal.throwIfAborted()
    const target = path.join(folder, name)
    const access = await accessOf(target)
    const bits = (access?.bits ?? 0) & ofOthers
    if (bits === 0) return
    const whose = (bits & everybody) === 0 ? 'its group' : 'every user of this computer'
    const of = { kind: 'open-to-others', place: shownPath(target) } as const
    if (access?.target !== undefined) {
      const happened = `It is a link to ${shownPath(access.target)}, whose permissions let ${whose} at it.`
      found.push({ finding: findingOf({ ...of, happened, repair: null }) })
      return
    }
    const happened = `Its permissions let ${whose} at it.`
    found.push({
      finding: findingOf({ ...of, happened }),
      mend: () => takeFromOthers(target, bits),
    })
  }
  const names = [...(await namesInFolder(disk, folder).catch(() => []))].sort()
  for (const name of names) if (keysFile.test(name)) await check(name, anybodyElse)
  if ((((await accessOf(folder))?.bits ?? 0) & enter & everybody) === 0) return found
  for (const name of names)
    if (privateFile.test(name) || privateFolders.includes(name)) await check(name, everybody)
  return found
}

/** One that cannot be looked at is told elsewhere. */
async function accessOf(target: string): Promise<OthersAccess | undefined> {
  return othersAccess(target).catch(() => undefined)
}
