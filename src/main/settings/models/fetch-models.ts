import type { ModelInfo } from '../../../shared/model/settings/model-info'
import { anySignal } from '../../async/any-signal'
import { scrubber } from '../base/scrub'
import { parseModels } from './parse-models'

/** The function that fetches lists of models, as `globalThis.fetch`. */
export type ModelsFetch = typeof globalThis.fetch

/** The answer to `GET <base>/models`. */
export type ModelsAnswer =
  | { readonly type: 'models'; readonly models: readonly ModelInfo[] }
  | { readonly type: 'refused'; readonly status: number }
  | { readonly type: 'other'; readonly status: number }
  | { readonly type: 'no-answer'; readonly reason: 'timeout' | 'unreachable' }

// OpenRouter's list is half a megabyte.
const bodyLimitBytes = 8 * 1024 * 1024

/**
 * Fetches a server's list of models, at most 8 MiB. Never throws; follows no redirect, so that the key goes to no
 * other address.
 */
export async function fetchModels(
  url: string,
  options: {
    readonly apiKey?: string | undefined
    readonly timeoutMs: number
    readonly fetch?: ModelsFetch | undefined
  },
  signal?: AbortSignal,
): Promise<ModelsAnswer> {
  const halt = anySignal([signal])
  const timer = setTimeout(halt.release, options.timeoutMs)
  try {
    const response = await (options.fetch ?? globalThis.fetch)(url, {
      redirect: 'manual',
      signal: halt.signal,
      headers: {
        accept: 'application/json',
        'user-agent': 'Skein',
        ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
    })
    const { status } = response
    if (!response.ok) return { type: 'refused', status }
    // The list is kept in a file, and shown.
    const models = parseModels(jsonOf(scrubber(options.apiKey)(await bodyOf(response))))
    return models === undefined ? { type: 'other', status } : { type: 'models', models }
  } catch {
    // An error of fetch may quote the key: the reason alone is returned.
    return { type: 'no-answer', reason: halt.signal.aborted ? 'timeout' : 'unreachable' }
  } finally {
    clearTimeout(timer)
    halt.release() // Ends a body that was not read to its end.
  }
}

async function bodyOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > bodyLimitBytes) return ''
  }
  return Buffer.concat(pieces).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // No JSON, no list.
  }
}
