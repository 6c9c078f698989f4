import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { libraryKeyOf, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { CurrentHome } from '../current/current-home'
import { contextNameOf } from '../current/our-context'

/** Serves a person's acts on contexts as wholes, and their texts. @param trash moves a folder to the system's trash */
export function contextsHandlers(
  home: CurrentHome<'contexts'>,
  trash: (folder: string) => Promise<void>,
): Handlers<Contract['contexts']> {
  const contexts = () => home().contexts
  return {
    async create({ name }) {
      await contexts().create(name)
      return { key: libraryKeyOf('chibi', name) }
    },
    async rename({ key, to }) {
      await contexts().rename(contextNameOf(key), to)
      return { key: libraryKeyOf('chibi', to) }
    },
    clear: async ({ key, page }) => ({
      ...(await contexts().clear(contextNameOf(key), { withPage: page })),
    }),
    setArchived: async ({ key, archived }) => contexts().setArchived(contextNameOf(key), archived),
    archived: async () => [...(await contexts().archived())],
    destroy: async ({ key }) => contexts().destroy(contextNameOf(key), trash),
    readPrompt: async ({ key }) => contexts().readPrompt(contextNameOf(key)),
    writePrompt: async ({ key, text, before }) =>
      contexts().writeText(contextNameOf(key), 'system_prompt.md', text, before),
    // Other systems' conversations have no notes.
    watchNotes: ({ key }) =>
      contexts().watchNotes(key !== null && parseLibraryKey(key).source === 'chibi' ? key : null),
    writeNote: async ({ key, note, text, before }) =>
      contexts().writeText(contextNameOf(key), `${note}.md`, text, before),
  }
}
