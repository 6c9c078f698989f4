import type { Contract } from '../../../../shared/ipc/contract'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../../current/current-home'

/** Serves finding words in one conversation. */
export function findingHandlers(home: CurrentHome<'finding'>): Handlers<Contract['finding']> {
  return {
    find: ({ near, ...asked }) => home().finding.find(asked, near),
    async place({ row, nth, ...asked }) {
      return (await home().finding.place(asked, row, nth)) ?? null
    },
    async texts({ lines, ...asked }) {
      return [...(await home().finding.texts(asked, lines))]
    },
    forget: () => home().finding.forget(),
  }
}
