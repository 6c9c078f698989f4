import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type {
  Distinction,
  FamilyAnswer,
  FamilyGroups,
} from '../../../shared/model/family/branching'
import type { EntryName } from '../../../shared/model/map/entries-on-map'
import type { FamilyMapAnswer } from '../../../shared/model/map/family-map'
import type { Disk } from '../../disk/interface/disk'
import type { LibraryRoot } from '../sources/roots'
import type { FamilyFork, WayPoint } from './family-fork'

/** The families of all conversations: of our home, and of other systems. */
export interface Families {
  /**
   * The family of a conversation by what is known now; the first question begins the reading. A later
   * `changed` may mean another one.
   */
  family(key: LibraryKey): Promise<FamilyAnswer>
  /** The map of the family, by the same rules; also of a conversation without relatives. */
  map(key: LibraryKey): Promise<FamilyMapAnswer>
  /** Finds the names that entries of the family have on its map, in the same order; null where an entry is not known. */
  entriesOnMap(
    key: LibraryKey,
    entries: readonly EntryName[],
  ): Promise<readonly (EntryName | null)[]>
  /**
   * Parts two ways at their fork, by the relatives that are known now; waits for both conversations to be read. A later
   * `changed` may mean another fork.
   */
  fork(left: WayPoint, right: WayPoint): Promise<FamilyFork>
  /** All families that are known now, at least those that an earlier start had found; the first question begins the reading. */
  groups(): Promise<FamilyGroups>
  /** Tells the members of a conversation's family apart; empty where it is in none. */
  distinctions(key: LibraryKey): Promise<readonly Distinction[]>
  /** Scans again soon, since conversations may have come, gone or changed. Cheap to call. */
  look(): void
  /** Resolves once everything is known that existed at the call. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The paths of conversations and of the cache. */
export interface FamilyPlaces {
  /** Absolute; a chibi home. */
  readonly home: string
  /** Of other systems. */
  readonly roots: readonly LibraryRoot[]
  /** A folder for what is remembered between two starts; without it nothing is. */
  readonly cacheFolder?: string | undefined
  /** Where Skein's own files of a person lie; without it no titles and labels that were given in Skein are shown. */
  readonly userFolder?: string | undefined
}

/** The paths and the disk of families, and a listener for changes. */
export interface FamiliesOptions extends FamilyPlaces {
  readonly disk: Disk
  /** A later answer may differ from one that was given. At most once in a second while much is read. */
  readonly changed: () => void
}
