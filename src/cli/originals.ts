import type { Disk } from '../main/disk/interface/disk'
import { contextOriginal, historyOriginal, type Original } from '../main/library/sources/originals'
import { openStore } from '../main/store/open-store'
import type { ListedRef } from './conversations/find'

/** Opens the bytes that a conversation was read from. @throws AppError `not-found`, `unreadable` */
export async function originalOf({ ref, reader }: ListedRef, disk: Disk): Promise<Original> {
  if (ref.source !== 'chibi') return historyOriginal(disk, { reader, ref })
  return contextOriginal(disk, openStore({ home: ref.root, disk }), ref.key)
}
