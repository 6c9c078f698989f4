import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import { AppError } from '../../../src/shared/model/basics/errors'
import { compareSides } from '../../../src/shared/model/comparison/compare-sides'
import { type ComparedRows, comparedRows } from '../../../src/shared/model/comparison/compared-rows'
import {
  type ComparePoint,
  comparisonView,
} from '../../../src/shared/model/comparison/comparison-view'
import { SharedFacts } from '../../../src/shared/model/comparison/forked-side'
import {
  type LibraryKey,
  parseLibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import { type Entry, shownText } from '../../../src/shared/model/conversation/entry'

/** What comparisons need of a home in memory. */
interface ComparedHome {
  entriesOf(key: LibraryKey): readonly Entry[]
  titleOf(key: LibraryKey): string
  /** Waits while the test holds answers back, then throws what it refuses with. */
  gate(): Promise<void>
}

/** Comparisons over a home in memory: what both say alike from the beginning is shared. */
export function memoryComparisons(home: ComparedHome): {
  readonly handlers: Handlers<Contract['comparisons']>
  /** How many were opened. */
  readonly opened: () => number
} {
  let last = 0
  let current: { readonly id: number; readonly rows: ComparedRows } | undefined

  function wayOf({ key, entry }: ComparePoint): readonly Entry[] {
    const entries = home.entriesOf(key)
    const at =
      entry === undefined ? entries.length - 1 : entries.findIndex(({ id }) => id === entry)
    if (at === -1) throw new AppError('not-found', 'The entry to compare is no longer there.')
    return entries.slice(0, at + 1)
  }

  return {
    opened: () => last,
    handlers: {
      async open({ left, right }) {
        const id = ++last
        await home.gate()
        const ways = [wayOf(left), wayOf(right)] as const
        const most = Math.min(ways[0].length, ways[1].length)
        let shared = 0
        while (shared < most && isAlike(ways[0][shared], ways[1][shared])) shared++
        const side = (way: readonly Entry[], key: LibraryKey) => {
          const facts = new SharedFacts()
          for (const entry of way.slice(0, shared)) facts.add(entry)
          const conversation = { ...parseLibraryKey(key), title: home.titleOf(key) }
          return { conversation, shared: facts.part(), after: way.slice(shared) }
        }
        const compared = compareSides(side(ways[0], left.key), side(ways[1], right.key))
        current = { id, rows: comparedRows(compared.changes) }
        return { id, view: comparisonView(compared, [left.key, right.key], []) }
      },
      async rows({ id, from, limit }) {
        if (current?.id !== id) throw new AppError('cancelled', 'Another comparison was opened.')
        return [...current.rows.slice(from, limit)]
      },
      async save({ format }) {
        await home.gate()
        return { file: `~/Documents/beds.${format}`, bytes: 2048 }
      },
      close: async () => {
        current = undefined
      },
    },
  }
}

function isAlike(a: Entry | undefined, b: Entry | undefined): boolean {
  return a !== undefined && b !== undefined && shownText(a) === shownText(b) && a.to === b.to
}
