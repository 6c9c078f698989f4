import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { WayName } from '../../model/conversation/transcript'
import { LandmarkSlice, NumberedPlace, PlaceWanted } from '../../model/landmarks/landmarks'
import { call } from '../wire/primitives'

const way = { key: LibraryKey, way: WayName.optional() }

/** Calls of finding one's way in the open conversation. */
export const landmarksContract = {
  /**
   * Landmarks from a number on, 2,000 at most, of a way through a conversation as it is on the disk now. Where `reading` holds no longer,
   * the slice begins at 0. Another call ends it with `cancelled`. Throws `not-found`, `unreadable`, `cancelled`.
   */
  list: call(
    z.object({ ...way, from: z.int().nonnegative(), reading: z.string().optional() }),
    LandmarkSlice,
  ),
  /**
   * Places in the order in which they are wanted; null where there is none. A call about another conversation, or another way, ends it
   * with `cancelled`. Throws `not-found`, `unreadable`, `cancelled`.
   */
  places: call(
    z.object({ ...way, wanted: z.array(PlaceWanted).max(10_000) }),
    z.array(NumberedPlace.nullable()),
  ),
}
