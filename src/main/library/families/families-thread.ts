import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type {
  Distinction,
  FamilyAnswer,
  FamilyGroups,
} from '../../../shared/model/family/branching'
import type { EntryName } from '../../../shared/model/map/entries-on-map'
import type { FamilyMapAnswer } from '../../../shared/model/map/family-map'
import { FollowingWorker } from '../../disk/process/following-worker'
import type { FamilyFork, WayPoint } from './family-fork'
import type { Families, FamilyPlaces } from './library-families'

/** A question to the families worker. */
export type ToFamilies =
  | { readonly type: 'family' | 'map' | 'distinctions'; readonly key: LibraryKey }
  | { readonly type: 'fork'; readonly left: WayPoint; readonly right: WayPoint }
  | {
      readonly type: 'entries-on-map'
      readonly key: LibraryKey
      readonly entries: readonly EntryName[]
    }
  | { readonly type: 'groups' }
  | { readonly type: 'settled' }
  | { readonly type: 'look' }

/** An answer of the families worker; undefined to `settled` and `look`. */
export type FromFamilies =
  | { readonly type: 'family'; readonly family: FamilyAnswer }
  | { readonly type: 'map'; readonly map: FamilyMapAnswer }
  | { readonly type: 'entries-on-map'; readonly entries: readonly (EntryName | null)[] }
  | { readonly type: 'fork'; readonly fork: FamilyFork }
  | { readonly type: 'groups'; readonly groups: FamilyGroups }
  | { readonly type: 'distinctions'; readonly distinctions: readonly Distinction[] }
  | undefined

/**
 * Creates families in a worker thread, which starts with the first question, and again after it died. It keeps no
 * process alive.
 *
 * @param workerPath the built `families.worker.cjs`
 */
export function threadFamilies(
  workerPath: string,
  { home, roots, cacheFolder, userFolder }: FamilyPlaces,
  changed: () => void,
): Families {
  const workerData = { home, roots, cacheFolder, userFolder }
  const worker = new FollowingWorker<ToFamilies, FromFamilies>(workerPath, workerData, changed)
  return {
    async family(key) {
      const answer = await worker.ask({ type: 'family', key })
      if (answer?.type !== 'family') throw anotherAnswer()
      return answer.family
    },
    async map(key) {
      const answer = await worker.ask({ type: 'map', key })
      if (answer?.type !== 'map') throw anotherAnswer()
      return answer.map
    },
    async entriesOnMap(key, entries) {
      const answer = await worker.ask({ type: 'entries-on-map', key, entries })
      if (answer?.type !== 'entries-on-map') throw anotherAnswer()
      return answer.entries
    },
    async fork(left, right) {
      const answer = await worker.ask({ type: 'fork', left, right })
      if (answer?.type !== 'fork') throw anotherAnswer()
      return answer.fork
    },
    async groups() {
      const answer = await worker.ask({ type: 'groups' })
      if (answer?.type !== 'groups') throw anotherAnswer()
      return answer.groups
    },
    async distinctions(key) {
      const answer = await worker.ask({ type: 'distinctions', key })
      if (answer?.type !== 'distinctions') throw anotherAnswer()
      return answer.distinctions
    },
    look: () => worker.tell({ type: 'look' }),
    async settled() {
      await worker.ask({ type: 'settled' })
    },
    close: () => worker.close(),
  }
}

function anotherAnswer(): Error {
  return new Error('the families thread gave another answer')
}
