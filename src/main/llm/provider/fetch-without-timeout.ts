import type { FetchFunction } from './guarded-fetch'

/** Keys under which Node keeps the connections that its fetch uses; the second name is that of later versions. */
const places = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) =>
  Symbol.for(name),
)

/**
 * Fetches without the 300 seconds after which Node's own fetch gives up between two bytes; the silence watch decides
 * how long to wait. Where this Node keeps its connections elsewhere, the 300 seconds hold.
 */
export const fetchWithoutTimeout: FetchFunction = async (url, init) => {
  const dispatcher = patientDispatcher()
  // The types of the web know no such key; Node's fetch reads it.
  const patient = dispatcher === undefined ? init : { ...init, dispatcher }
  return globalThis.fetch(url, patient as RequestInit)
}

type Dispatch = (options: object, handler: object) => boolean

/** Wraps Node's own connections, asked without a limit for headers and body. */
function patientDispatcher(): { readonly dispatch: Dispatch } | undefined {
  // Node loads its fetch, and with it the connections, when something of it is read for the first time.
  void globalThis.Headers
  const found = places.map((place) => Reflect.get(globalThis, place)).find(isDispatcher)
  if (found === undefined) return undefined
  return {
    dispatch: (options, handler) =>
      found.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  }
}

function isDispatcher(value: unknown): value is { readonly dispatch: Dispatch } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'dispatch' in value &&
    typeof value.dispatch === 'function'
  )
}
