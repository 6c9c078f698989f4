import { LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { Home } from '../home/home'
import { findAudio } from '../library/audio/audio'
import { findImage } from '../store/texts/attachments'

/** Makes the functions that find recordings and images of open conversations for the page. */
export function pageMedia(disk: Disk, opened: () => Home) {
  return {
    /** Where it is missing, `looked` has the places in which it was expected, as people write them. */
    async recording(key: string, name: string) {
      const found = await findAudio(disk, opened().histories, LibraryKey.parse(key), name)
      return found.type === 'there'
        ? found
        : { ...found, looked: found.looked.map((file) => shownPath(file)) }
    },
    /** Of a message of our own conversations. */
    async image(key: string, file: string) {
      const { source, key: context } = parseLibraryKey(LibraryKey.parse(key))
      if (source !== 'chibi') return undefined
      const found = await findImage({ disk, home: opened().path, context }, file)
      return found && { mime: found.type.mime, bytes: found.bytes }
    },
  }
}
