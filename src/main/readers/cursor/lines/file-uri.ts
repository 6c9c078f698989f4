/** Returns the path that a file's URI names; the URI itself where it is another machine's, or no URI. */
export function pathOfUri(uri: string): string {
  const [, encoded] = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(uri) ?? []
  if (encoded === undefined) return uri
  try {
    const path = decodeURIComponent(encoded)
    // Windows: `/c:/work`.
    return /^\/[a-z]:/i.test(path) ? path.slice(1) : path
  } catch {
    return encoded
  }
}
