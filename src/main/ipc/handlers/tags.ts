import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { withoutTag, withTag } from '../../../shared/model/conversation/tag'
import type { CurrentHome } from '../open-home'

/** Serves the tags of conversations. */
export function tagsHandlers(home: CurrentHome): Handlers<Contract['tags']> {
  async function change(
    key: LibraryKey,
    next: (now: readonly string[]) => readonly string[],
  ): Promise<string[]> {
    const { library, tags, titled } = home()
    if ((await library.find(key)) === undefined)
      throw new AppError('not-found', `There is no conversation "${parseLibraryKey(key).key}".`)
    const given = await tags.changeTags(key, next)
    await titled(key)
    return [...given]
  }
  return {
    add: ({ key, tag }) => change(key, (now) => withTag(now, tag)),
    remove: ({ key, tag }) => change(key, (now) => withoutTag(now, tag)),
  }
}
