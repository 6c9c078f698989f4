import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hasFocus } from '../renderer/browser/page'
import { launchSkein } from './support/app'
import { branchingHome } from './support/branching-home'
import { partsOf } from './support/scenes'

const view = (page: Page) => page.getByRole('main', { name: 'Map of branches' })
const tree = (page: Page) => view(page).getByRole('tree', { name: 'Branches' })
const cardText = (page: Page) => page.locator('.map-card').textContent()

/** Launches a home with a family of seven branches, and opens one of its conversations. */
async function launchFamily() {
  const launched = await launchSkein({ home: branchingHome() })
  const { page } = launched
  await partsOf(page).conversation('import-gap').click()
  await partsOf(page).transcript.waitFor()
  await page.getByRole('tree', { name: 'Branches' }).waitFor()
  return launched
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
  await tree(page)
    .getByRole('treeitem', { name: /^Leave it to the database/ })
    .click()
  await expect.poll(() => cardText(page)).toContain('Leave it to the database')
  const card = await page.locator('.map-card.selected').boundingBox()
  if (card === null) throw new Error('no card')
  // The card stands below the end of its node, where it has room.
  const [x, y] = [card.x + 28, card.y - 28]
  // A neighbour that is in view too, so that nothing moves.
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => cardText(page)).not.toContain('Leave it to the database')
  await page.mouse.move(x, y)
  await expect.poll(() => cardText(page)).toContain('Leave it to the database')
  await page.mouse.dblclick(x, y)
  await view(page).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'database', exact: true }).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('Leave it to the database')
  expect(problems).toEqual([])
})

it('by mouse: filters what failed, hides a branch, and shows all again', async () => {
  const { page, problems } = await launchFamily()
  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await mapIsDrawn(page)
  const bar = view(page).getByRole('group', { name: 'Filter' })
  const items = tree(page).getByRole('treeitem')
  const rows = await items.count()
  await bar.getByRole('button', { name: 'Failed tools' }).click()
  await expect
    .poll(() => bar.getByRole('status').textContent())
    .toMatch(/^[1-9]\d* of 201 entries shown$/)
  await expect.poll(() => items.count()).toBeLessThan(rows)
  await tree(page)
    .getByRole('treeitem', { name: /^With a check constraint/ })
    .click()
  await page.locator('.map-card.selected').getByRole('button', { name: 'Hide branch' }).click()
  await expect
    .poll(() =>
      tree(page)
        .getByRole('treeitem', { name: /^With a check constraint/ })
        .count(),
    )
    .toBe(0)
  await expect
    .poll(() => bar.getByRole('status').textContent())
    .toMatch(/, [1-9]\d* in hidden branches$/)
  await bar.getByRole('button', { name: 'Show all' }).click()
  await hasFocus(tree(page))
  await expect.poll(() => items.count()).toBe(rows)
  expect(problems).toEqual([])
})

it('by keyboard: searches the family while typing, goes to a hit in another branch, and opens it at its line', async () => {
  const { page, problems } = await launchFamily()
  await page.keyboard.press('Control+Shift+M')
  await mapIsDrawn(page)
  await page.keyboard.press('Control+F')
  const field = view(page).getByRole('searchbox', { name: 'Search this family' })
  await hasFocus(field)
  await page.keyboard.type('leave it to the database')
  const status = view(page).getByRole('search').getByRole('status')
  await expect
    .poll(() => status.textContent())
    .toMatch(/^[1-9]\d* hits?, [1-9]\d* in branches you left$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => status.textContent()).toMatch(/^1 of /)
  const mark = page.locator('.map-card mark').first()
  await expect.poll(() => mark.textContent()).toMatch(/^leave$/i)
  await page.keyboard.press('ArrowDown')
  await hasFocus(tree(page))
  await page.keyboard.press('Enter')
  await view(page).waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('Leave it to the database')
  // The words are marked there too.
  const marked = () =>
    page.evaluate(() =>
      [...CSS.highlights.values()].flatMap((highlight) =>
        [...highlight].map((range) => (range instanceof Range ? range.toString() : '')),
      ),
    )
  await expect.poll(marked).toContain('database')
  expect(problems).toEqual([])
})
