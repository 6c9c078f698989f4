import type { Contract } from '../../../../shared/ipc/contract'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'
import {
  type LibraryKey,
  parseLibraryKey,
} from '../../../../shared/model/conversation/conversation'
import type { CurrentHome } from '../../current/current-home'

/** Serves what a message can name: files of allowed folders, other conversations. */
export function mentionsHandlers(
  home: CurrentHome<'mentions' | 'library'>,
): Handlers<Contract['mentions']> {
  return {
    async files({ key, query }) {
      const { files, isCut } = await home().mentions.files(contextOf(key), query)
      return { files: [...files], isCut }
    },
    async readFile({ key, path }) {
      const { name, bytes } = await home().mentions.readFile(contextOf(key), path)
      return { name, bytes: new Uint8Array(bytes) }
    },
    async quote({ key, part }) {
      const { library, mentions } = home()
      const title = (await library.find(key))?.title ?? parseLibraryKey(key).key
      return mentions.quote(key, title, part)
    },
  }
}

/** A conversation of another system has no settings of its own: those of the home hold. */
function contextOf(key: LibraryKey | undefined): string | undefined {
  if (key === undefined) return undefined
  const { source, key: name } = parseLibraryKey(key)
  return source === 'chibi' ? name : undefined
}
