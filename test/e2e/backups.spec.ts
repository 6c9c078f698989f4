import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { treeOf } from '../support/file-tree'
import { createPerson, launchSkein } from './support/app'
import { partsOf } from './support/scenes'

const fixture = path.resolve(import.meta.dirname, '../fixtures/readers/claude-code/input')
const title = 'Water for the beds'

it('a session that Claude Code deletes is there once its backup is on: open, marked, found, and its backup is deleted only where a person allows it', async () => {
  const person = createPerson()
  fs.mkdirSync(path.join(person.folder, '.chibi/contexts'), { recursive: true })
  const claude = path.join(person.folder, '.claude')
  fs.cpSync(fixture, claude, { recursive: true })
  const before = treeOf(claude)
  const { page, dialogs, problems } = await launchSkein({ person })
  const { transcript, conversation } = partsOf(page)
  await conversation(title).click()
  await transcript.getByText('At seven, then.').waitFor()

  // Offered, and nothing is copied before.
  const openSources = async () => {
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('button', { name: 'Sources', exact: true }).click()
  }
  await openSources()
  const backup = page.getByRole('group', { name: /^Backup of Claude Code / })
  await backup
    .getByText('Claude Code deletes conversations after 30 days. A backup keeps them.')
    .waitFor()
  const turn = backup.getByRole('switch')
  await turn.press('Space')
  await backup.getByText(/^3 files, /).waitFor()
  expect(treeOf(claude)).toEqual(before)

  fs.rmSync(path.join(claude, 'projects'), { recursive: true })
  await page.keyboard.press('Escape')
  const row = conversation(`${title}`)
  await expect
    .poll(() => row.getAttribute('title'))
    .toContain('gone from Claude Code, in the backup')
  await transcript.getByText('At seven, then.').waitFor()
  await page
    .getByText('Claude Code no longer has this conversation. This is the backup.')
    .first()
    .waitFor({ state: 'attached' })

  // Found, and marked among the hits.
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search conversations' }).fill('At seven')
  const hit = page.getByRole('listbox', { name: 'Hits' }).getByRole('option').first()
  await hit.getByText('gone from Claude Code, in the backup').waitFor({ state: 'attached' })
  await page.locator('.hit-backup', { hasText: 'backup' }).first().waitFor()
  await page.keyboard.press('Escape')

  // Deletion asks; what it refuses stays.
  await openSources()
  const remove = backup.getByRole('button', { name: /^Delete backup/ })
  await remove.click()
  await page.getByText('The backup was not deleted.').waitFor()
  await page.keyboard.press('Escape')
  await row.waitFor()
  await openSources()
  await dialogs.press('Delete Backup')
  await remove.click()
  await remove.waitFor({ state: 'detached' })
  const asked = await dialogs.asked()
  expect(asked.map(({ message }) => message)).toEqual([
    'Delete the backup of Claude Code?',
    'Delete the backup of Claude Code?',
  ])
  expect(asked[0]?.detail).toContain(claude)
  expect(problems).toEqual([])
})
