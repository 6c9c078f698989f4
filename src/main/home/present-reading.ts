import type { Families } from '../library/families'
import type { LibraryStatistics } from '../library/statistics'
import type { HomeReading, Readings } from './home-reading'

type Present = Pick<Readings, 'now'>

/**
 * Asks the present reading of a home; again where another one took its place before it answered, since the one before is
 * closed then. Rejects with what the present one fails with.
 */
async function askPresent<T>(
  readings: Present,
  question: (reading: HomeReading) => Promise<T>,
): Promise<T> {
  for (;;) {
    const asked = readings.now()
    try {
      return await question(asked)
    } catch (error) {
      if (readings.now() === asked) throw error
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
