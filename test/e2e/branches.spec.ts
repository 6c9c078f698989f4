import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createApi } from '../../src/renderer/api'
import { LibraryKey } from '../../src/shared/model/conversation/conversation'
import { EntryId } from '../../src/shared/model/conversation/entry'
import { activeEntries, launchSkein } from './support/app'
import { endpoint } from './support/endpoint'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const garden = LibraryKey.parse('garden')

/** The window's own API, used from the test: the calls cross preload and main as the window's do. */
function apiOf(page: Page) {
  return createApi({
    invoke: (channel, args) =>
      page.evaluate(
        ([name, given]) =>
          (
            window as unknown as { api: { invoke: (c: unknown, a: unknown) => Promise<never> } }
          ).api.invoke(name, given),
        [channel, args] as const,
      ),
    on: () => () => undefined,
  })
}

/** The nth line of smallTalk. */
function lineAt(home: string, index: number) {
  const text = smallTalk('garden', index)
  const entry = activeEntries(home, 'garden')[index]
  return {
    entry: EntryId.parse(entry?.id),
    file: 'contexts/garden/transcript/active.jsonl',
    offset: index === 0 ? 0 : Buffer.byteLength(text),
  }
}

it('makes a branch that the library shows at once, and a family that names both', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden', 6) } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').waitFor()
  const api = apiOf(page)
  const before = activeEntries(home, 'garden')

  const made = await api.branches.create({
    key: garden,
    at: lineAt(home, 3),
    action: { type: 'branch' },
  })
  expect(made).toEqual({ key: 'garden-2' })
  await partsOf(page).conversation('garden-2').waitFor()
  expect(activeEntries(home, 'garden-2').slice(1)).toEqual(before.slice(0, 4))
  expect(activeEntries(home, 'garden')).toEqual(before)

  // The reading goes on in a thread of its own; the answer is final when it says so.
  let answer = await api.branches.family({ key: made.key })
  while (answer.counting || answer.view === null)
    answer = await api.branches.family({ key: made.key })
  expect(answer.view.family.nodes.map(({ keys }) => keys)).toEqual([
    ['garden', 'garden-2'],
    ['garden'],
    // Nothing was said in it yet.
    ['garden-2'],
  ])
  expect(problems).toEqual([])
})

it('sends an edited message in a branch', async () => {
  const asked: string[][] = []
  const baseUrl = await endpoint((response, { messages }) => {
    asked.push(messages.map(({ content }) => content))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = { choices: [{ delta: { content: 'Another answer' }, finish_reason: 'stop' }] }
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden', 6) } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').waitFor()

  const made = await apiOf(page).branches.create({
    key: garden,
    at: lineAt(home, 2),
    action: { type: 'edit', text: 'Question number 2, again' },
  })
  expect(made.runId).toBeDefined()
  await partsOf(page).conversation('garden-2').click()
  await partsOf(page).transcript.getByText('Another answer').waitFor()
  expect(asked).toEqual([['Question number 0', 'Answer number 1', 'Question number 2, again']])
  expect(problems).toEqual([])
})
