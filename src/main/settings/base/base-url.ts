/** OpenRouter's base URL, chibi's default. */
export const openRouterBaseUrl = 'https://openrouter.ai/api/v1'
/** OpenAI's base URL. */
export const openAiBaseUrl = 'https://api.openai.com/v1'

/** A usable address, or the reason in words why it is none. */
export type BaseUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly message: string }

/**
 * Parses a base URL into one form: no final slash, and without the path of an API, such as the `/chat/completions`
 * that chibi 0.5 wrote.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim()
  const url = parseUrl(trimmed)
  if (url === undefined)
    return wrong('is not a web address; it must look like https://openrouter.ai/api/v1')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return wrong('must begin with https:// or http://')
  if (url.username !== '' || url.password !== '')
    return wrong('must not contain a user name or password; set the key instead')
  if (url.search !== '' || url.hash !== '') return wrong('must not contain "?" or "#"')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|responses)$/, '')
  return { ok: true, url: `${url.origin}${path}` }
}

/**
 * Returns an address as it may be shown: a name and a password in it, and everything after "?" or "#", may be a key
 * and are hidden. Neither such an address nor the shown form can be used.
 */
export function shownAddress(baseUrl: string): string {
  const url = parseUrl(baseUrl.trim())
  // Without its scheme, for example: where its parts begin is not clear.
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return baseUrl
      .replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)?[\s\S]*@/i, '$1•••@')
      .replace(/([?#])[\s\S]+/, '$1•••')
  const { protocol, username, password, host, pathname, search, hash } = url
  if (`${username}${password}${search}${hash}` === '') return baseUrl
  const user = `${username}${password}` === '' ? '' : '•••@'
  const rest = search === '' ? (hash === '' ? '' : '#•••') : '?•••'
  return `${protocol}//${user}${host}${pathname}${rest}`
}

/** Returns scheme, host and port, to which a key belongs; undefined for text that is no address. */
export function webOrigin(baseUrl: string): string | undefined {
  return parseUrl(baseUrl)?.origin
}

/** Returns true for an address of this machine. */
export function isLoopback(baseUrl: string): boolean {
  const host = parseUrl(baseUrl)?.hostname ?? ''
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '0.0.0.0' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}

/** Returns true for an address of this machine or of its local network: servers there mostly take no key. */
export function isLocal(baseUrl: string): boolean {
  const host = parseUrl(baseUrl)?.hostname ?? ''
  return (
    isLoopback(baseUrl) ||
    host.endsWith('.local') ||
    (host !== '' && !host.includes('.') && !host.includes(':')) ||
    /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.[\d.]+$/.test(host) ||
    /^\[f[cd]/.test(host)
  )
}

function wrong(message: string): BaseUrl {
  return { ok: false, message }
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined // URL.canParse is missing in the older runtime.
  }
}
