import type { Disk } from '../main/disk/disk'
import { type ReadConversation, readUnit } from '../main/readers/gather'
import { readers } from '../main/readers/index'
import { AppError } from '../shared/model/errors'
import type { FileLedger } from '../shared/model/transcript'
import type { Arguments } from './arguments'

export interface FoundConversation {
  readonly conversation: ReadConversation
  /** The ledgers of its files. */
  readonly files: readonly FileLedger[]
}

/** Finds a conversation by `key` or `source:key`, in the order of the roots. @throws AppError `not-found` */
export async function findConversation(
  wanted: string,
  args: Arguments,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundConversation> {
  for (const root of args.roots)
    for (const reader of readers) {
      if (reader.id !== root.source) continue
      for await (const ref of reader.list(root.path, disk, signal)) {
        if (ref.key !== wanted && `${reader.id}:${ref.key}` !== wanted) continue
        const { conversations, files } = await readUnit(reader, ref, disk, signal)
        const conversation = conversations.find(({ key }) => key === ref.key)
        if (conversation !== undefined) return { conversation, files }
      }
    }
  throw new AppError('not-found', `There is no conversation "${wanted}".`)
}
