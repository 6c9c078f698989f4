import { parseShallow } from '../../../shared/model/basics/json-depth'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import type { HomePaths } from '../core/home-paths'
import { keepDamagedFile, type OnNotice } from './known-contexts'
import { readChibiSession } from './session'

/**
 * Makes a context the one that chibi uses where none is named, in session.json; the one before becomes the previous
 * one. Other keys stay; a damaged file is kept aside, with a notice. Call it under `withStateLock`.
 *
 * @throws DiskError
 */
export async function makeCurrent(
  disk: Disk,
  paths: HomePaths,
  name: string,
  noticed: OnNotice,
): Promise<void> {
  const { current, previous } = await readChibiSession(disk, paths)
  if (current === name) return
  const text = await readSmallText(disk, paths.session)
  const session = recordIn(text)
  if (text !== undefined && session === undefined)
    await keepDamagedFile(disk, paths.session, undefined, noticed)
  const before = current ?? previous ?? null
  const next = { ...session, implied_context: name, previous_context: before }
  await replaceFile(disk, paths.session, Buffer.from(JSON.stringify(next, undefined, 2)))
}

function recordIn(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = parseShallow(text ?? '')
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
