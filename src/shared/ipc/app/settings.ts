import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { HomeText, HomeTextName } from '../../model/settings/home-texts'
import { SavedPrompt } from '../../model/settings/saved-prompts'
import {
  ConfigChange,
  ConfigView,
  LocalServer,
  Preferences,
  VisibleSettings,
} from '../../model/settings/settings'
import { call, event } from '../wire/primitives'

/** Calls and events of Skein's settings, of the keys in chibi's files, and of the texts of the home. */
export const settingsContract = {
  /** As they hold for a context, or for the home. */
  get: call(z.object({ key: LibraryKey.optional() }), VisibleSettings),
  setPreferences: call(Preferences.partial(), VisibleSettings),
  /** Values of Skein's own settings; an empty string takes one away. Files that override them are not touched. */
  setModel: call(
    z.object({
      model: z.string().max(512).optional(),
      baseUrl: z.string().max(2048).optional(),
      provider: z.enum(['endpoint', 'practice']).optional(),
    }),
    VisibleSettings,
  ),
  /** Keeps a key in the system's keychain; null removes it. Throws `weak-keychain` unless `allowWeak`. */
  setKey: call(
    z.object({ key: z.string().min(1).max(4096).nullable(), allowWeak: z.boolean() }),
    VisibleSettings,
  ),
  /** Asks the endpoint for its models: says in words whether it answers. */
  check: call(
    z.void(),
    z.object({ ok: z.boolean(), message: z.string(), models: z.array(z.string()) }),
  ),
  /** Ollama, LM Studio and llama.cpp, where they answer on loopback. */
  localServers: call(z.void(), z.array(LocalServer)),
  /** The keys of chibi's files as they hold for a context, or for the home, each with where it comes from. */
  config: call(z.object({ key: LibraryKey.optional() }), ConfigView),
  /**
   * Changes one key in config.toml, or in the local.toml of the context `context`; everything else in the file stays as
   * it is. Throws `bad-argument` with what a value must be, `unreadable` for a file that is no TOML, `busy` where it has
   * changed meanwhile.
   */
  setValue: call(ConfigChange.extend({ context: LibraryKey.optional() }), ConfigView),
  /** The texts of the home that people write, there or not. */
  texts: call(z.void(), z.array(HomeText)),
  /** Null where there is none. Throws `unreadable`, `read-only` (a link out of the home), `io`. */
  readText: call(z.object({ name: HomeTextName }), z.object({ text: z.string().nullable() })),
  /**
   * Null removes the file. Throws `busy` where another text is there than `before`, `bad-argument` for what is too large or
   * no TOML, `read-only`, `disk-full`, `io`.
   */
  writeText: call(
    z.object({
      name: HomeTextName,
      text: z.string().max(1_100_000).nullable(),
      before: z.string().max(1_100_000).nullable(),
    }),
    z.array(HomeText),
  ),
  /** The saved prompts of the home, by name. Throws `io`. */
  prompts: call(z.void(), z.array(SavedPrompt)),
  /**
   * Gives a saved prompt another name, which has to be free. Throws `bad-argument` for a name that no prompt can have or that is taken,
   * `not-found`, `read-only`, `disk-full`, `io`.
   */
  renamePrompt: call(z.object({ from: HomeTextName, to: HomeTextName }), z.array(HomeText)),
  changed: event(VisibleSettings),
}
