import fs from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

const lastOf = ({ messages }: Asked) => messages.at(-1)?.content
const last = (home: string) => activeEntries(home, 'garden').at(-1)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A window on the conversation "garden" of a home that asks a server of the test's. */
async function gardenAt(answer: (response: ServerResponse, asked: Asked) => void) {
  const asked: Asked[] = []
  const baseUrl = await endpoint((response, body) => {
    asked.push(body)
    answer(response, body)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  fs.mkdirSync(path.join(home, 'prompts'))
  fs.writeFileSync(path.join(home, 'prompts/chibi.md'), 'Be a gardener.')
  const skein = await launchSkein({ home })
  await partsOf(skein.page).conversation('garden').click()
  await partsOf(skein.page).transcript.getByText('Answer number 1').waitFor()
  return { ...skein, ...partsOf(skein.page), home, asked }
}

it('marks half an answer, and has it continued without touching what is being written', async () => {
  const { page, home, asked, transcript, message, send, problems } = await gardenAt(
    (response, body) => {
      beginStream(response)
      const isHalf = lastOf(body) === 'List the beds'
      sendText(response, isHalf ? 'First the beans, th' : 'en the tulips.')
      endStream(response, isHalf ? 'length' : 'stop')
    },
  )
  await say(page, 'List the beds')
  await transcript.getByText('The answer is not complete: the model reached its limit.').waitFor()
  expect(last(home)).toMatchObject({
    content: 'First the beans, th',
    metadata: { finish: 'length' },
  })
  await message.fill('half a mess')
  await button(page, 'Continue').click()
  await transcript.getByText('en the tulips.').waitFor()
  await send.waitFor()
  expect(asked.map(lastOf)).toEqual(['List the beds', 'Continue exactly where you stopped.'])
  await expect.poll(() => message.inputValue()).toBe('half a mess')
  await expect.poll(() => button(page, 'Continue').count()).toBe(0)
  expect(problems).toEqual([])
})

it('opens a page that an answer cites after a look at its address, and no sooner', async () => {
  const url = 'https://beans.example/growing?from=skein'
  const { transcript, page, dialogs, problems } = await gardenAt((response) => {
    beginStream(response)
    response.write(
      `data: ${JSON.stringify({
        id: 'x',
        object: 'chat.completion.chunk',
        citations: [url],
        choices: [{ index: 0, delta: { content: 'Beans want sun [1].' } }],
      })}\n\n`,
    )
    endStream(response)
  })
  await say(page, 'What do beans want?')
  const source = transcript.getByRole('list', { name: 'Sources' }).getByRole('link', { name: url })
  await source.click()
  await expect.poll(async () => (await dialogs.asked()).length).toBe(1)
  const [asked] = await dialogs.asked()
  expect(`${asked?.message} ${asked?.detail}`).toContain(url)
  // The question was refused.
  expect(await dialogs.opened()).toEqual([])
  await dialogs.press('Open')
  await source.click()
  await expect.poll(() => dialogs.opened()).toEqual([url])
  expect(problems).toEqual([])
})

it('sends a queued message by itself when the answer is whole, and holds it after Stop', async () => {
  const open: ServerResponse[] = []
  const { page, home, asked, transcript, message, stop, problems } = await gardenAt((response) => {
    open.push(response)
    beginStream(response)
    sendText(response, `Reply ${open.length} begins. `)
  })
  const queue = page.getByRole('region', { name: 'Queued messages' })
  await say(page, 'one')
  await transcript.getByText('Reply 1 begins.').waitFor()
  for (const text of ['two', 'three']) {
    await message.fill(text)
    await message.press('Enter')
    await queue.getByText(text, { exact: true }).waitFor()
  }
  expect(asked).toHaveLength(1)
  const [first] = open
  if (first !== undefined) endStream(first)
  await transcript.getByText('Reply 2 begins.').waitFor()
  expect(asked.map(lastOf)).toEqual(['one', 'two'])
  await expect.poll(() => queue.getByText('three', { exact: true }).count()).toBe(1)
  await stop.click()
  await queue.getByText('Not sent: the answer was stopped.').waitFor()
  // Also after the window has been loaded anew.
  await page.reload()
  await queue.getByText('three', { exact: true }).waitFor()
  expect(asked).toHaveLength(2)
  await button(page, 'Send now').click()
  await transcript.getByText('Reply 3 begins.').waitFor()
  const [, , third] = open
  if (third !== undefined) endStream(third)
  await expect
    .poll(() =>
      activeEntries(home, 'garden')
        .slice(2)
        .map(({ content }) => content),
    )
    .toEqual(['one', 'Reply 1 begins. ', 'two', 'Reply 2 begins. ', 'three', 'Reply 3 begins. '])
  expect(problems).toEqual([])
})

it('keeps a message that was stopped before the first word, says for how long it waits, and asks again', async () => {
  let isAwake = false
  const { page, home, transcript, stop, problems } = await gardenAt((response) => {
    if (!isAwake) return
    beginStream(response)
    sendText(response, 'Here I am.')
    endStream(response)
  })
  await say(page, 'Are you there?')
  await page.getByText(/^Waiting for the first word, \d+ s$/).waitFor()
  await stop.click()
  await transcript.getByText('No answer yet.').waitFor()
  expect(last(home)).toMatchObject({ content: 'Are you there?' })
  isAwake = true
  await button(page, 'Ask again').click()
  await transcript.getByText('Here I am.').waitFor()
  await expect.poll(() => last(home)?.content).toBe('Here I am.')
  expect(problems).toEqual([])
})

it('asks a model that takes no system prompt otherwise, says so, and asks it so at once the next time', async () => {
  const { page, home, asked, transcript, send, problems } = await gardenAt(
    (response, { messages }) => {
      if (messages.some(({ role }) => role === 'system')) {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(
          '{"error":{"message":"Developer instruction is not enabled for models/gemma"}}',
        )
        return
      }
      beginStream(response)
      sendText(response, `Answer to ${messages.at(-1)?.content.slice(-3)}`)
      endStream(response)
    },
  )
  await say(page, 'one')
  await transcript.getByText('Answer to one').waitFor()
  await transcript
    .getByText('The model takes no system prompt: it was sent before the first message.')
    .waitFor()
  await send.waitFor()
  expect(asked).toHaveLength(2)
  await say(page, 'two')
  await transcript.getByText('Answer to two').waitFor()
  expect(asked).toHaveLength(3)
  expect(last(home)).toMatchObject({ metadata: { adapted: ['system-as-user'] } })
  expect(problems).toEqual([])
})
