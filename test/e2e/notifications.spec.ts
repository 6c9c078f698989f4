import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { beginStream, callTool, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

const folder = tempFolders()

/** What main has given the system to show; in main alone, where there may be no system that shows it. */
interface Shown {
  readonly title: string
  readonly body: string
}

it('notifies that a tool waits while another program is in front; a press on it opens the conversation; off in Settings', async () => {
  const place = folder()
  const baseUrl = await endpoint((response, { messages }) => {
    beginStream(response)
    if (messages.at(-1)?.role === 'tool') {
      sendText(response, 'Then not.')
      endStream(response)
    } else callTool(response, 'write_file', { path: path.join(place, 'plan.md'), content: 'x' })
  })
  const home = homeWith({
    baseUrl,
    contexts: { garden: smallTalk('garden'), pears: smallTalk('pears') },
  })
  fs.appendFileSync(
    path.join(home, 'config.toml'),
    `file_tools_allowed_paths = [${JSON.stringify(place)}]\n`,
  )
  const { page, app, problems } = await launchSkein({ home })
  const { conversation } = partsOf(page)
  await app.evaluate(({ BrowserWindow, Notification }) => {
    const all: Shown[] = []
    Object.assign(globalThis, { notices: all })
    Object.assign(Notification, { isSupported: () => true })
    Notification.prototype.show = function show() {
      all.push({ title: this.title, body: this.body })
      Object.assign(globalThis, { press: () => this.emit('click') })
    }
    // Another program is in front.
    BrowserWindow.getFocusedWindow = () => null
  })
  const shown = () => app.evaluate(() => (globalThis as unknown as { notices: Shown[] }).notices)
  const card = page.getByRole('region', { name: 'Approval' })
  const notice = { title: 'garden', body: 'A tool waits for your approval.' }

  await conversation('garden').click()
  await say(page, 'Write the plan.')
  await card.waitFor()
  await conversation('pears').click()
  await expect.poll(() => page.title()).toContain('pears')
  await expect.poll(shown).toEqual([notice])
  await app.evaluate(() => (globalThis as unknown as { press: () => void }).press())
  await expect.poll(() => page.title()).toContain('garden')
  await card.getByRole('button', { name: 'Deny' }).click()
  await partsOf(page).transcript.getByText('Then not.').waitFor()

  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'Appearance' }).click()
  const toggle = page.getByRole('switch', { name: 'Notifications' })
  await toggle.click()
  await expect.poll(() => toggle.isChecked()).toBe(false)
  await page.keyboard.press('Escape')
  await say(page, 'Write it again.')
  await card.waitFor()
  await card.getByRole('button', { name: 'Deny' }).click()
  await expect.poll(() => partsOf(page).transcript.getByText('Then not.').count()).toBe(2)
  expect(await shown()).toEqual([notice])
  expect(problems).toEqual([])
})
