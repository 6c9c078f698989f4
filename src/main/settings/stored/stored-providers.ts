import { z } from 'zod'
import { hasControls } from '../../../shared/model/basics/visible'
import { RecentModel } from '../../../shared/model/settings/model-info'
import { parseBaseUrl } from '../base/base-url'

/** A provider that a person entered. */
export interface NamedProvider {
  readonly id: string
  /** At most 60 characters, none of them a control character. */
  readonly name: string
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string
}

/** A change of the providers: one is added or replaced by its id, or removed. */
export type ProvidersChange =
  | { readonly type: 'put'; readonly provider: NamedProvider }
  | { readonly type: 'remove'; readonly id: string }

const mostRecent = 12

/** The name of a provider: 1 to 60 characters without control characters and marks of direction. */
export const ProviderName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((name) => !hasControls(name))

/** Ids that stand for something else: built-in providers, the address in use, the form that adds one. */
const reservedIds: ReadonlySet<string> = new Set(['openrouter', 'openai', 'current', 'add'])

const StoredProvider = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .refine((id) => !reservedIds.has(id)),
  name: ProviderName,
  baseUrl: z.string().transform((text, context) => {
    const parsed = parseBaseUrl(text)
    if (parsed.ok) return parsed.url
    context.addIssue({ code: 'custom', message: parsed.message })
    return z.NEVER
  }),
})

/**
 * Reads the `providers` of settings.json: `[{id, name, baseUrl}]`. An invalid one costs only itself, and so does a
 * second one with the same id.
 *
 * @param fault gets the key of each value that is not known
 */
export function readStoredProviders(
  value: unknown,
  fault: (key: string) => void,
): readonly NamedProvider[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    fault('providers')
    return []
  }
  const found = new Map<string, NamedProvider>()
  value.forEach((one: unknown, at) => {
    const parsed = StoredProvider.safeParse(one)
    if (parsed.success && !found.has(parsed.data.id)) found.set(parsed.data.id, parsed.data)
    else fault(`providers[${at}]`)
  })
  return [...found.values()]
}

/** Returns the `providers` of settings.json after a change; values that this version does not know stay. */
export function applyProvidersChange(value: unknown, change: ProvidersChange): readonly unknown[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  if (change.type === 'remove') return values.filter((one) => !hasId(one, change.id))
  const { provider } = change
  return values.some((one) => hasId(one, provider.id))
    ? values.map((one) =>
        hasId(one, provider.id) ? { ...JsonObject.parse(one), ...provider } : one,
      )
    : [...values, provider]
}

/** Reads the `recentModels` of settings.json: `[{baseUrl, model}]`, at most 12. Invalid ones are left out. */
export function readRecentModels(value: unknown): readonly RecentModel[] {
  if (!Array.isArray(value)) return []
  return value
    .flatMap((one: unknown) => {
      const parsed = RecentModel.safeParse(one)
      return parsed.success ? [parsed.data] : []
    })
    .slice(0, mostRecent)
}

/** Returns the `recentModels` of settings.json with the chosen one first. */
export function addRecentModel(value: unknown, chosen: RecentModel): readonly RecentModel[] {
  const others = readRecentModels(value).filter(
    ({ baseUrl, model }) => baseUrl !== chosen.baseUrl || model !== chosen.model,
  )
  return [chosen, ...others].slice(0, mostRecent)
}

const JsonObject = z.record(z.string(), z.unknown())

function hasId(value: unknown, id: string): boolean {
  return JsonObject.safeParse(value).data?.id === id
}
