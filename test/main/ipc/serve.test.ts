import { expect, it } from 'vitest'
import { type CallHost, serve } from '../../../src/main/ipc/serve'
import { windowEvents } from '../../../src/main/ipc/window-events'
import { channels } from '../../../src/shared/ipc/channels'
import type { Envelope } from '../../../src/shared/ipc/contract'
import { AppError } from '../../../src/shared/model/basics/errors'

type Handle = (event: unknown, args: unknown) => Promise<Envelope>

/** An ipcMain that keeps what is handled, and a host that trusts one event alone. */
function host() {
  const handled = new Map<string, Handle>()
  const reported: string[] = []
  const trusted = {}
  const callHost: CallHost = {
    ipcMain: { handle: (channel, handler) => void handled.set(channel, handler as Handle) },
    isTrusted: (event) => (event as unknown) === trusted,
    report: (where, error) => void reported.push(`${where}: ${String(error)}`),
  }
  const invoke = (channel: string, args: unknown, event: unknown = trusted) => {
    const handler = handled.get(channel)
    if (handler === undefined) throw new Error(`nothing serves ${channel}`)
    return handler(event, args)
  }
  return { callHost, handled, reported, invoke }
}

const page = { conversations: [], total: 0 }

it('answers a call with what its handler returns', async () => {
  const { callHost, invoke } = host()
  const asked: unknown[] = []
  serve(
    'library',
    {
      async list(args) {
        asked.push(args)
        return page
      },
    },
    callHost,
  )

  expect(await invoke('library.list', { limit: 10 })).toEqual({ ok: true, value: page })
  expect(asked).toEqual([{ limit: 10 }])
})

it('refuses arguments that the contract does not know, without calling the handler', async () => {
  const { callHost, invoke } = host()
  let called = false
  serve(
    'library',
    {
      async list() {
        called = true
        return page
      },
    },
    callHost,
  )

  for (const args of [undefined, {}, { limit: 0 }, { limit: '10' }, { limit: 10, cursor: 5 }]) {
    const answer = await invoke('library.list', args)
    expect(answer).toMatchObject({ ok: false, error: { code: 'bad-argument' } })
  }
  expect(called).toBe(false)
})

it('refuses a sender that is not our own page', async () => {
  const { callHost, invoke } = host()
  serve('library', { list: async () => page }, callHost)

  expect(await invoke('library.list', { limit: 10 }, {})).toMatchObject({
    ok: false,
    error: { code: 'bad-argument', message: 'This page may not call Skein.' },
  })
})

it('crosses an expected error with its code, and reports nothing', async () => {
  const { callHost, invoke, reported } = host()
  const list = async () => {
    throw new AppError('unreadable', 'The home cannot be read.', { detail: 'EACCES' })
  }
  serve('library', { list }, callHost)

  expect(await invoke('library.list', { limit: 10 })).toEqual({
    ok: false,
    error: { code: 'unreadable', message: 'The home cannot be read.', detail: 'EACCES' },
  })
  expect(reported).toEqual([])
})

it('crosses a mistake of ours as one, and reports it', async () => {
  const { callHost, invoke, reported } = host()
  const list = async () => {
    throw new TypeError('x is undefined')
  }
  serve('library', { list }, callHost)

  expect(await invoke('library.list', { limit: 10 })).toMatchObject({
    ok: false,
    error: { code: 'internal', detail: 'x is undefined' },
  })
  expect(reported).toEqual(['library.list: TypeError: x is undefined'])
})

it('tells events on the channels of the contract', () => {
  const sent: [string, unknown][] = []
  const tell = windowEvents((channel, payload) => sent.push([channel, payload]))

  tell.library.changed({ conversations: [], gone: ['garden'] })

  expect(sent).toEqual([['library.changed', { conversations: [], gone: ['garden'] }]])
  expect(channels('event')).toContain('library.changed')
})
