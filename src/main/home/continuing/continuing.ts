import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { type Disk, DiskError } from '../../disk/interface/disk'
import type { Exportable, Exporter } from '../../exporters/parts/exporter'
import { conversationNotFound } from '../../library/library'
import type { Histories } from '../../library/sources/histories'
import { continueCommand } from './continue-command'
import { type ProgramPlace, programPlace } from './program-place'

/** The ways by which other programs go on with conversations. */
export interface Continuing {
  /** Makes the command by which a conversation's own program goes on with it; see `continueCommand`. @throws AppError `bad-argument`, `not-found`, `unreadable` */
  commandOf(key: LibraryKey, signal: AbortSignal): Promise<string>
  /** Names the place of a new session; see `programPlace`. @throws AppError `bad-argument`, `not-found`, `unreadable` */
  placeOf(
    exporter: Exporter,
    conversation: Pick<Exportable, 'created' | 'project'>,
  ): Promise<ProgramPlace>
}

/** Opens these over other systems' histories. Touches nothing. */
export function openContinuing(
  disk: Disk,
  histories: Histories,
  platform: NodeJS.Platform = process.platform,
): Continuing {
  return {
    async commandOf(key, signal) {
      const history = await histories.now(key)
      if (history === undefined) throw conversationNotFound(histories, key)
      return inWords(continueCommand(history, disk, platform, signal))
    },
    placeOf: (exporter, conversation) =>
      inWords(programPlace(exporter, conversation, { disk, roots: histories.roots }, platform)),
  }
}

/** Makes a failure of the disk an AppError `unreadable`, with the same words. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    throw new AppError('unreadable', error.message, { cause: error })
  }
}
