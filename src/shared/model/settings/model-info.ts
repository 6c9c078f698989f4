import { z } from 'zod'
import { Protocol } from './protocol'
import { Timeouts } from './timeouts'

const Price = z.number().nonnegative()

/** Prices of one token of a model, in US dollars, as OpenRouter lists them. */
export const ModelPrice = z.object({
  input: Price,
  output: Price,
  /** For what the provider had in its cache; without it, such tokens cost what others do. */
  cached: Price.optional(),
})
export type ModelPrice = z.infer<typeof ModelPrice>

/** Entry of a provider's model list. */
export const ModelInfo = z.object({
  /** Name that a request has for it. At most 512 characters, none of them a control character. */
  id: z.string().min(1).max(512),
  /** Another name of the same: what OpenRouter's answers call it. */
  alias: z.string().max(512).optional(),
  /** Absent where it is the id. */
  name: z.string().max(256).optional(),
  /** Tokens of prompt and answer together. */
  contextLength: z.int().positive().optional(),
  /** Absent where the list has none; a price of 0 is a price. */
  price: ModelPrice.optional(),
  /** Kinds of content that it reads: `text`, `image`, `file`, `audio`. */
  inputs: z.array(z.string()).optional(),
  /** Names of the parameters that it takes: `tools`, `temperature`, `reasoning`. */
  parameters: z.array(z.string()).optional(),
})
export type ModelInfo = z.infer<typeof ModelInfo>

/** The models of one address, and how old that is. */
export const ListedModels = z.object({
  baseUrl: z.string(),
  models: z.array(ModelInfo),
  /** Unix milliseconds; null where nobody ever answered. */
  fetchedAt: z.number().nullable(),
  /** Why it is not newer, in words; the list may still be shown. */
  failure: z.string().optional(),
})
export type ListedModels = z.infer<typeof ListedModels>

/** Somewhere that models can be asked. */
export const Provider = z.object({
  /** `openrouter`, `openai`, `current` for an address that is set elsewhere, else its own. */
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  /** `named`: entered in Settings, where it can be renamed and removed. `current`: the address in use, set elsewhere. */
  kind: z.enum(['built-in', 'named', 'current']),
  key: z.object({
    present: z.boolean(),
    /** As in the settings' view. */
    hint: z.string().optional(),
    /** Such as `keychain` or `config.toml:3`. */
    where: z.string().optional(),
    /** It is in the keychain, and can be removed in Settings. */
    isOwn: z.boolean(),
    /** A server of this machine or its network mostly takes none. */
    isNeeded: z.boolean(),
  }),
  /** Models whose requests are adapted, since the provider refused them as they were; absent where there are none. */
  adapted: z.array(z.string()).optional(),
  /** Absent where the defaults hold. */
  timeouts: Timeouts.optional(),
  /** The API in which it is asked unless a file says otherwise. Absent: chat completions. */
  protocol: Protocol.optional(),
})
export type Provider = z.infer<typeof Provider>

/** Model that was chosen before, and the address of its provider. */
export const RecentModel = z.object({ baseUrl: z.string(), model: z.string() })
export type RecentModel = z.infer<typeof RecentModel>

/** The providers, and what was chosen last, newest first. */
export const ProvidersView = z.object({
  providers: z.array(Provider),
  recent: z.array(RecentModel),
})
export type ProvidersView = z.infer<typeof ProvidersView>
