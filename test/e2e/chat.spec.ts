import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

/** Has main note, for each event that names entries, whether their ids stand in the file at that moment. */
async function watchDurability(app: Awaited<ReturnType<typeof launchSkein>>['app'], file: string) {
  await app.evaluate(({ BrowserWindow }, path) => {
    const fs = process.mainModule?.require('node:fs')
    const told: { event: string; durable: boolean }[] = []
    Object.assign(globalThis, { told })
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents)
      webContents.send = (channel: string, payload) => {
        const onDisk = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : ''
        if (channel === 'transcript.appended')
          for (const row of payload.rows)
            told.push({ event: row.entry.content, durable: onDisk.includes(row.entry.id) })
        if (channel === 'completion.state')
          told.push({ event: payload.phase, durable: onDisk.includes('The whole answer') })
        send(channel, payload)
      }
    }
  }, file)
  return () => app.evaluate(() => (globalThis as unknown as { told: unknown[] }).told)
}

it('has the message on the disk before the answer begins, and the answer before it is shown as done', async () => {
  let atRequest: readonly unknown[] = []
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const baseUrl = await endpoint(async (response, { messages }) => {
    atRequest = activeEntries(home, 'garden').map(({ content }) => content)
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'How deep do tulips go?' })
    beginStream(response)
    sendText(response, 'The whole ')
    await released
    sendText(response, 'answer')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const { app, page, problems } = await launchSkein({ home })
  const { conversation, transcript, send } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  const told = await watchDurability(app, `${home}/contexts/garden/transcript/active.jsonl`)

  await say(page, 'How deep do tulips go?')
  await transcript.getByText('The whole').waitFor()
  expect(atRequest).toEqual(['Question number 0', 'Answer number 1', 'How deep do tulips go?'])
  release()
  await transcript.getByText('The whole answer').waitFor()
  await send.waitFor()

  expect(activeEntries(home, 'garden').at(-1)).toMatchObject({
    content: 'The whole answer',
    from: 'garden',
    to: 'user',
    role: 'agent',
  })
  await expect
    .poll(() => told())
    .toEqual([
      { event: 'How deep do tulips go?', durable: true },
      { event: 'sending', durable: false },
      { event: 'sending', durable: false },
      { event: 'streaming', durable: false },
      { event: 'The whole answer', durable: true },
      { event: 'complete', durable: true },
    ])
  expect(problems).toEqual([])
})

it('keeps the part that came when Stop is pressed', async () => {
  const baseUrl = await endpoint((response) => {
    beginStream(response)
    sendText(response, 'Only this much')
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, stop, send } = partsOf(page)
  await conversation('garden').click()
  await say(page, 'Go on')
  await transcript.getByText('Only this much').waitFor()
  await stop.click()
  await transcript.getByText('The partial answer is kept.').waitFor()
  await send.waitFor()

  expect(activeEntries(home, 'garden').at(-1)).toMatchObject({
    content: 'Only this much',
    metadata: { interrupted: 'stopped' },
  })
  expect(problems).toEqual([])
})

it('has the focus in the composer of an empty home at once, and takes what is typed before it is there', async () => {
  const baseUrl = await endpoint((response) => {
    beginStream(response)
    sendText(response, 'Welcome')
    endStream(response)
  })
  const home = homeWith({ baseUrl })
  const { page, problems } = await launchSkein({ home })
  // The window is shown no sooner.
  await page.waitForLoadState('domcontentloaded')
  await page.keyboard.type('When do I plant tulips?')
  const { conversation, transcript } = partsOf(page)
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect.poll(() => message.inputValue()).toBe('When do I plant tulips?')
  await expect.poll(() => message.evaluate((field) => document.activeElement === field)).toBe(true)
  await page.keyboard.press('Enter')
  await transcript.getByText('Welcome').waitFor()
  await conversation('When do I plant tulips?').waitFor()
  const [folder = ''] = fs.readdirSync(path.join(home, 'contexts'))
  expect(folder).toMatch(/^chat-\d{4}-\d\d-\d\d$/)

  // The answer is shown while it comes, and is durable when it has come.
  await expect
    .poll(() => activeEntries(home, folder).map(({ entry_type }) => entry_type))
    .toEqual(['context_created', 'message', 'message'])
  expect(problems).toEqual([])
})

it('answers with the practice model when there is no other, and says that it is no AI', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, send } = partsOf(page)
  await conversation('garden').click()
  await page
    .getByRole('button', { name: /practice model/i })
    .first()
    .click()
  await send.waitFor()
  await say(page, 'Hello /fast')
  await transcript.getByText('Practice model, no AI.').waitFor()
  await send.waitFor()

  expect(activeEntries(home, 'garden').at(-1)).toMatchObject({ metadata: { model: 'practice' } })
  expect(problems).toEqual([])
})
