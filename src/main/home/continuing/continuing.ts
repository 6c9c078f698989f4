import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Disk } from '../../disk/interface/disk'
import type { Exportable, Exporter } from '../../exporters/parts/exporter'
import { conversationNotFound } from '../../library/library'
import type { Histories } from '../../library/sources/histories'
import { continueCommand } from './continue-command'
import { type ProgramPlace, programPlace } from './program-place'

/** The ways by which other programs go on with conversations. */
export interface Continuing {
  /** Makes the command by which a conversation's own program goes on with it; see `continueCommand`. @throws AppError `bad-argument`, `not-found`, `unreadable` */
  commandOf(key: LibraryKey, signal: AbortSignal): Promise<string>
  /** Names the place of a new session; see `programPlace`. @throws AppError `bad-argument`, `not-found` */
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
      return continueCommand(history, disk, platform, signal)
    },
    placeOf: (exporter, conversation) =>
      programPlace(exporter, conversation, { disk, roots: histories.roots }, platform),
  }
}
