import { z } from 'zod'
import { Timeouts } from '../../../shared/model/settings/timeouts'
import { parseBaseUrl } from '../base/base-url'

/** The timeouts of one provider, named by its base URL as `parseBaseUrl` gives it. */
export type StoredTimeouts = Timeouts & { readonly baseUrl: string }

/** Sets the timeouts of a provider, or takes them away: then the defaults hold. */
export interface TimeoutsChange {
  readonly baseUrl: string
  readonly timeouts: Timeouts | undefined
}

const Stored = Timeouts.extend({
  baseUrl: z.string().refine((text) => {
    const parsed = parseBaseUrl(text)
    return parsed.ok && parsed.url === text
  }),
})

/**
 * Reads the `timeouts` of settings.json: `[{baseUrl, firstByteSeconds, silenceSeconds}]`. One that is not understood
 * costs itself alone; of two for one address the first counts.
 *
 * @param fault gets the key of each value that is not known
 */
export function readStoredTimeouts(
  value: unknown,
  fault: (key: string) => void,
): readonly StoredTimeouts[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    fault('timeouts')
    return []
  }
  const found = new Map<string, StoredTimeouts>()
  value.forEach((one: unknown, at) => {
    const { data } = Stored.safeParse(one)
    if (data !== undefined && !found.has(data.baseUrl)) found.set(data.baseUrl, data)
    else fault(`timeouts[${at}]`)
  })
  return [...found.values()]
}

/** Gives the `timeouts` of settings.json after a change; what this version does not know stays where it is. */
export function applyTimeoutsChange(
  value: unknown,
  { baseUrl, timeouts }: TimeoutsChange,
): readonly unknown[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  const others = values.filter((one) => JsonObject.safeParse(one).data?.baseUrl !== baseUrl)
  return timeouts === undefined ? others : [...others, { baseUrl, ...timeouts }]
}

const JsonObject = z.record(z.string(), z.unknown())
