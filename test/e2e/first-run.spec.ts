import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hasFocus } from '../renderer/browser/page'
import { createPerson, launchSkein, type Person } from './support/app'
import { dropFile } from './support/drop-file'
import { partsOf } from './support/scenes'

const fixtures = path.resolve(import.meta.dirname, '../fixtures/readers')

/** Gives a person the history of a system where that keeps it by itself. */
function keeps({ folder }: Person, source: string, place: string): void {
  const root = path.join(folder, place)
  fs.cpSync(path.join(fixtures, source, 'input'), root, { recursive: true })
  for (const name of fs.readdirSync(root, { recursive: true, encoding: 'utf8' }))
    fs.utimesSync(path.join(root, name), 1_789_000_000, 1_789_000_000)
}

it('names each system that was found, in numbers; one is turned off, and is not read when the library opens', async () => {
  const person = createPerson()
  keeps(person, 'claude-code', '.claude')
  keeps(person, 'cycod', '.cycod')
  const { page, problems } = await launchSkein({ person })
  const found = page.getByRole('region', { name: 'Found on this machine' })
  await found
    .getByRole('group', { name: 'Claude Code ~/.claude' })
    .getByText(/^2 conversations, .*, the newest of Sep 10, 2026\.$/)
    .waitFor()
  const cycod = found.getByRole('group', { name: 'cycod ~/.cycod' })
  await cycod.getByText(/^3 conversations, /).waitFor()
  await found
    .getByText(/^5 conversations, .*, in 2 places\.$/)
    .first()
    .waitFor()
  await expect.poll(() => found.getByRole('switch', { name: /^Read / }).count()).toBe(2)

  await cycod.getByRole('switch').press('Space')
  await cycod.getByText(/^Off: 3 conversations, /).waitFor()
  await found
    .getByText(/^2 conversations, .*, in 1 place\.$/)
    .first()
    .waitFor()
  // Nothing was read, so nothing is remembered either.
  expect(fs.existsSync(path.join(person.folder, '.cache/skein/library'))).toBe(false)

  await page.getByRole('button', { name: 'Open the library' }).click()
  const { conversation, library } = partsOf(page)
  await conversation('Water for the beds').waitFor()
  await expect.poll(() => library.getByRole('option').count()).toBe(2)
  expect(problems).toEqual([])
})

it('offers a backup of what a system deletes, off, and copies once the library opens', async () => {
  const person = createPerson()
  keeps(person, 'claude-code', '.claude')
  const { page, problems } = await launchSkein({ person })
  const found = page.getByRole('region', { name: 'Found on this machine' })
  await found.getByText('Claude Code deletes conversations after 30 days.').waitFor()
  const offer = found.getByRole('switch', { name: 'Back up Claude Code ~/.claude' })
  await expect.poll(() => offer.isChecked()).toBe(false)
  await offer.press('Space')
  await found.getByText('They are copied when the library opens.').waitFor()
  await hasFocus(offer)

  await page.getByRole('button', { name: 'Open the library' }).click()
  await partsOf(page).conversation('Water for the beds').waitFor()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Sources', exact: true }).click()
  await page
    .getByRole('group', { name: /^Backup of Claude Code / })
    .getByText(/^3 files, /)
    .waitFor()
  expect(problems).toEqual([])
})

it('says where it looked when nothing was found, and imports an export that is dropped there', async () => {
  const { page, dialogs, problems } = await launchSkein()
  const found = page.getByRole('region', { name: 'Found on this machine' })
  await found.getByText('No histories of other programs.').waitFor()
  await found.getByText('Where Skein looked', { exact: true }).waitFor()
  await found.getByRole('listitem').filter({ hasText: 'Claude Code' }).getByText('~/').waitFor()
  await found.getByRole('button', { name: 'Add a folder…' }).waitFor()
  await found.getByRole('button', { name: 'Import an export…' }).waitFor()

  await dialogs.press('Import')
  await dropFile(page, path.join(fixtures, 'chatgpt/input/later.zip'))
  await page.getByText('later.zip was imported.').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await found
    .getByRole('group', { name: /^Imported exports/ })
    .getByText(/^1 export, /)
    .waitFor()
  await page.getByRole('button', { name: 'Open the library' }).click()
  await partsOf(page).conversation('Beans').waitFor()
  expect(problems).toEqual([])
})
