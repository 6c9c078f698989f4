import { type LinkedPlace, parseConversationLink } from '../../shared/model/conversation-link'

/** Links to conversations that other programs opened Skein with: the newest waits until the page takes it. */
export interface OpenedLinks {
  /** Takes in the arguments of a start, or an address; what is no such link is passed over. */
  receive(argv: readonly string[]): void
  take(): LinkedPlace | undefined
  /** Has each that comes from now on told. */
  hear(came: () => void): void
}

/** Makes the place where a link waits; nobody hears of it yet. */
export function openedLinks(): OpenedLinks {
  let waiting: LinkedPlace | undefined
  let came = () => {}
  return {
    receive(argv) {
      const place = argv.map(parseConversationLink).findLast((each) => each !== undefined)
      if (place === undefined) return
      waiting = place
      came()
    },
    take() {
      const place = waiting
      waiting = undefined
      return place
    },
    hear(tell) {
      came = tell
    },
  }
}
