import path from 'node:path'
import { linkOrMove, removeIfThere } from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { earlierName, nowName } from './backup-places'
import { type Digest, digestOf } from './copy-bytes'
import type { OpenPlace } from './open-place'
import type { SealWriter } from './seals'

/**
 * Moves the copy of a file among the earlier versions, so that its name is free; one whose bytes are there already is removed.
 * The seal is durable before, the new name and that the old seal counts no more before the old name goes.
 *
 * @throws DiskError; the signal's reason
 */
export async function moveToEarlier(
  { disk, folder, seals }: Pick<OpenPlace, 'disk' | 'folder' | 'seals'>,
  file: string,
  copy: string,
  signal: AbortSignal,
): Promise<void> {
  const digest = await digestOf(disk, copy, signal)
  for (let number = 1; ; number++) {
    const name = `${earlierName(number)}/${file}`
    const place = path.join(folder, name)
    const there = await disk.stat(place)
    if (there !== undefined) {
      const isSame =
        there.sizeBytes === digest.bytes &&
        (await digestOf(disk, place, signal)).sha256 === digest.sha256
      if (!isSame) continue
      // Who put it there may not have lived to make its name durable.
      await makeDurableFolder(disk, path.dirname(place))
      await disk.syncFolder(path.dirname(place))
      await seals.add({ file: name, ...digest })
      await seals.flush()
    } else {
      await makeDurableFolder(disk, path.dirname(place))
      await seals.add({ file: name, ...digest })
      await seals.flush()
      await linkOrMove(disk, copy, place)
      await disk.syncFolder(path.dirname(place))
    }
    await dropSeal(seals, `${nowName}/${file}`)
    await removeIfThere(disk, copy)
    await disk.syncFolder(path.dirname(copy))
    return
  }
}

/** Notes durably that the seal of a copy counts no more: the name is about to have other bytes. @throws DiskError */
export async function dropSeal(seals: SealWriter, name: string): Promise<void> {
  await seals.drop(name)
  await seals.flush()
}

/**
 * Removes earlier versions whose bytes the newest copy has again, as of a file that was cut for a moment; the seal of the newest is
 * durable before.
 *
 * @throws DiskError
 */
export async function dropEarlier(
  { disk, folder, name, book, seals }: OpenPlace & { readonly name: string },
  { bytes, sha256 }: Digest,
): Promise<void> {
  const file = name.slice(name.indexOf('/') + 1)
  for (let number = 1; ; number++) {
    const earlier = `${earlierName(number)}/${file}`
    const sealed = book.seals.get(earlier)
    if (sealed === undefined) return
    if (sealed.bytes !== bytes || sealed.sha256 !== sha256) continue
    await seals.flush()
    await removeIfThere(disk, path.join(folder, earlier))
    await seals.drop(earlier)
    return
  }
}
