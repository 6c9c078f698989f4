import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../current/current-home'

/** Serves families of conversations, and branches. */
export function branchesHandlers(
  home: CurrentHome<'families' | 'branching'>,
): Handlers<Contract['branches']> {
  return {
    family: ({ key }) => home().families.family(key),
    map: ({ key }) => home().families.map(key),
    entriesOnMap: async ({ key, entries }) => [
      ...(await home().families.entriesOnMap(key, entries)),
    ],
    groups: () => home().families.groups(),
    distinctions: async ({ key }) => [...(await home().families.distinctions(key))],
    create: ({ key, at, action, summary }) => home().branching.create(key, at, action, summary),
    stopSummary: async ({ key }) => home().branching.stopSummary(key),
  }
}
