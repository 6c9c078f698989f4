import { z } from 'zod'
import { Protocol } from '../../../shared/model/settings/protocol'

const JsonObject = z.record(z.string(), z.unknown())

/**
 * Reads the `protocols` of settings.json: the API of each provider that is not asked in chat completions, by base
 * URL. One that is not understood costs itself alone.
 *
 * @param fault gets the key of each value that is not known
 */
export function readStoredProtocols(
  value: unknown,
  fault: (key: string) => void,
): ReadonlyMap<string, Protocol> {
  const found = new Map<string, Protocol>()
  if (value === undefined) return found
  const entries = JsonObject.safeParse(value).data
  if (entries === undefined) fault('protocols')
  for (const [baseUrl, entry] of Object.entries(entries ?? {})) {
    const parsed = Protocol.safeParse(entry)
    if (parsed.success) found.set(baseUrl, parsed.data)
    else fault(`protocols["${baseUrl}"]`)
  }
  return found
}

/** Returns the `protocols` of settings.json after a change; without an entry, chat completions hold. */
export function applyProtocolChange(
  value: unknown,
  change: { readonly baseUrl: string; readonly protocol: Protocol },
): Readonly<Record<string, unknown>> {
  const { [change.baseUrl]: _, ...others } = JsonObject.safeParse(value).data ?? {}
  return change.protocol === 'chat-completions'
    ? others
    : { ...others, [change.baseUrl]: change.protocol }
}
