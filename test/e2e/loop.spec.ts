import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, callTool, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

async function openSettings(page: Page, section: string): Promise<void> {
  await page.keyboard.press('Control+,')
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText(section).click()
}

it('shows todos and goals beside the transcript as the model writes them', async () => {
  const baseUrl = await endpoint((response, { messages }) => {
    beginStream(response)
    const done = messages.filter(({ role }) => role === 'tool').length
    if (done === 0)
      return callTool(response, 'update_todos', { content: '- [x] dig\n- [ ] sow the beans' })
    if (done === 1) return callTool(response, 'update_goals', { content: 'Peas by July' })
    sendText(response, 'Both are written.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').click()
  const tasks = page.getByRole('region', { name: 'Tasks' })
  const goals = page.getByRole('region', { name: 'Goals' })
  await tasks.getByText('None yet').waitFor()

  await say(page, 'Plan the garden.')
  await tasks.getByText('sow the beans').waitFor()
  await tasks.getByText('1 of 2').waitFor()
  await goals.getByText('Peas by July').waitFor()
  await partsOf(page).transcript.getByText('Both are written.').waitFor()

  // Somebody else writes them too: another program, or chibi.
  const file = path.join(home, 'contexts/garden/todos.md')
  fs.writeFileSync(file, '- [x] dig\n- [x] sow the beans\n')
  await tasks.getByText('2 of 2').waitFor()
  expect(problems).toEqual([])
})

it('brings a message from one context into the next request of another, and shows it on both sides', async () => {
  const requests: (readonly { role: string; content: string }[])[] = []
  const baseUrl = await endpoint((response, { messages }) => {
    requests.push(messages)
    beginStream(response)
    const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    if (asked.includes('Tell the shed') && messages.at(-1)?.role === 'user')
      return callTool(response, 'send_message', { to: 'shed', content: 'The rake is broken.' })
    sendText(response, asked.includes('The rake is broken.') ? 'I heard of the rake.' : 'Sent.')
    endStream(response)
  })
  const home = homeWith({
    baseUrl,
    contexts: { garden: smallTalk('garden'), shed: smallTalk('shed') },
  })
  const { page, problems } = await launchSkein({ home })
  const { transcript, conversation } = partsOf(page)
  await conversation('garden').click()
  await say(page, 'Tell the shed.')
  await page
    .getByRole('region', { name: 'Approval' })
    .getByRole('button', { name: 'Allow once' })
    .click()
  await transcript.getByText('Sent.').waitFor()

  await conversation('shed').click()
  await transcript.getByText('Answer number 1').waitFor()
  await say(page, 'What is new?')
  await transcript.getByText('I heard of the rake.').waitFor()
  const delivered = transcript.getByRole('button', { name: /From the inbox.*garden/ })
  await delivered.click()
  await transcript.getByText('[From: garden] The rake is broken.').waitFor()

  const said = activeEntries(home, 'shed').find(({ content }) =>
    String(content).includes('What is new?'),
  )
  expect(said?.content).toBe(
    '--- INBOX MESSAGES ---\n[From: garden] The rake is broken.\n--- END INBOX ---\n\nWhat is new?',
  )
  const inbox = path.join(home, 'contexts/shed/inbox.jsonl')
  expect(fs.existsSync(inbox) ? fs.readFileSync(inbox, 'utf8') : '').toBe('')

  // It arrives once.
  await say(page, 'And now?')
  await expect
    .poll(() => requests.at(-1)?.findLast(({ role }) => role === 'user')?.content)
    .toBe('And now?')
  expect(problems).toEqual([])
})

it('says what a bad line in config.toml is, where it stands, and what holds instead', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  fs.writeFileSync(path.join(home, 'config.toml'), '# mine\nmodel = "practice"\n\nfuel = "a lot"\n')
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').waitFor()
  await openSettings(page, 'Model')
  const faults = page.getByRole('list', { name: 'Invalid settings' })
  await faults.getByText('config.toml:4').waitFor()
  await faults.getByText(/fuel must be a whole number/).waitFor()

  fs.writeFileSync(path.join(home, 'config.toml'), '# mine\nmodel = practice\n')
  await page.keyboard.press('Escape')
  await openSettings(page, 'Model')
  await faults.getByText('config.toml:2').waitFor()
  await faults.getByText(/config\.toml is ignored/).waitFor()
  expect(fs.readFileSync(path.join(home, 'config.toml'), 'utf8')).toBe('# mine\nmodel = practice\n')
  expect(problems).toEqual([])
})

it('takes requests down where a person wants it, and never a key', async () => {
  const baseUrl = await endpoint((response) => {
    beginStream(response)
    sendText(response, 'It is dug.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const log = path.join(home, 'contexts/garden/requests.jsonl')
  const { page, problems } = await launchSkein({ home })
  const { transcript, conversation } = partsOf(page)
  await conversation('garden').click()
  await say(page, 'Dig.')
  await transcript.getByText('It is dug.').waitFor()
  expect(fs.existsSync(log)).toBe(false)

  await openSettings(page, 'Storage')
  await page.getByRole('switch', { name: 'requests.jsonl' }).click()
  await page.getByRole('switch', { name: 'requests.jsonl', checked: true }).waitFor()
  await page.keyboard.press('Escape')
  await say(page, 'Dig on.')
  await transcript.getByText('It is dug.').nth(1).waitFor()
  const text = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '')
  await expect.poll(text).toMatch(/\n$/)
  expect(JSON.parse(text()).request.messages.at(-1)).toEqual({ role: 'user', content: 'Dig on.' })
  expect(text()).not.toContain('sk-test')
  expect(problems).toEqual([])
})

it('compacts a window by the menu: the model goes on from its summary, and every entry stays', async () => {
  const requests: (readonly { role: string; content: string }[])[] = []
  const baseUrl = await endpoint((response, { messages }) => {
    requests.push(messages)
    beginStream(response)
    const isFirst = requests.length === 1
    sendText(response, isFirst ? 'They spoke of beans.' : 'Of beans, as before.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden', 12) } })
  const { page, problems } = await launchSkein({ home })
  const { transcript, conversation } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 11').waitFor()
  await page.getByRole('listbox', { name: 'Conversations' }).press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Summarize earlier messages…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Summarize', exact: true }).click()
  await transcript.getByText(/^Summarized/).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await say(page, 'What did we speak of?')
  await transcript.getByText('Of beans, as before.').waitFor()
  const sent = JSON.stringify(requests.at(-1))
  expect(sent).toContain('They spoke of beans.')
  expect(sent).not.toContain('Question number 2')
  const kept = activeEntries(home, 'garden').map(({ content }) => content)
  for (let n = 0; n < 12; n++)
    expect(kept.filter((words) => String(words).endsWith(` number ${n}`))).toHaveLength(1)
  expect(problems).toEqual([])
})

it('runs a plugin for the model only once it was trusted', async () => {
  const baseUrl = await endpoint((response, asked) => {
    beginStream(response)
    const { messages, tools = [] } = asked as typeof asked & {
      tools?: readonly { function: { name: string } }[]
    }
    const last = messages.at(-1)
    if (last?.role === 'tool') sendText(response, `It says: ${last.content}`)
    else if (tools.some((tool) => tool.function.name === 'shout'))
      return callTool(response, 'shout', { text: 'beans' })
    else sendText(response, 'There is no such tool.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const plugin = path.join(home, 'plugins', 'shout')
  fs.mkdirSync(path.dirname(plugin))
  fs.writeFileSync(
    plugin,
    [
      '#!/bin/sh',
      'if [ "$1" = --schema ]; then',
      '  echo \'{"name":"shout","description":"Says it aloud","parameters":{"type":"object"}}\'',
      'else',
      '  cat > /dev/null; echo "BEANS!"',
      'fi',
      '',
    ].join('\n'),
    { mode: 0o755 },
  )
  const { page, problems, dialogs } = await launchSkein({ home })
  const { transcript, conversation } = partsOf(page)
  await conversation('garden').click()
  await say(page, 'Shout.')
  await transcript.getByText('There is no such tool.').waitFor()

  await openSettings(page, 'Plugins')
  await page.getByRole('button', { name: 'Review shout' }).click()
  await page.getByRole('button', { name: 'Trust this content' }).click()
  // The button alone trusts nothing: the system's dialog asks again, and says no by itself.
  await page.getByText('shout was not trusted.').waitFor()
  await dialogs.press('Trust')
  await page.getByRole('button', { name: 'Trust this content' }).click()
  await page.getByRole('list', { name: 'Tools of shout' }).waitFor()
  const questions = (await dialogs.asked()).map(({ message, buttons }) => [message, ...buttons])
  expect(questions).toEqual(Array(2).fill(['Trust the plugin “shout”?', 'Cancel', 'Trust']))
  await page.keyboard.press('Escape')

  await say(page, 'Shout again.')
  await transcript.getByText('It says: BEANS!').waitFor()
  expect(problems).toEqual([])
})
