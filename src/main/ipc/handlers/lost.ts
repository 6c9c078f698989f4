import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { allowGaps } from '../../../shared/model/conversation/reading'
import type { LostLines } from '../../../shared/model/lost'
import type { CurrentHome } from '../current/current-home'

/** Serves the calls of `lostContract`. */
export function lostHandlers(
  home: CurrentHome<'library' | 'transcripts'>,
): Handlers<Contract['lost']> {
  return {
    list: ({ again }) => home().library.lost(again),
    async lines({ key, limit }) {
      const { rows } = await home().transcripts.whole(key)
      const lines: LostLines['lines'] = []
      let total = 0
      // Parts that could not be read are in the list itself, in words.
      for await (const row of allowGaps(rows, () => undefined)) {
        if (row.type !== 'damaged') continue
        total += 1
        if (lines.length < limit) lines.push(row.damaged)
      }
      return { lines, total }
    },
    forget: ({ key }) => home().library.forget(key),
  }
}
