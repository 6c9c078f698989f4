import { type LinkedPlace, parseConversationLink } from '../../shared/model/conversation-link'

/** Links to conversations that other programs opened Skein with: the newest waits until the page takes it. */
export interface OpenedLinks {
  /** Takes in the arguments of a start, or an address; what is no such link is passed over. */
  receive(argv: readonly string[]): void
  take(): LinkedPlace | undefined
}

/** Makes the place where a link waits; `came` is called for each that is to be taken. */
export function openedLinks(came: () => void): OpenedLinks {
  let waiting: LinkedPlace | undefined
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
  }
}
