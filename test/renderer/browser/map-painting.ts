import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { arrived } from './landing'
import { hasFocus, withPage } from './page'

const query = { scenario: 'branches' }
const view = (page: Page) => page.getByRole('main', { name: 'Map of branches' })
const tree = (page: Page) => view(page).getByRole('tree', { name: 'Branches' })
const field = (page: Page) => view(page).getByRole('searchbox', { name: 'Search this family' })
const bar = (page: Page) => view(page).getByRole('search')
const spoken = (page: Page) => bar(page).getByRole('status')
const card = (page: Page) => page.locator('.map-card.selected')

async function openMap(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+M')
  await page.locator('.map-canvas[data-drawn]').waitFor()
  await hasFocus(tree(page))
}

/** Opens the map and types what is searched in it. */
async function find(page: Page, words: string): Promise<void> {
  await openMap(page)
  await page.keyboard.press('Control+F')
  await hasFocus(field(page))
  await page.keyboard.type(words)
  await expect.poll(() => spoken(page).textContent()).toMatch(/hit/i)
}

const cursor = (page: Page) =>
  tree(page).evaluate(
    (element) =>
      document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent,
  )

/** The hits that rows of the tree say they have. */
const hitsInRows = async (page: Page) => {
  const rows = await tree(page).getByRole('treeitem').allTextContents()
  return rows.map((row) => Number(/(\d+) hits?/.exec(row)?.[1] ?? 0))
}

/** Whether two elements have a place in common. */
async function covers(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (a === null || b === null) throw new Error('not drawn')
  const meet = (from: number, length: number, start: number, size: number) =>
    from < start + size && start < from + length
  return meet(a.x, a.width, b.x, b.width) && meet(a.y, a.height, b.y, b.height)
}

