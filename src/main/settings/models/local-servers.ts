import type { LocalServer } from '../../../shared/model/settings/settings'
import { fetchModels, type ModelsFetch } from './fetch-models'

/** The servers that people run on their own machine, at their default ports. */
const localPorts: readonly { readonly name: string; readonly port: number }[] = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
]

/** Returns the name of the usual local server at an address; undefined for any other. */
export function localServerAt(baseUrl: string): string | undefined {
  return localPorts.find(({ port }) => baseUrl === addressAt(port))?.name
}

function addressAt(port: number): string {
  return `http://127.0.0.1:${port}/v1`
}

// On loopback an answer takes milliseconds; for a server that is busy loading a model, the person searches again.
const defaultTimeoutMs = 1000

/**
 * Finds the local servers that answer with a list of models now, in the order of `ports`. Asks loopback alone, and
 * sends no key.
 */
export async function findLocalServers(
  options: {
    readonly ports?: readonly { readonly name: string; readonly port: number }[]
    readonly timeoutMs?: number
    readonly fetch?: ModelsFetch
  } = {},
  signal?: AbortSignal,
): Promise<readonly LocalServer[]> {
  const { ports = localPorts, timeoutMs = defaultTimeoutMs, fetch } = options
  const found = await Promise.all(
    ports.map(async ({ name, port }): Promise<LocalServer | undefined> => {
      const baseUrl = addressAt(port)
      const answer = await fetchModels(`${baseUrl}/models`, { timeoutMs, fetch }, signal)
      if (answer.type !== 'models') return undefined
      return { name, baseUrl, models: answer.models.map(({ id }) => id) }
    }),
  )
  return found.filter((server) => server !== undefined)
}
