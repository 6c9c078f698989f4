import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { NumberedPlace, PlaceWanted } from '../../../shared/model/landmarks/landmarks'
import type { LandingTarget } from '../transcript/landing'
import type { ReadingStore } from '../transcript/reading'
import type { TranscriptStore } from '../transcript/transcript'
import type { LandmarksStore } from './landmarks'

/** The stores that finding one's way needs. */
interface OutlineStores {
  readonly transcript: TranscriptStore
  readonly reading: ReadingStore
  readonly landmarks: LandmarksStore
}

/** The action that goes to a line. */
interface GoesToLines {
  openAt(key: LibraryKey, target: LandingTarget): Promise<boolean>
}

/** Opens the outline of the open conversation; does nothing where none is open. */
export function openOutline(stores: OutlineStores): void {
  const { transcript, reading, landmarks } = stores
  const { key, phase, branches } = transcript.getState()
  if (key === undefined || phase !== 'ready') return
  const spot = reading.getState().spot()
  landmarks.getState().follow(key, branches?.way)
  landmarks.getState().open(spot?.type === 'line' ? lineOf(spot.place) : 'end')
}

/** Closes the outline and goes to an entry; its turn gets the focus. */
export async function goToPlace(
  stores: OutlineStores,
  actions: GoesToLines,
  { file, offset, entry }: NumberedPlace,
): Promise<void> {
  const { key } = stores.landmarks.getState()
  stores.landmarks.getState().close()
  if (key === undefined) return
  await actions.openAt(key, lineOf({ file, offset, entry }))
}

/** Goes to a place that is looked for; resolves to a sentence where there is none, and to undefined where it is shown. */
export async function goToWanted(
  stores: OutlineStores,
  actions: GoesToLines,
  wanted: PlaceWanted,
): Promise<string | undefined> {
  const found = await stores.landmarks.getState().find([wanted])
  if (found === undefined)
    return stores.landmarks.getState().failure?.message ?? 'Another conversation is open.'
  const [place] = found
  if (place != null) {
    await goToPlace(stores, actions, place)
    return undefined
  }
  if ('number' in wanted) return 'The conversation has no entry of this number.'
  return 'No entry was written then or later.'
}

function lineOf({ file, offset, entry }: Pick<NumberedPlace, 'file' | 'offset' | 'entry'>) {
  return entry === undefined ? { file, offset } : { file, offset, entry }
}