/** Search and heat on the map of a family. */
export function mapPainting(harness: () => Harness): void {
  describe('what is painted on the map', () => {
    it('is searched while typing: the tree has the number of hits of each node, as many as the search finds', () =>
      withPage(harness(), query, async (page) => {
        await find(page, 'the')
        await expect
          .poll(() => spoken(page).textContent())
          .toMatch(/^9 hits, [1-9] in branches you left$/)
        await expect.poll(() => hitsInRows(page)).toEqual([1, 1, 2, 2, 2, 1])
        const placed = () =>
          page.evaluate(() => window.skein.stores.mapSearch.getState().hits?.list.length)
        await expect.poll(placed).toBe(9)
        await page.keyboard.type('xyz')
        await expect.poll(() => spoken(page).textContent()).toBe('No hits')
      }))

    it('goes from hit to hit by keys, shows its line with the word marked, and opens there', () =>
      withPage(harness(), query, async (page) => {
        await find(page, 'check constraint')
        await page.keyboard.press('Enter')
        await expect.poll(() => cursor(page)).toMatch(/^With a check constraint/)
        await expect.poll(() => card(page).locator('mark').first().textContent()).toBe('check')
        await expect.poll(() => spoken(page).textContent()).toMatch(/^1 of /)
        await page.keyboard.press('F3')
        await page.keyboard.press('Shift+F3')
        await expect.poll(() => spoken(page).textContent()).toMatch(/^1 of /)
        await hasFocus(field(page))
        await page.keyboard.press('ArrowDown')
        await hasFocus(tree(page))
        await page.keyboard.press('Enter')
        await view(page).waitFor({ state: 'detached' })
        await arrived(page)
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toContain('check constraint')
      }))

    it('shows hits alone on request, clears everything with Esc, and closes the map with the next one', () =>
      withPage(harness(), query, async (page) => {
        await find(page, 'constraint')
        const rows = await tree(page).getByRole('treeitem').count()
        const only = bar(page).getByRole('button', { name: 'Hits only' })
        await only.focus()
        await page.keyboard.press('Space')
        await expect.poll(() => tree(page).getByRole('treeitem').count()).toBeLessThan(rows)
        const shown = view(page).getByRole('group', { name: 'Filter' }).getByRole('status')
        await expect.poll(() => shown.textContent()).toMatch(/^\d+ of \d+ entries shown$/)
        await page.keyboard.press('Escape')
        await expect.poll(() => field(page).inputValue()).toBe('')
        await hasFocus(tree(page))
        await expect.poll(() => tree(page).getByRole('treeitem').count()).toBe(rows)
        await expect.poll(() => shown.textContent()).toBe('')
        await page.keyboard.press('Escape')
        await view(page).waitFor({ state: 'detached' })
      }))

    it('shows the branches that a hit is folded in, when it is reached', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.keyboard.press('Home')
        await page.keyboard.press('.')
        await expect.poll(() => cursor(page)).toContain('branches folded')
        await page.keyboard.press('Control+F')
        await hasFocus(field(page))
        await page.keyboard.type('leave it to')
        await expect.poll(() => cursor(page)).toMatch(/branches folded with [1-9]\d* hits?$/)
        await page.keyboard.press('Enter')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
      }))

    it('is stopped with what was found, and says why it failed, with another try', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.evaluate(() => window.home.search.hold())
        await page.keyboard.press('Control+F')
        await hasFocus(field(page))
        await page.keyboard.type('the')
        await expect.poll(() => page.evaluate(() => window.home.search.held())).toBe('the')
        await page.evaluate(() => window.home.search.tell(2))
        await expect.poll(() => spoken(page).textContent()).toContain('2 hits so far')
        await page.keyboard.press('Escape')
        await expect.poll(() => spoken(page).textContent()).toMatch(/^2 hits.*stopped$/)
        await expect.poll(() => field(page).inputValue()).toBe('the')
        await page.evaluate(() => window.home.search.finish())
        await page.evaluate(() => window.refuseSearch('unreadable', 'The folder is gone.'))
        await page.keyboard.type('n')
        await expect
          .poll(() => spoken(page).textContent())
          .toBe('Not searched: The folder is gone.')
        await bar(page).getByRole('button', { name: 'Try again' }).press('Enter')
        await expect.poll(() => spoken(page).textContent()).toMatch(/hit/i)
      }))

    it('has the heat of nodes in the tree and a legend, whose buttons go to the extremes', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        const menu = view(page).getByRole('button', { name: 'Heat:' })
        await menu.press('Enter')
        await page.getByRole('menuitemradio', { name: 'Age' }).press('Enter')
        const legend = view(page).getByRole('region', { name: 'Age on the map' })
        await expect.poll(() => legend.textContent()).toMatch(/^Age: .* to /)
        await expect.poll(() => cursor(page)).toContain('Age ')
        for (const width of [1440, 1280, 1024, 800]) {
          await page.setViewportSize({ width, height: 720 })
          await expect.poll(() => covers(legend, view(page).locator('.map-zoom'))).toBe(false)
        }
        await legend.getByRole('button', { name: 'Oldest' }).press('Enter')
        const oldest = await cursor(page)
        await hasFocus(tree(page))
        await legend.getByRole('button', { name: 'Newest' }).press('Enter')
        await expect.poll(() => cursor(page)).not.toBe(oldest)
        await menu.press('Enter')
        await page.getByRole('menuitemradio', { name: 'Cost' }).press('Enter')
        await view(page).getByText('Cost: not recorded').waitFor()
        await menu.press('Enter')
        await page.getByRole('menuitemradio', { name: 'No heat' }).press('Enter')
        await expect.poll(() => view(page).locator('.map-legend').count()).toBe(0)
      }))

    it('has no serious fault of accessibility in any theme', () =>
      withPage(harness(), query, async (page) => {
        await find(page, 'the')
        await page.keyboard.press('Enter')
        await card(page).locator('mark').first().waitFor()
        await page.evaluate(() => window.skein.stores.map.getState().setHeat('age'))
        expect(await faultsInThemes(page, allThemes)).toEqual([])
      }))
  })
}
