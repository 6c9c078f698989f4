/** Returns host and port of an address, such as `openrouter.ai`; the address itself where it is no URL. */
export function serverNameOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host
  } catch {
    return baseUrl // Not a URL: the request will say so.
  }
}
