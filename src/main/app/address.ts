import path from 'node:path'

/** A part of the page's own origin, as a request for it is answered. */
export type PageRequest =
  | { readonly type: 'file'; readonly file: string }
  /** Recordings and images, whose addresses their own files understand. */
  | { readonly type: 'recording' }
  | { readonly type: 'image' }
  /** Nothing is there. */
  | { readonly type: 'nothing' }
  /** It is no address. */
  | { readonly type: 'malformed' }

/** Below this path of the page's own origin are the recordings. */
export const audioPath = '/audio/'

/** Below this path of the page's own origin are the images of messages. */
export const imagePath = '/image/'

/**
 * Reads the address of a request. Never throws, whatever the page asks for; a file is always below `root`, which is
 * absolute.
 */
export function parsePageRequest(address: string, host: string, root: string): PageRequest {
  const url = parsePageUrl(address)
  if (url === undefined) return { type: 'malformed' }
  if (url.host !== host) return { type: 'nothing' }
  if (url.pathname.startsWith(audioPath)) return { type: 'recording' }
  if (url.pathname.startsWith(imagePath)) return { type: 'image' }
  const way = decoded(url.pathname)
  // No file's name holds a NUL, and whoever opens one with it throws.
  if (way === undefined || way.includes('\0')) return { type: 'malformed' }
  const file = path.resolve(root, `.${way}`)
  return file.startsWith(root + path.sep) ? { type: 'file', file } : { type: 'nothing' }
}

/**
 * The parts of an address below `prefix`, decoded, where there are exactly `count`; undefined for any other address.
 * Never throws.
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

/** Whether an address is that of a page, whatever follows "?" or "#". Never throws. */
export function isAddressOf(pageUrl: string, address: string): boolean {
  return address.split(/[?#]/)[0] === pageUrl
}

/** What an address is; undefined where it is none. Never throws. */
export function parsePageUrl(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined // URL.canParse is missing in the older runtime.
  }
}

/** Undefined where a `%` stands before anything but two digits, or where the bytes are no UTF-8. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
