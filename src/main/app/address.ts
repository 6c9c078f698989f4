import path from 'node:path'

/** A request for a part of the page's own origin, by the kind of its answer. */
export type PageRequest =
  | { readonly type: 'file'; readonly file: string }
  /** Recordings and images, whose addresses their own files understand. */
  | { readonly type: 'recording' }
  | { readonly type: 'image' }
  /** Nothing is there. */
  | { readonly type: 'nothing' }
  /** It is no address. */
  | { readonly type: 'malformed' }

/** The path of the page's own origin below which recordings are. */
export const audioPath = '/audio/'

/** The path of the page's own origin below which the images of messages are. */
export const imagePath = '/image/'

/**
 * Parses the address of a request. Never throws, whatever the page asks for; a file is always below `root`, which is
 * absolute.
 */
export function parsePageRequest(address: string, host: string, root: string): PageRequest {
  const url = parsePageUrl(address)
  if (url === undefined) return { type: 'malformed' }
  if (url.host !== host) return { type: 'nothing' }
  if (url.pathname.startsWith(audioPath)) return { type: 'recording' }
  if (url.pathname.startsWith(imagePath)) return { type: 'image' }
  const way = decoded(url.pathname)
  // No file's name holds a NUL, and opening one with it throws.
  if (way === undefined || way.includes('\0')) return { type: 'malformed' }
  const file = path.resolve(root, `.${way}`)
  return file.startsWith(root + path.sep) ? { type: 'file', file } : { type: 'nothing' }
}

/**
 * Returns the parts of an address below `prefix`, decoded, where there are exactly `count`; undefined for any other
 * address. Never throws.
 */
export function partsBelow(
  prefix: string,
  address: string,
  count: number,
): readonly string[] | undefined {
  const url = parsePageUrl(address)
  if (url === undefined || !url.pathname.startsWith(prefix)) return undefined
  const parts = url.pathname.slice(prefix.length).split('/').map(decoded)
  return parts.length === count && parts.every((part) => part !== undefined) ? parts : undefined
}

/** Returns true for the address of a page, whatever follows "?" or "#". Never throws. */
export function isAddressOf(pageUrl: string, address: string): boolean {
  return address.split(/[?#]/)[0] === pageUrl
}

/** Parses an address; undefined where it is none. Never throws. */
export function parsePageUrl(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined // URL.canParse is missing in the older runtime.
  }
}

/** Decodes a part; undefined where a `%` is before anything but two digits, or the bytes are no UTF-8. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
