import { imagePath, partsBelow } from './address'

/** An image of a message that was found. */
export interface ShownImage {
  /** The type of its bytes, whatever its name says. */
  readonly mime: string
  readonly bytes: Uint8Array
}

/**
 * Finds an image by the library's name of its conversation and the file that an entry names; both come from the page.
 */
export type FindShownImage = (key: string, file: string) => Promise<ShownImage | undefined>

const mimes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Answers a request for `/image/<key>/<file>`, each encoded, with the whole image. Never throws. */
export async function imageResponse(
  request: { readonly url: string; readonly method: string },
  find: FindShownImage,
): Promise<Response> {
  const [key, file] = partsBelow(imagePath, request.url, 2) ?? []
  if (key === undefined || file === undefined || request.method !== 'GET')
    return refusal(400, 'bad request')
  try {
    const found = await find(key, file)
    if (found === undefined || !mimes.has(found.mime)) return refusal(404, 'not found')
    return answer(200, found.mime, found.bytes)
  } catch {
    return refusal(500, 'cannot be read')
  }
}

function refusal(status: number, words: string): Response {
  return answer(status, 'text/plain', new TextEncoder().encode(words))
}

/** Opened as a page of its own, an image may do nothing; and no copy of a conversation stays in the shell's cache. */
function answer(status: number, type: string, bytes: Uint8Array): Response {
  return new Response(Uint8Array.from(bytes), {
    status,
    headers: {
      'cache-control': 'no-store',
      'content-length': String(bytes.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': type,
      'x-content-type-options': 'nosniff',
    },
  })
}
