import type { Families } from '../library/families'
import type { LibraryStatistics } from '../library/statistics'
import type { Finding } from './finding/finding'
import type { HomeReading, Readings } from './home-reading'
import type { Landmarks, LandmarksOf } from './landmarks/landmarks'

type Present = Pick<Readings, 'now'>

/**
 * Asks the present reading of a home; again where another one took its place before it answered, since the one before is
 * closed then. Rejects with what the present one fails with.
 *
 * @param isWanted false once a later question has ended this one, which must not end that one in its turn
 */
async function askPresent<T>(
  readings: Present,
  question: (reading: HomeReading) => Promise<T>,
  isWanted = () => true,
): Promise<T> {
  for (;;) {
    const asked = readings.now()
    try {
      return await question(asked)
    } catch (error) {
      if (readings.now() === asked || !isWanted()) throw error
    }
  }
}

/** Returns the families of whatever reading a home has at the time of an answer. */
export function presentFamilies(readings: Present): Families {
  return {
    family: (key) => askPresent(readings, ({ families }) => families.family(key)),
    map: (key) => askPresent(readings, ({ families }) => families.map(key)),
    entriesOnMap: (key, entries) =>
      askPresent(readings, ({ families }) => families.entriesOnMap(key, entries)),
    fork: (left, right) => askPresent(readings, ({ families }) => families.fork(left, right)),
    groups: () => askPresent(readings, ({ families }) => families.groups()),
    distinctions: (key) => askPresent(readings, ({ families }) => families.distinctions(key)),
    look: () => readings.now().families.look(),
    settled: () => askPresent(readings, ({ families }) => families.settled()),
    close: () => readings.now().families.close(),
  }
}

/** Returns the statistics of whatever reading a home has at the time of an answer. */
export function presentStatistics(readings: Present): LibraryStatistics {
  return {
    read: (question) => askPresent(readings, ({ statistics }) => statistics.read(question)),
    conversations: (question) =>
      askPresent(readings, ({ statistics }) => statistics.conversations(question)),
    look: () => readings.now().statistics.look(),
    settled: () => askPresent(readings, ({ statistics }) => statistics.settled()),
    close: () => readings.now().statistics.close(),
  }
}

/** Returns finding in whatever reading a home has at the time of an answer. */
export function presentFinding(readings: Present): Finding {
  let last = 0
  return {
    find(asked, near) {
      last += 1
      const mine = last
      return askPresent(
        readings,
        ({ finding }) => finding.find(asked, near),
        () => mine === last,
      )
    },
    place: (asked, row, nth) =>
      askPresent(readings, ({ finding }) => finding.place(asked, row, nth)),
    texts: (asked, lines) => askPresent(readings, ({ finding }) => finding.texts(asked, lines)),
    forget: () => askPresent(readings, ({ finding }) => finding.forget()),
    close: () => readings.now().finding.close(),
  }
}

/** Returns the landmarks of whatever reading a home has at the time of an answer. */
export function presentLandmarks(readings: Present): Landmarks {
  let lists = 0
  let last: LandmarksOf | undefined
  return {
    list(of, from, reading) {
      lists += 1
      const mine = lists
      last = of
      return askPresent(
        readings,
        ({ landmarks }) => landmarks.list(of, from, reading),
        () => mine === lists,
      )
    },
    places(of, wanted) {
      last = of
      return askPresent(
        readings,
        ({ landmarks }) => landmarks.places(of, wanted),
        () => last?.key === of.key && last.way === of.way,
      )
    },
    close: () => readings.now().landmarks.close(),
  }
}
