import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsInThemes } from '../renderer/browser/accessible'
import { hasFocus } from '../renderer/browser/page'
import { launchSkein } from './support/app'
import { branchingHome } from './support/branching-home'
import { partsOf } from './support/scenes'

const view = (page: Page) => page.getByRole('main', { name: 'Map of branches' })
const tree = (page: Page) => view(page).getByRole('tree', { name: 'Branches' })
const cardText = (page: Page) => page.locator('.map-card').textContent()

/** What the tree says of the row under its cursor. */
const cursor = (page: Page) =>
  tree(page).evaluate(
    (element) =>
      document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.ariaLabel,
  )

/** Launches a home with a family of seven branches, and opens one of its conversations. */
async function launchFamily() {
  const home = branchingHome()
  const launched = await launchSkein({ home })
  const { page } = launched
  await partsOf(page).conversation('import-gap').click()
  await partsOf(page).transcript.waitFor()
  await page.getByRole('tree', { name: 'Branches' }).waitFor()
  return { ...launched, home }
}

/** Waits until the map is drawn with all of the family. */
async function mapIsDrawn(page: Page): Promise<void> {
  await page.locator('.map-canvas[data-drawn]').waitFor()
  await view(page).getByText('7 branches, 201 entries').waitFor()
  await hasFocus(tree(page))
}

it('by mouse: opens from the details, shows what a node took, and opens the node that is under the pointer', async () => {
  const { page, problems } = await launchFamily()
  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await mapIsDrawn(page)
  await tree(page)
    .getByRole('treeitem', { name: /^With a check constraint/ })
    .click()
  await expect.poll(() => cardText(page)).toContain('Failed1 tool call')
  const card = await page.locator('.map-card.selected').boundingBox()
  if (card === null) throw new Error('no card')
  // The card stands below the end of its node.
  const [x, y] = [card.x + 28, card.y - 28]
  await tree(page)
    .getByRole('treeitem', { name: /^Leave it to the database/ })
    .click()
  await expect.poll(() => cardText(page)).toContain('Leave it to the database')
  await page.mouse.move(x, y)
  await expect.poll(() => cardText(page)).toContain('With a check constraint')
  await page.mouse.dblclick(x, y)
  await view(page).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'constraint', exact: true }).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('With a check constraint')
  expect(problems).toEqual([])
})

it('by keyboard alone: opens, finds by letters, compares, zooms, follows another program, and opens', async () => {
  const { page, problems, home } = await launchFamily()
  await page.keyboard.press('Control+Shift+M')
  await mapIsDrawn(page)
  await page.keyboard.type('try it')
  await expect.poll(() => cursor(page)).toMatch(/^Try it with pandas/)
  await page.keyboard.press('Space')
  await expect.poll(() => cursor(page)).toContain('compared as B')
  await page.keyboard.press(']')
  await expect.poll(() => cursor(page)).toMatch(/^With a time index/)
  const drawn = () => page.locator('.map-canvas').getAttribute('data-drawn')
  const before = await drawn()
  await page.keyboard.press('Alt++')
  await expect.poll(drawn).not.toBe(before)
  expect(await faultsInThemes(page)).toEqual([])

  const file = path.join(home, 'contexts', 'import-gap', 'transcript', 'active.jsonl')
  const [last = ''] = fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-1)
  const more = { ...JSON.parse(last), id: '00000000-0000-4000-8000-999999999999', content: 'More' }
  fs.appendFileSync(file, `${JSON.stringify(more)}\n`)
  await view(page).getByText('7 branches, 202 entries').waitFor()
  await expect.poll(() => cursor(page)).toMatch(/^With a time index/)

  await page.keyboard.press('Enter')
  await view(page).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'pandas-index', exact: true }).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('With a time index')
  expect(problems).toEqual([])
})
