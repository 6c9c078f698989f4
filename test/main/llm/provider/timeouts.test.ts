import { afterEach, expect, it } from 'vitest'
import { ProviderError, type ProviderEvent } from '../../../../src/main/llm/chat/provider'
import { fetchWithoutTimeout } from '../../../../src/main/llm/provider/fetch-without-timeout'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { chunk, eventStream, type RawServer, rawServer } from '../../../support/raw-server'

const servers: RawServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
async function serving(answer: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(answer)
  servers.push(server)
  return server
}

/** A clock whose sleeps end by hand. */
function sleeper() {
  const sleeps: { readonly ms: number; readonly end: () => void }[] = []
  return {
    /** How long is waited for now, in milliseconds. */
    awaited: () => sleeps.map(({ ms }) => ms),
    endAll() {
      for (const { end } of sleeps.splice(0)) end()
    },
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const one = {
          ms,
          end: () => {
            const at = sleeps.indexOf(one)
            if (at >= 0) sleeps.splice(at, 1)
            resolve()
          },
        }
        sleeps.push(one)
        signal.addEventListener('abort', one.end, { once: true })
      }),
  }
}

const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] } as const
const timeouts = { firstByteSeconds: 1800, silenceSeconds: 900 }

async function heard(events: AsyncIterable<ProviderEvent>) {
  let content = ''
  try {
    for await (const event of events) if (event.type === 'content') content += event.text
    return { content }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { content, code: error.code, message: error.fault.message }
  }
}

it("waits for the first byte and between pieces as long as the provider's own timeouts say", async () => {
  const clock = sleeper()
  const silent = await serving(() => undefined)
  const first = heard(
    openAiStream({ baseUrl: silent.url, timeouts }, { clock })(
      request,
      new AbortController().signal,
    ),
  )
  await expect.poll(clock.awaited).toEqual([1_800_000])
  clock.endAll()
  expect(await first).toEqual({
    content: '',
    code: 'stalled',
    message: `${silent.host} sent nothing for 1800 s.`,
  })

  const halting = await serving((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(eventStream(chunk({ content: 'I am ' })))
  })
  const between = heard(
    openAiStream({ baseUrl: halting.url, timeouts }, { clock })(
      request,
      new AbortController().signal,
    ),
  )
  await expect.poll(clock.awaited).toEqual([900_000])
  clock.endAll()
  expect(await between).toEqual({
    content: 'I am ',
    code: 'stalled',
    message: `${halting.host} sent nothing for 900 s.`,
  })
})

it('ends at once when it is stopped while the first byte is waited for', async () => {
  const clock = sleeper()
  const silent = await serving(() => undefined)
  const stop = new AbortController()
  const waiting = heard(
    openAiStream({ baseUrl: silent.url, timeouts }, { clock })(request, stop.signal),
  )
  await expect.poll(clock.awaited).toEqual([1_800_000])
  stop.abort()
  expect(await waiting).toEqual({ content: '' })
  expect(clock.awaited()).toEqual([])
})

it("lifts the 300 seconds of Node's own fetch, for headers and for the body", async () => {
  const server = await serving((response) => void response.end('here'))
  void globalThis.Headers
  const place = Symbol.for('undici.globalDispatcher.1')
  const own: { dispatch(options: object, handler: object): boolean } = Reflect.get(
    globalThis,
    place,
  )
  const seen: object[] = []
  const dispatch = own.dispatch
  own.dispatch = (options, handler) => {
    seen.push(options)
    return dispatch.call(own, options, handler)
  }
  try {
    expect(await (await fetchWithoutTimeout(`${server.url}/x`)).text()).toBe('here')
  } finally {
    Reflect.deleteProperty(own, 'dispatch') // It is its class's again.
  }
  expect(seen).toMatchObject([{ path: '/v1/x', headersTimeout: 0, bodyTimeout: 0 }])
})
