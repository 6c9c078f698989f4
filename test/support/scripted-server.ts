import type { ServerResponse } from 'node:http'
import { type RawServer, rawServer, type SeenRequest } from './raw-server'

/**
 * Step of a scripted answer: sends bytes, each in a packet of its own; waits for something of the test's; breaks the
 * connection; or says nothing more and keeps it until the other side leaves.
 */
export type Step = string | Uint8Array | Promise<unknown> | 'reset' | 'hang'

/** An answer, step by step. Without a status it is a 200, without headers an event stream; behind the last step it ends. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

/** Script that says how a request is answered; `n` counts them from 1. */
export type Scenario = (
  request: Omit<SeenRequest, 'body'> & { readonly body: Readonly<Record<string, unknown>> },
  n: number,
) => ScriptedAnswer

/** Starts a server on loopback, without any AI, that plays a scenario: no clock, no chance of its own. */
export function scriptedServer(scenario: Scenario): Promise<RawServer> {
  return rawServer((response, seen, index) => {
    void play(response, scenario({ ...seen, body: JSON.parse(seen.body) }, index + 1)).catch(() =>
      response.destroy(),
    )
  })
}

async function play(
  response: ServerResponse,
  { status = 200, headers = { 'content-type': 'text/event-stream' }, steps }: ScriptedAnswer,
): Promise<void> {
  response.socket?.setNoDelay(true)
  response.writeHead(status, headers)
  for (const step of steps) {
    if (response.destroyed) return
    if (step === 'hang') return
    if (step === 'reset') {
      response.socket?.resetAndDestroy()
      return
    }
    if (typeof step === 'string' || step instanceof Uint8Array)
      // Sent before the next one is written: packets are not joined.
      await new Promise<void>((resolve) => response.write(step, () => resolve()))
    else await step
  }
  response.end()
}

/** Makes a refusal in OpenAI's shape. */
export function refusal(status: number, message: string, headers = {}): ScriptedAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    steps: [JSON.stringify({ error: { message, type: 'invalid_request_error' } })],
  }
}
