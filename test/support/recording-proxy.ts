import { type RawServer, rawServer } from './raw-server'

/** A server that hands requests on to another one and its answers back; `seen` has what came in, byte for byte. */
export function recordingProxy(to: string): Promise<RawServer> {
  const { origin } = new URL(to)
  return rawServer((response, { method, path, body }) => {
    void fetch(`${origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body } : {}),
    })
      .then(async (answer) => {
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? 'text/plain',
        })
        response.end(await answer.text())
      })
      .catch((error: unknown) => response.destroy(error as Error))
  })
}
