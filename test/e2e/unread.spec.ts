import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { createPerson, launchSkein } from './support/app'
import { goToHits, homeWith, partsOf, smallTalk } from './support/scenes'

const folder = tempFolders()

/** Lines of a conversation of cycod, whose files end without a line feed. */
const lines = (...texts: readonly string[]) =>
  texts
    .map((content, at) => JSON.stringify({ role: at % 2 === 0 ? 'user' : 'assistant', content }))
    .join('\n')

it('marks what comes while nobody looks, in the transcript and in the library, also over a restart', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden', 200) } })
  const root = folder()
  const kitchen = path.join(root, 'history', 'chat-history-1773140000001.jsonl')
  fs.mkdirSync(path.dirname(kitchen), { recursive: true })
  fs.writeFileSync(kitchen, lines('kitchen', 'soup'))
  const args = ['--root', `cycod=${root}`]
  const garden = path.join(home, 'contexts', 'garden', 'transcript', 'active.jsonl')
  let written = 0
  const intoGarden = (content: string) => {
    const id = `10000000-0000-4000-8000-${String(++written).padStart(12, '0')}`
    const timestamp = Math.floor(Date.now() / 1000)
    const fields = { id, timestamp, from: 'garden', to: 'user', content, entry_type: 'message' }
    fs.appendFileSync(garden, `${JSON.stringify(fields)}\n`)
  }
  // The start of the year 2200, in seconds.
  let writtenAt = 7_258_118_400
  const intoKitchen = (...texts: readonly string[]) => {
    fs.appendFileSync(kitchen, `\n${lines(...texts)}`)
    // Its time is that of the file, in whole seconds: each is later than all that was written or seen before it.
    writtenAt += 60
    fs.utimesSync(kitchen, writtenAt, writtenAt)
  }
  const person = createPerson()
  const { page, problems, close } = await launchSkein({ home, person, args })
  const { conversation, transcript } = partsOf(page)
  const border = transcript.getByRole('separator', { name: /^New since/ })
  const button = page.getByRole('button', { name: /^New since/ })
  const news = (name: string) => conversation(name).getByText('new entries')
  await conversation('kitchen').click()
  await transcript.getByText('soup', { exact: true }).waitFor()
  await conversation('garden').click()
  await transcript.getByText('Answer number 199', { exact: true }).waitFor()

  // Seen as they come: nothing is marked.
  intoGarden('Seen at once')
  await transcript.getByText('Seen at once').waitFor()
  await expect.poll(() => border.count()).toBe(0)
  await expect.poll(() => news('garden').count()).toBe(0)

  // Of another conversation: its row says so, and it opens with the border before what is new.
  intoKitchen('While you were in the garden', 'And more')
  await news('kitchen').waitFor({ state: 'attached' })
  await conversation('kitchen').click()
  await border.waitFor()
  await expect
    .poll(() => transcript.locator('[data-item], .news').allTextContents())
    .toEqual([
      expect.stringContaining('kitchen'),
      expect.stringContaining('soup'),
      expect.stringMatching(/^New since/),
      expect.stringContaining('While you were'),
      expect.stringContaining('And more'),
    ])
  await expect.poll(() => news('kitchen').count()).toBe(0)
  await expect.poll(() => button.count()).toBe(0)

  // Read further up, where the end is not loaded any more: the button takes there, by mouse and by key, and goes.
  await conversation('garden').click()
  await transcript.getByText('Seen at once').waitFor()
  await expect.poll(() => border.count()).toBe(0)
  await transcript.press('Home')
  await transcript.getByText('Question number 0', { exact: true }).waitFor()
  intoGarden('Below the fold')
  await button.waitFor()
  await transcript.press('n')
  await border.waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('Below the fold')
  await expect.poll(() => button.count()).toBe(0)

  // Opened at a hit, in a conversation that is all in view and so never scrolls: its end is seen.
  intoKitchen('A marrow')
  await news('kitchen').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search conversations' }).fill('soup')
  await page.getByRole('listbox', { name: 'Hits' }).getByRole('option').first().waitFor()
  await goToHits(page)
  await page.keyboard.press('Enter')
  await transcript.getByText('A marrow').waitFor()
  await border.waitFor()
  await expect.poll(() => news('kitchen').count()).toBe(0)
  await conversation('garden').click()
  await transcript.getByText('Below the fold').waitFor()

  // Behind another window.
  await conversation('kitchen').click()
  await transcript.getByText('And more').waitFor()
  await page.evaluate(() => {
    document.hasFocus = () => false
    window.dispatchEvent(new Event('blur'))
  })
  intoKitchen('Behind')
  await transcript.getByText('Behind').waitFor()
  await border.waitFor()
  await news('kitchen').waitFor({ state: 'attached' })
  await page.evaluate(() => {
    document.hasFocus = () => true
    window.dispatchEvent(new Event('focus'))
  })
  await expect.poll(() => news('kitchen').count()).toBe(0)
  // Seen, it goes with the next that comes.
  intoKitchen('In front again')
  await transcript.getByText('In front again').waitFor()
  await expect.poll(() => border.count()).toBe(0)
  expect(problems).toEqual([])

  // What was seen is known at the next start.
  await conversation('garden').click()
  await transcript.getByText('Below the fold').waitFor()
  await expect
    .poll(() => page.evaluate(() => Object.values({ ...localStorage }).join(' ')))
    .toContain(String(written).padStart(12, '0'))
  await close()
  intoGarden('While Skein was closed')
  intoKitchen('While Skein was closed, too')
  const again = await launchSkein({ home, person, args })
  const parts = partsOf(again.page)
  await parts.transcript.getByRole('separator', { name: /^New since/ }).waitFor()
  await parts.conversation('kitchen').getByText('new entries').waitFor({ state: 'attached' })
  expect(again.problems).toEqual([])
})
