import type { Contract } from '../../../../shared/ipc/contract'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../../current/current-home'

/** Serves the calls of `statisticsContract`. */
export function statisticsHandlers(
  home: CurrentHome<'statistics'>,
): Handlers<Contract['statistics']> {
  return {
    read: (question) => home().statistics.read(question),
    conversations: (question) => home().statistics.conversations(question),
  }
}
