import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsInThemes } from '../renderer/browser/accessible'
import { hasFocus } from '../renderer/browser/page'
import { tempFolders } from '../support/temp-folder'
import { activeEntries, launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'
import { twoWays } from './support/two-ways'

const folder = tempFolders()
const view = (page: Page) => page.getByRole('main', { name: 'Comparison' })
const rows = (page: Page) => view(page).getByRole('article')

async function opened() {
  const home = homeWith({ contexts: { ...twoWays() } })
  const skein = await launchSkein({ home })
  const { conversation, transcript } = partsOf(skein.page)
  await conversation('importer').first().waitFor()
  await skein.page.getByRole('option', { name: /^importer(?!-)/ }).click()
  await transcript.getByText('Thank you.').waitFor()
  return { ...skein, home }
}

it('compares two branches by mouse: from the tree, side by side and unified, to a file, and goes on from one', async () => {
  const { page, app, home, problems } = await opened()
  const row = page.getByRole('tree', { name: 'Branches' }).getByRole('treeitem', { name: /column/ })
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Compare with open conversation/ }).click()
  const side = (name: string) => view(page).getByRole('region', { name })
  await side('Side A').getByText('importer', { exact: true }).waitFor()
  await expect.poll(() => side('Side B').textContent()).toContain('importer-2')
  await expect.poll(() => view(page).textContent()).toContain('From their fork after')

  const asked = rows(page).filter({ hasText: 'Find out why' })
  await expect
    .poll(() => asked.locator('del').allTextContents())
    .toEqual([', without touching rows that are already stored'])
  await expect
    .poll(() => asked.locator('ins').allTextContents())
    .toEqual(['; you may add a column'])
  // A tool's change of a file is a diff of it.
  await rows(page).getByText('stamp = parse_utc(row["time"], row["offset"])').waitFor()

  await view(page).getByText('Unified').click()
  await expect.poll(() => asked.locator('del, ins').count()).toBe(2)
  await view(page).getByText('Only what differs').click()
  await view(page)
    .getByRole('button', { name: /equal entr/ })
    .first()
    .waitFor()

  await view(page).getByRole('button', { name: 'Numbers' }).click()
  const numbers = view(page).getByRole('region', { name: 'Numbers' })
  await expect
    .poll(() => numbers.getByRole('row', { name: /^Failed tool calls/ }).textContent())
    .toBe('Failed tool calls01')

  const target = path.join(folder(), 'compared.html')
  await app.evaluate(({ dialog }, file) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: file })
  }, target)
  await view(page).getByRole('button', { name: 'Export comparison' }).click()
  await page.getByRole('menuitem', { name: 'As HTML…' }).click()
  await view(page).getByText('Exported.').waitFor()
  expect(fs.readFileSync(target, 'utf8')).toContain('<ins>column</ins>')

  const before = activeEntries(home, 'importer-2')
  await side('Side B').getByRole('button', { name: 'Continue' }).click()
  await view(page).waitFor({ state: 'detached' })
  await hasFocus(partsOf(page).message)
  await expect.poll(() => page.title()).toContain('importer-2')
  expect(activeEntries(home, 'importer-2')).toEqual(before)
  expect(problems).toEqual([])
})

it('compares by keyboard alone, steps through the differences, and grows with a side', async () => {
  const { page, home, problems } = await opened()
  await page.keyboard.press('Control+Shift+D')
  const field = view(page).getByRole('combobox', { name: 'Compare with' })
  await hasFocus(field)
  await field.press('Enter')
  await hasFocus(view(page).getByRole('feed'))
  await page.keyboard.press('n')
  await hasFocus(rows(page).first())
  const status = view(page).getByRole('status').last()
  await expect.poll(() => status.textContent()).toMatch(/^Difference 1 of \d+$/)
  await page.keyboard.press('F7')
  await expect.poll(() => status.textContent()).toMatch(/^Difference 2 of \d+$/)
  await page.keyboard.press('Shift+F7')
  await expect.poll(() => status.textContent()).toMatch(/^Difference 1 of \d+$/)
  expect(await faultsInThemes(page)).toEqual([])

  const late = { content: 'And tell me when it is done.', entry_type: 'message', role: 'user' }
  const entry = {
    id: 'late',
    timestamp: Date.now() / 1000,
    from: 'user',
    to: 'importer-2',
    ...late,
  }
  fs.appendFileSync(
    path.join(home, 'contexts/importer-2/transcript/active.jsonl'),
    `${JSON.stringify(entry)}\n`,
  )
  const side = view(page).getByRole('region', { name: 'Side B' })
  await expect.poll(() => side.textContent()).toContain('9 entries')
  await view(page).getByRole('feed').press('End')
  await rows(page).filter({ hasText: 'And tell me when it is done.' }).waitFor()

  await page.keyboard.press('Escape')
  await view(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).toContain('importer')
  expect(problems).toEqual([])
})
