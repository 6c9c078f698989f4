import {
  isQuickEntryLink,
  type LinkedPlace,
  parseConversationLink,
} from '../../../shared/model/conversation-link'

/** Links to conversations that other programs opened Skein with: the newest waits until the page takes it. */
export interface OpenedLinks {
  /**
   * Takes in the arguments of a start, or an address; what is no such link is passed over. Returns true where the app window is to come to
   * the front: for everything but the link to the quick entry.
   */
  receive(argv: readonly string[]): boolean
  take(): LinkedPlace | undefined
  /** Has each that comes from now on told. */
  hear(came: () => void): void
  /** Has the link to the quick entry told, also the one that came before. */
  hearQuick(asked: () => void): void
}

/** Makes the place where a link waits; nobody hears of it yet. */
export function openedLinks(): OpenedLinks {
  let waiting: LinkedPlace | undefined
  let came = () => {}
  let isQuickAsked = false
  let askedQuick = () => {
    isQuickAsked = true
  }
  return {
    receive(argv) {
      const place = argv.map(parseConversationLink).findLast((each) => each !== undefined)
      if (place !== undefined) {
        waiting = place
        came()
        return true
      }
      if (!argv.some(isQuickEntryLink)) return true
      askedQuick()
      return false
    },
    take() {
      const place = waiting
      waiting = undefined
      return place
    },
    hear(tell) {
      came = tell
    },
    hearQuick(tell) {
      askedQuick = tell
      if (isQuickAsked) tell()
    },
  }
}
