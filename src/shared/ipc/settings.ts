import { z } from 'zod'
import { LibraryKey } from '../model/conversation'
import { LocalServer, Preferences, SettingsView } from '../model/settings'
import { call, event } from './primitives'

export const settings = {
  /** As they hold for a context, or for the home. */
  get: call(z.object({ key: LibraryKey.optional() }), SettingsView),
  setPreferences: call(Preferences.partial(), SettingsView),
  /** Values of Skein's own settings; an empty string takes one away. Files that override them are not touched. */
  setModel: call(
    z.object({
      model: z.string().max(512).optional(),
      baseUrl: z.string().max(2048).optional(),
      provider: z.enum(['endpoint', 'practice']).optional(),
    }),
    SettingsView,
  ),
  /** Keeps a key in the system's keychain; null removes it. Throws `weak-keychain` unless `allowWeak`. */
  setKey: call(
    z.object({ key: z.string().min(1).max(4096).nullable(), allowWeak: z.boolean() }),
    SettingsView,
  ),
  /** Asks the endpoint for its models: says in words whether it answers. */
  check: call(
    z.void(),
    z.object({ ok: z.boolean(), message: z.string(), models: z.array(z.string()) }),
  ),
  /** Ollama, LM Studio and llama.cpp, where they answer on loopback. */
  localServers: call(z.void(), z.array(LocalServer)),
  changed: event(SettingsView),
}
