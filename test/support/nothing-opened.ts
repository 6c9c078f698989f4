import type { OpenedPlaces } from '../../src/main/compose/sources/sources-session'

/** A start without files. */
export const nothingOpened: OpenedPlaces = {
  isWaiting: () => false,
  take: () => [],
  conversationsAt: async () => [],
  show: () => undefined,
}
