import { expect, it } from 'vitest'
import { createApi } from '../../src/renderer/api'
import type { Envelope, Transport } from '../../src/shared/ipc/contract'
import { AppError } from '../../src/shared/model/basics/errors'

function transportOf(answer: Envelope): Transport & { readonly asked: unknown[] } {
  const asked: unknown[] = []
  return {
    asked,
    invoke: async (channel, args) => {
      asked.push([channel, args])
      return answer
    },
    on: (channel, listener) => {
      listener(`an event on ${channel}`)
      return () => asked.push(`off ${channel}`)
    },
  }
}

it('calls the channel of the domain and gives back the value', async () => {
  const transport = transportOf({ ok: true, value: { runId: 'run-1' } })
  const api = createApi(transport)
  await expect(api.completion.retry({ key: 'garden' as never })).resolves.toEqual({
    runId: 'run-1',
  })
  expect(transport.asked).toEqual([['completion.retry', { key: 'garden' }]])
})

it('turns an error envelope back into an AppError with its code and detail', async () => {
  const api = createApi(
    transportOf({ ok: false, error: { code: 'disk-full', message: 'Full.', detail: 'ENOSPC' } }),
  )
  const error = await api.app.status().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  expect((error as AppError).report()).toEqual({
    code: 'disk-full',
    message: 'Full.',
    detail: 'ENOSPC',
  })
})

it('follows an event until the listener is taken away', () => {
  const transport = transportOf({ ok: true, value: undefined })
  const told: unknown[] = []
  const end = createApi(transport).transcript.onAppended((payload) => told.push(payload))
  end()
  expect([told, transport.asked]).toEqual([
    ['an event on transcript.appended'],
    ['off transcript.appended'],
  ])
})
