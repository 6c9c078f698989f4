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

it('a command has the key that a person gave it, in the menu too and after a restart; what settings.json has wrongly is told', async () => {
  const person = createPerson()
  const folder = path.join(person.folder, '.chibi', 'contexts', 'pear-orchard', 'transcript')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'active.jsonl'), smallTalk('pear-orchard', 6))
  const first = await launchSkein({ person })
  const accelerators = ({ app }: Pick<typeof first, 'app'>) =>
    app.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? [])
        .flatMap((menu) => menu.submenu?.items ?? [])
        .filter(({ label }) => ['Statistics', 'Command palette'].includes(label))
        .map(({ label, accelerator }) => `${label}: ${accelerator ?? 'none'}`),
    )
  await first.page.getByRole('feed').waitFor()
  expect(await accelerators(first)).toEqual([
    'Command palette: CmdOrCtrl+P',
    'Statistics: CmdOrCtrl+Shift+S',
  ])
  await first.page.keyboard.press('Control+,')
  await first.page.getByRole('button', { name: 'Keyboard' }).click()
  await first.page.getByRole('button', { name: 'Change the keys of Statistics' }).click()
  const field = first.page.getByRole('textbox', { name: 'New keys of Statistics' })
  await field.and(first.page.locator(':focus')).waitFor()
  // The menu's own key reaches the field alone.
  await first.page.keyboard.press('Control+p')
  await first.page.getByText('Ctrl+P is of “Command palette”.').waitFor()
  await first.page.keyboard.press('F9')
  await first.page.getByText('“Statistics” has F9 now.').waitFor()
  await expect
    .poll(() => accelerators(first))
    .toEqual(['Command palette: CmdOrCtrl+P', 'Statistics: F9'])
  const profile = await first.app.evaluate(({ app }) => app.getPath('sessionData'))
  await first.close()

  const file = path.join(path.dirname(profile), 'settings.json')
  const settings = JSON.parse(fs.readFileSync(file, 'utf8'))
  expect(settings.preferences.keys).toEqual({ statistics: ['F9'] })
  settings.preferences.keys = { statistics: 'f9', palette: 'Ctrl+C', find: 'Hyper+F', magic: 'F5' }
  fs.writeFileSync(file, JSON.stringify(settings))

  const second = await launchSkein({ person })
  await second.page.getByRole('feed').waitFor()
  await second.page.keyboard.press('F9')
  await second.page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  expect(await accelerators(second)).toEqual(['Command palette: none', 'Statistics: F9'])
  await second.page.keyboard.press('Control+,')
  await second.page.getByRole('button', { name: /Keyboard/ }).click()
  const told = second.page.getByRole('list', { name: 'Invalid settings' }).getByRole('listitem')
  await expect
    .poll(() => told.allTextContents())
    .toEqual([
      'settings.jsonkeys.find has "Hyper+F", which is no key such as "Ctrl+Shift+K".',
      'settings.jsonkeys.magic is of no command of this Skein; it stays in the file.',
      'settings.json“Command palette” does not have Ctrl+C: Ctrl+C copies.',
    ])
  // Each key that a command can have is one that a menu can have.
  const keys = [...'ABCXYZ0123456789!"#$%&\'()*,-./:;<=>?@[\\]^_`{|}~', 'Plus', 'Left', 'F24']
  const refused = () =>
    second.app.evaluate(
      ({ Menu }, all) =>
        all.filter((key) => {
          try {
            Menu.buildFromTemplate([{ label: 'x', accelerator: `CmdOrCtrl+Alt+${key}` }])
            return false
          } catch {
            return true
          }
        }),
      keys,
    )
  await expect.poll(refused).toEqual([])
})
