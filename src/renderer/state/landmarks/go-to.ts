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

/**
 * Goes to a place that is looked for, where the outline is still open by then and nothing else was looked for since; the same is not
 * looked for twice at once. Resolves to a sentence where there is no such place.
 *
 * @param before called right before it goes there
 */
export async function goToWanted(
  stores: OutlineStores,
  actions: GoesToLines,
  wanted: PlaceWanted,
  before: () => void,
): Promise<string | undefined> {
  const { landmarks } = stores
  const { seeking } = landmarks.getState()
  if (seeking !== undefined && isSamePlace(seeking, wanted)) return undefined
  landmarks.getState().seek(wanted)
  const found = await landmarks.getState().find([wanted])
  if (landmarks.getState().seeking !== wanted) return undefined
  landmarks.getState().seek(undefined)
  if (found === undefined)
    return landmarks.getState().failure?.message ?? 'The place was not looked for to the end.'
  const [place] = found
  if (place != null) {
    before()
    await goToPlace(stores, actions, place)
    return undefined
  }
  if ('number' in wanted) return 'The conversation has no entry of this number.'
  return 'No entry was written then or later.'
}

function isSamePlace(a: PlaceWanted, b: PlaceWanted): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function lineOf({ file, offset, entry }: Pick<NumberedPlace, 'file' | 'offset' | 'entry'>) {
  return entry === undefined ? { file, offset } : { file, offset, entry }
}
