import { countWithNoun } from '../../../shared/model/basics/plural'
import type { ModelInfo } from '../../../shared/model/settings/model-info'
import { isLoopback, openRouterBaseUrl, webOrigin } from '../base/base-url'
import type { Endpoint } from '../endpoint/endpoint'
import { fetchModels, type ModelsAnswer, type ModelsFetch } from './fetch-models'

/** The outcome of a check, in words. */
export interface EndpointCheck {
  readonly ok: boolean
  readonly message: string
  readonly models: readonly string[]
}

// A person waits for it with Settings open.
const defaultTimeoutMs = 10_000

/** Checks an endpoint by asking for its models. Never throws; the words hold no key. */
export async function checkEndpoint(
  endpoint: Endpoint,
  options: { readonly fetch?: ModelsFetch | undefined; readonly timeoutMs?: number } = {},
  signal?: AbortSignal,
): Promise<EndpointCheck> {
  const { baseUrl, apiKey, notReady, model } = endpoint
  // Without a model the list is what helps to choose one; without a key there is nothing to ask with.
  if (notReady?.code === 'no-key' || notReady?.addressInDoubt)
    return { ok: false, message: notReady.message, models: [] }
  const host = webOrigin(baseUrl.value) ?? baseUrl.value
  const request = {
    apiKey: apiKey?.value.reveal(),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    fetch: options.fetch,
  }
  // OpenRouter gives its list to everybody: whether the key is good only this page tells.
  if (host === webOrigin(openRouterBaseUrl)) {
    const answer = await fetchModels(`${baseUrl.value}/key`, request, signal)
    if (answer.type === 'refused' && answer.status === 401)
      return { ok: false, message: refusedWords(host, 401), models: [] }
  }
  const answer = await fetchModels(`${baseUrl.value}/models`, request, signal)
  return answer.type === 'models'
    ? { ok: true, ...found(host, idsOf(answer.models), model.value) }
    : { ok: false, message: noListMessage(baseUrl.value, answer), models: [] }
}

/** Returns the reason why an address gave no list of models, in a sentence or two. */
export function noListMessage(
  baseUrl: string,
  answer: Exclude<ModelsAnswer, { readonly type: 'models' }>,
): string {
  const host = webOrigin(baseUrl) ?? baseUrl
  switch (answer.type) {
    case 'refused':
      return refusedWords(host, answer.status)
    case 'other':
      return `${host} answers, but not with a list of models. Check the path of the base URL.`
    case 'no-answer':
      return silent(host, baseUrl, answer.reason)
  }
}

function idsOf(models: readonly ModelInfo[]): readonly string[] {
  return models.map(({ id }) => id)
}

function found(
  host: string,
  models: readonly string[],
  model: string,
): Pick<EndpointCheck, 'message' | 'models'> {
  const count = `${host} answers with ${countWithNoun(models.length, 'model')}`
  // A router's or an alias' name need not be on the list, so its absence is a hint, no fault.
  const hint = model === '' || models.includes(model) ? '.' : `; "${model}" is not on its list.`
  return { message: `${count}${hint}`, models }
}

function refusedWords(host: string, status: number): string {
  if (status === 401 || status === 403) return `${host} rejected the key (${status}).`
  if (status >= 300 && status < 400) return `${host} redirects (${status}). Check the base URL.`
  if (status === 404 || status === 405)
    return `${host} has no list of models at this address (${status}). Check the path of the base URL: most end in /v1.`
  return `${host} failed (${status}).`
}

function silent(host: string, baseUrl: string, reason: 'timeout' | 'unreachable'): string {
  if (reason === 'timeout') return `${host} did not answer in time.`
  return isLoopback(baseUrl)
    ? `Nothing answers at ${host}. Is the server running?`
    : `${host} cannot be reached. Check the address and your connection.`
}
