import { z } from 'zod'
import { pixelSizeOf } from '../../shared/model/basics/pixels'
import { LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { drawingFault } from '../../shared/model/conversation/images'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { Home } from '../home/home'
import { findAudio } from '../library/audio/audio'
import { findEntryImage, type ImagePlace } from '../library/images/entry-images'
import { findImage } from '../store/texts/attachments'

/** Makes the functions that find recordings and images of open conversations for the page. */
export function pageMedia(disk: Disk, opened: () => Home) {
  async function imageOf(key: LibraryKey, name: string) {
    const place = placeIn(name)
    if (place !== undefined) {
      const { transcripts, histories } = opened()
      return findEntryImage({ disk, transcripts, histories }, key, place)
    }
    const { source, key: context } = parseLibraryKey(key)
    if (source !== 'chibi') return undefined
    const found = await findImage({ disk, home: opened().path, context }, name)
    // A home may have come from anywhere, with an image in it that fills all memory. What could be sent is shown.
    return found && drawingFault(pixelSizeOf(found.bytes)) === undefined ? found : undefined
  }

  return {
    /** Where it is missing, `looked` has the places in which it was expected, as people write them. */
    async recording(key: string, name: string) {
      const found = await findAudio(disk, opened().histories, LibraryKey.parse(key), name)
      return found.type === 'there'
        ? found
        : { ...found, looked: found.looked.map((file) => shownPath(file)) }
    },
    /** Of a message of our own conversations, by its file; of an entry of any conversation, by its place. */
    async image(key: string, name: string) {
      const found = await imageOf(LibraryKey.parse(key), name)
      return found && { mime: found.type.mime, bytes: found.bytes }
    },
  }
}

const Place = z.tuple([z.string(), z.int().nonnegative(), z.string(), z.int().nonnegative()])

/** A place as the page names it, `[file, offset, entry, at]` as JSON; undefined for the name of a file. */
function placeIn(name: string): ImagePlace | undefined {
  if (!name.startsWith('[')) return undefined
  try {
    const [file, offset, entry, at] = Place.parse(JSON.parse(name))
    return { file, offset, entry, at }
  } catch {
    return undefined
  }
}
