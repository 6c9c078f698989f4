import type { LocalClock } from '../../../shared/model/basics/time-spec'
import type {
  MarkedConversations,
  MarkQuestion,
  StatisticsAnswer,
  StatisticsQuestion,
} from '../../../shared/model/statistics/answer'
import type { Disk } from '../../disk/interface/disk'
import type { LibraryRoot } from '../sources/roots'

/** Statistics over all conversations: of our home, and of other systems. */
export interface LibraryStatistics {
  /**
   * Answers by what is known now; the first question begins the reading, and one that comes a while after a scan another
   * scan. A later `changed` may mean another answer; none comes any more when nothing was asked after one.
   */
  read(question: StatisticsQuestion): Promise<StatisticsAnswer>
  /** The conversations that a mark of an answer stands for, by what is known now. */
  conversations(question: MarkQuestion): Promise<MarkedConversations>
  /** Conversations may have come, gone or changed: scans again, once somebody has asked since the last scan. Cheap to call. */
  look(): void
  /** Resolves once everything is known that existed at the call. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The paths of conversations and of the cache. */
export interface StatisticsPlaces {
  /** Absolute; a chibi home. */
  readonly home: string
  /** Of other systems. */
  readonly roots: readonly LibraryRoot[]
  /** A folder for what is remembered between two starts; without it nothing is. */
  readonly cacheFolder?: string | undefined
}

/** The paths and the disk of statistics, a clock, and a listener for changes. */
export interface StatisticsOptions extends StatisticsPlaces {
  readonly disk: Disk
  /** The days and hours that entries count at; this machine's where it is absent. */
  readonly clock?: LocalClock
  /** Names the time zone of the clock. */
  readonly zone?: string
  /** A later answer may differ from one that was given. At most once in a second while much is read. */
  readonly changed: () => void
}
