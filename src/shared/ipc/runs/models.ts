import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { ConversationUsage, Priced } from '../../model/run/usage'
import { ListedModels, ProvidersView } from '../../model/settings/model-info'
import { Protocol } from '../../model/settings/protocol'
import { VisibleSettings } from '../../model/settings/settings'
import { Timeouts } from '../../model/settings/timeouts'
import { call, event } from '../wire/primitives'

const BaseUrl = z.string().min(1).max(2048)

/** Calls and events of providers, their models and prices, and of what a conversation cost. */
export const modelsContract = {
  providers: call(z.void(), ProvidersView),
  /** Throws `bad-argument`, `exists`. */
  addProvider: call(z.object({ name: z.string().max(200), baseUrl: BaseUrl }), ProvidersView),
  /** Throws `bad-argument`, `exists`, `not-found`. */
  renameProvider: call(z.object({ id: z.string(), name: z.string().max(200) }), ProvidersView),
  /** Forgets its key too, unless another provider at its origin uses it. Throws `bad-argument`, `not-found`. */
  removeProvider: call(z.object({ id: z.string() }), ProvidersView),
  /** Keeps a key for the provider's address; null removes it. Throws `weak-keychain` unless `allowWeak`. */
  setProviderKey: call(
    z.object({
      id: z.string(),
      key: z.string().min(1).max(4096).nullable(),
      allowWeak: z.boolean(),
    }),
    ProvidersView,
  ),
  /** Sets the API in which a provider is asked. Throws `not-found`. */
  setProviderProtocol: call(z.object({ id: z.string(), protocol: Protocol }), ProvidersView),
  /** Forgets how requests to a provider are adapted: the next ones go out as they are meant. Throws `not-found`. */
  forgetConcessions: call(z.object({ id: z.string() }), ProvidersView),
  /** Sets how long a provider's answers are waited for; null: the defaults. Throws `not-found`. */
  setProviderTimeouts: call(
    z.object({ id: z.string(), timeouts: Timeouts.nullable() }),
    ProvidersView,
  ),
  /**
   * The models of a provider's address. `kept`: from the cache alone. `due`: asked for again where that is older than a
   * day. `refresh`: asked for again. Throws `bad-argument` for an address that is none of the providers'.
   */
  list: call(
    z.object({ baseUrl: BaseUrl, freshness: z.enum(['kept', 'due', 'refresh']) }),
    ListedModels,
  ),
  /**
   * Chooses who answers: in Skein's settings, or with a key for one conversation of the home, in its local.toml. Gives
   * the settings that hold there then. Throws `read-only` where something that comes before sets another one, and where a
   * key of chibi's would go to an address that it was not entered for.
   */
  choose: call(
    z.object({
      key: LibraryKey.optional(),
      baseUrl: BaseUrl,
      model: z.string().trim().min(1).max(512),
    }),
    VisibleSettings,
  ),
  /** The prices of models in the cached lists; models without one are left out. */
  prices: call(
    z.object({ models: z.array(z.string().max(512)).max(200) }),
    z.array(Priced.extend({ model: z.string() })),
  ),
  /** Sums up what a conversation cost. Reads all of it. Throws `not-found`, `unreadable`, `cancelled` when another one is asked for. */
  usage: call(z.object({ key: LibraryKey }), ConversationUsage),
  changed: event(ProvidersView),
}
