import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createPerson, launchSkein } from './support/app'
import { smallTalk } from './support/scenes'

it('everything is at hand by its name: a conversation, a view, a setting that lasts', async () => {
  const person = createPerson()
  const contexts = path.join(person.folder, '.chibi', 'contexts')
  for (const name of ['pear-orchard', 'plum-orchard']) {
    const folder = path.join(contexts, name, 'transcript')
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'active.jsonl'), smallTalk(name, 6))
  }
  const unfinished = path.join(contexts, 'fig-orchard', 'transcript')
  fs.mkdirSync(unfinished, { recursive: true })
  fs.writeFileSync(path.join(unfinished, 'active.jsonl'), smallTalk('fig-orchard', 5))
  const { page } = await launchSkein({ person })
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const choose = async (words: string, name: string) => {
    await page.keyboard.press('Control+p')
    await palette.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(words)
    await palette.getByRole('option', { name, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'detached' })
  }
  await page.getByRole('feed').waitFor()
  for (const name of ['pear-orchard', 'plum-orchard']) {
    await choose(name.slice(0, 6), name)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  // One whose last message nobody answered.
  await choose('unfin', 'List: Unfinished')
  const rows = page.locator('.library-row .library-title')
  await expect.poll(() => rows.allTextContents()).toEqual(['fig-orchard'])
  await page.getByRole('button', { name: 'Remove the filter List: Unfinished' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  // Two of them, by keyboard alone, and one Undo for both.
  await page.getByRole('listbox', { name: 'Conversations' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('toolbar', { name: 'Chosen conversations' })
  await bar.getByText('2 chosen').waitFor()
  await bar.getByRole('button', { name: 'Pin', exact: true }).press('Enter')
  const heads = page.locator('.library-head')
  await expect.poll(() => heads.first().textContent()).toBe('Pinned2')
  await page.keyboard.press('F8')
  await page
    .getByRole('button', { name: 'Undo', exact: true })
    .and(page.locator(':focus'))
    .press('Enter')
  await expect.poll(() => heads.first().textContent()).not.toBe('Pinned2')
  await choose('statis', 'Statistics')
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  await choose('theme dark', 'Theme: dark')
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
  await expect.poll(theme).toBe('dark')
})
