import { expect, it } from 'vitest'
import { sentHandlers } from '../../../../src/main/ipc/handlers/sent'
import { modelViewForWindow } from '../../../../src/main/ipc/handlers/transcript'
import type { SentReader } from '../../../../src/main/llm/sent/sent-reader'
import { sentContract } from '../../../../src/shared/ipc/runs/sent'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import type { EntryId } from '../../../../src/shared/model/conversation/entry'

const entryId = 'e2' as EntryId

/** Handlers over a reader that knows one answer. */
function handlers() {
  const asked: string[] = []
  const only =
    <T>(answer: T) =>
    async (context: string, id: EntryId) => {
      asked.push(`${context} ${id}`)
      if (id !== entryId) throw new AppError('not-found', 'No such entry.')
      return answer
    }
  const reader: SentReader = {
    of: only({
      entryId,
      origin: 'log' as const,
      match: 'exact' as const,
      sentAtMs: 5,
      answeredAtMs: 6,
      messages: [],
      tools: [],
      parameters: {},
      parts: { system: 0, history: 0, tools: 0, attachments: 0 },
      countedBy: { by: 'estimate' as const },
      notes: [],
    }),
    body: only({ model: 'm', messages: [] }),
    around: only({}),
  }
  return { asked, ...sentHandlers(() => ({ sent: reader })) }
}

it("gives what stands in the contract, the body as indented JSON, by the context's own name", async () => {
  const { asked, of, body, around } = handlers()
  const args = { key: libraryKeyOf('chibi', 'garden'), entryId }
  expect(sentContract.of.result.parse(await of(args))).toMatchObject({ origin: 'log' })
  expect(sentContract.body.result.parse(await body(args))).toBe(
    '{\n  "model": "m",\n  "messages": []\n}',
  )
  expect(sentContract.around.result.parse(await around(args))).toEqual({})
  expect(asked).toEqual(['garden e2', 'garden e2', 'garden e2'])
})

it("says of another system's conversation that it is not known here, and asks nobody", async () => {
  const { asked, of, body, around } = handlers()
  const args = { key: libraryKeyOf('cycod', 'chat-1'), entryId }
  for (const call of [of, body, around])
    await expect(call(args)).rejects.toMatchObject({
      code: 'bad-argument',
      message: expect.stringContaining("another system's"),
    })
  expect(asked).toEqual([])
})

it('hands on what the reader says', async () => {
  const { of } = handlers()
  const args = { key: libraryKeyOf('chibi', 'garden'), entryId: 'e9' as EntryId }
  await expect(of(args)).rejects.toMatchObject({ code: 'not-found' })
})

it('what a system sends its model goes to the window up to eight million characters', () => {
  const message = (length: number) => ({ role: 'user' as const, content: 'x'.repeat(length) })
  const view = [message(3_000_000), message(4_000_000)]
  expect(modelViewForWindow(view)).toBe(view)
  expect(modelViewForWindow(null)).toBeNull()
  expect(() => modelViewForWindow([...view, message(2_000_000)])).toThrow(
    'has more than 8 million characters, too many to show here',
  )
})
