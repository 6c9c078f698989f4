/** Places that were visited, oldest first, and the position of the one that is here; -1 where there is none. */
export interface Visits<Place> {
  readonly places: readonly Place[]
  readonly here: number
}

/** Visits of a window that has shown nothing yet. */
export const noVisits: Visits<never> = { places: [], here: -1 }

/** Places that are kept at most; the oldest ones are dropped. */
export const mostVisits = 100

/** Returns the place that is here; undefined where there is none. */
export function placeHere<Place>({ places, here }: Visits<Place>): Place | undefined {
  return places[here]
}

/** Adds a place after the one that is here, and goes there. Places that came after it are dropped. */
export function visit<Place>(visits: Visits<Place>, place: Place): Visits<Place> {
  const places = [...visits.places.slice(0, visits.here + 1), place].slice(-mostVisits)
  return { places, here: places.length - 1 }
}

/** Replaces the place that is here by what is known of it now. */
export function updateHere<Place>(visits: Visits<Place>, place: Place): Visits<Place> {
  return { ...visits, places: visits.places.with(visits.here, place) }
}

/**
 * Leaves the place that is here, which was closed, for what is under it: goes back where that is the place before, so
 * that forward opens the closed one again; else it is a new visit.
 */
export function closeHere<Place>(
  visits: Visits<Place>,
  under: Place,
  isSame: (a: Place, b: Place) => boolean,
): Visits<Place> {
  const before = visits.places[visits.here - 1]
  if (before === undefined || !isSame(before, under)) return visit(visits, under)
  return { ...visits, here: visits.here - 1 }
}

/** Visits after a step, and the places that were stepped over. */
export interface VisitStep<Place> {
  readonly visits: Visits<Place>
  /** In the order in which they were met. They are no longer among the visits. */
  readonly skipped: readonly Place[]
  /** False where there is no place to go to. */
  readonly hasMoved: boolean
}

/** Goes to the place before or after, past all that are gone. */
export function stepVisits<Place>(
  { places, here }: Visits<Place>,
  by: -1 | 1,
  isGone: (place: Place) => boolean,
): VisitStep<Place> {
  const way = by === 1 ? places.slice(here + 1) : places.slice(0, Math.max(0, here)).reverse()
  const found = way.findIndex((place) => !isGone(place))
  const skipped = found < 0 ? way : way.slice(0, found)
  const rest = way.slice(skipped.length)
  const upToHere = places.slice(0, here + 1)
  if (by === 1)
    return {
      visits: { places: [...upToHere, ...rest], here: here + (found < 0 ? 0 : 1) },
      skipped,
      hasMoved: found >= 0,
    }
  const earlier = rest.toReversed()
  return {
    visits: {
      places: [...earlier, ...places.slice(Math.max(0, here))],
      here: Math.min(here, earlier.length - (found < 0 ? 0 : 1)),
    },
    skipped,
    hasMoved: found >= 0,
  }
}
