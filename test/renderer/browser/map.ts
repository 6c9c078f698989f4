import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { arrived } from './landing'
import { hasFocus, openConversation, withPage } from './page'

const query = { scenario: 'branches' }
const view = (page: Page) => page.getByRole('main', { name: 'Map of branches' })
const tree = (page: Page) => view(page).getByRole('tree', { name: 'Branches' })
const card = (page: Page) => page.locator('.map-card')

/** Opens the map by its shortcut, once the conversation is there, and waits until it is drawn. */
async function openMap(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+M')
  await page.locator('.map-canvas[data-drawn]').waitFor()
  await hasFocus(tree(page))
}

const cursor = (page: Page) =>
  tree(page).evaluate(
    (element) =>
      document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent,
  )

/** On how many lines the buttons of the selected node's card are; 0 where one is outside of the card. */
const linesOfButtons = (page: Page) =>
  page.locator('.map-card.selected .map-card-acts').evaluate((acts) => {
    const buttons = [...acts.querySelectorAll('button')].map((one) => one.getBoundingClientRect())
    const { right } = acts.getBoundingClientRect()
    if (buttons.some((one) => one.right > right + 1)) return 0
    return new Set(buttons.map(({ top, bottom }) => Math.round((top + bottom) / 2))).size
  })

/** Where the end of the selected node is: the card stands beside it. */
async function endOfSelected(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator('.map-card.selected').boundingBox()
  if (box === null) throw new Error('no card')
  return { x: box.x + 28, y: box.y - 28 }
}

/** The map of a family. */
export function familyMap(harness: () => Harness): void {
  describe('the map of a family', () => {
    it('opens from the branches of the details and by its shortcut, and gives the focus back', () =>
      withPage(harness(), query, async (page) => {
        const button = page.getByRole('button', { name: 'Map', exact: true })
        await button.click()
        await view(page).waitFor()
        await hasFocus(tree(page))
        await expect.poll(() => page.title()).toBe('Map - Skein')
        await view(page).getByText('4 branches').waitFor()
        await page.keyboard.press('Escape')
        await view(page).waitFor({ state: 'detached' })
        await hasFocus(page.getByRole('textbox', { name: 'Message', exact: true }))
        await openMap(page)
        await page.keyboard.press('Control+Shift+F')
        await page.getByRole('main', { name: 'Search' }).waitFor()
        await expect.poll(() => view(page).count()).toBe(0)
      }))

    it('has one selection in tree and canvas: the card follows the keys, and the pointer the tree', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await expect.poll(() => cursor(page)).toMatch(/^Add a test/)
        await expect.poll(() => card(page).textContent()).toContain('Add a test')
        await page.keyboard.type('leave it')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        await expect.poll(() => card(page).textContent()).toContain('Leave it to the database')
        const end = await endOfSelected(page)
        await page.keyboard.press('Home')
        await expect.poll(() => cursor(page)).not.toMatch(/^Leave it/)
        // The pointer first: the card of the selected node may lie over its neighbours.
        await page.mouse.move(end.x, end.y)
        await expect.poll(() => card(page).textContent()).toContain('Leave it to the database')
        await page.mouse.click(end.x, end.y)
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        await hasFocus(tree(page))
      }))

    it('has the focus when a button of its card or its bar goes away', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.keyboard.type('leave it')
        await expect.poll(() => card(page).textContent()).toContain('Leave it to the database')
        const end = await endOfSelected(page)
        await tree(page).press('Home')
        await expect.poll(() => card(page).textContent()).not.toContain('Leave it')
        // The pointer passes another node: its card takes the place of the one with the focus.
        await card(page).getByRole('button', { name: 'Open' }).focus()
        await page.mouse.move(end.x, end.y)
        await expect.poll(() => card(page).textContent()).toContain('Leave it to the database')
        await hasFocus(tree(page))
        // Another branch is opened, and made straight.
        await page.keyboard.type('leave it')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        await page.keyboard.press('Enter')
        await view(page).waitFor({ state: 'detached' })
        await arrived(page)
        await openMap(page)
        const straighten = page.getByRole('button', { name: 'Straighten the open path' })
        await straighten.press('Enter')
        await straighten.waitFor({ state: 'detached' })
        await hasFocus(tree(page))
      }))

    it('has the focus when the folded branches of a card are shown', () =>
      withPage(harness(), { scenario: 'wide-family' }, async (page) => {
        await openMap(page)
        await tree(page).press('End')
        const shows = card(page).getByRole('button', { name: 'Show all' })
        await shows.press('Enter')
        await shows.waitFor({ state: 'detached' })
        await hasFocus(tree(page))
      }))

    it('opens the node that is under the pointer', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.keyboard.type('leave it')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        const end = await endOfSelected(page)
        await page.keyboard.press('Home')
        await page.mouse.move(end.x, end.y)
        await expect.poll(() => card(page).textContent()).toContain('Leave it to the database')
        await page.mouse.dblclick(end.x, end.y)
        await view(page).waitFor({ state: 'detached' })
        await arrived(page)
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toContain('Leave it to the database')
      }))

    it('is walked by keys alone: ends of branches, zoom, B, and Enter opens', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.keyboard.press(']')
        const end = await cursor(page)
        await page.keyboard.press('[')
        await expect.poll(() => cursor(page)).toMatch(/^Add a test/)
        await page.keyboard.press(']')
        await expect.poll(() => cursor(page)).toBe(end)
        await page.keyboard.press('Space')
        await expect.poll(() => cursor(page)).toContain('compared as B')
        const percent = page.locator('.map-percent')
        const before = await percent.textContent()
        await page.keyboard.press('+')
        await expect.poll(() => percent.textContent()).not.toBe(before)
        await page.keyboard.press('1')
        await expect.poll(() => percent.textContent()).toBe('100 %')
        const drawn = () => page.locator('.map-canvas').getAttribute('data-drawn')
        const still = await drawn()
        await page.keyboard.press('Shift+ArrowLeft')
        await expect.poll(drawn).not.toBe(still)
        await page.keyboard.press('Enter')
        await view(page).waitFor({ state: 'detached' })
        await arrived(page)
      }))

    it('opens a comparison by keys and by its button, and is there again with its selection when that closes', () =>
      withPage(harness(), query, async (page) => {
        const comparison = page.getByRole('main', { name: 'Comparison' })
        await openMap(page)
        await page.keyboard.type('leave')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        await page.keyboard.press('Shift+Enter')
        await comparison.waitFor()
        await page.keyboard.press('Escape')
        await hasFocus(tree(page))
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database.*compared as B$/)
        await expect.poll(() => linesOfButtons(page)).toBe(1)
        await page.keyboard.press('Home')
        await page.locator('.map-card.selected').getByText('Compare A with B').click()
        await comparison.waitFor()
        await page.getByRole('button', { name: 'Close comparison' }).click()
        await hasFocus(tree(page))
        await page.keyboard.press('Shift+F10')
        await page
          .getByRole('menu', { name: 'Actions for this branch' })
          .getByRole('menuitem', { name: 'Compare A with B' })
          .waitFor()
        await page.keyboard.press('Escape')
        await hasFocus(tree(page))
        // B is another branch than the open one, wherever the cursor is.
        await page.keyboard.press('Control+Shift+D')
        await comparison.getByRole('region', { name: 'Side B' }).waitFor()
      }))

    it('marks a branch as B and takes the mark away by one button, which keeps its name and the focus', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.keyboard.type('leave')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        const mark = page.locator('.map-card.selected').getByRole('button', { name: 'Mark as B' })
        const compare = page.getByRole('button', { name: 'Compare A with B' })
        await mark.focus()
        const before = await mark.boundingBox()
        await page.keyboard.press('Enter')
        await compare.waitFor()
        await hasFocus(mark)
        await expect.poll(() => mark.getAttribute('aria-pressed')).toBe('true')
        await expect.poll(async () => (await mark.boundingBox())?.x).toBe(before?.x)
        await expect.poll(() => linesOfButtons(page)).toBe(1)
        await page.keyboard.press('Enter')
        await compare.waitFor({ state: 'detached' })
        await hasFocus(mark)
        await expect.poll(() => mark.getAttribute('aria-pressed')).toBe('false')
      }))

    it('shows A and B in the two colours that they have in the comparison, in every theme', () =>
      withPage(harness(), query, async (page) => {
        const fillsOf = (letters: string) =>
          page.evaluate((all) => {
            const { dataset } = document.documentElement
            return ['light', 'dark'].map((theme) => {
              dataset.theme = theme
              const letter = (one: 'A' | 'B') =>
                [...document.querySelectorAll<HTMLElement>(all)].find(
                  ({ textContent, dataset: own }) => (own.letter ?? textContent) === one,
                )
              return (['A', 'B'] as const).map((one) => {
                const element = letter(one)
                if (element === undefined) return undefined
                const { color, backgroundColor } = getComputedStyle(element)
                return [color, backgroundColor]
              })
            })
          }, letters)
        await openMap(page)
        await page.keyboard.type('leave')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        await page.keyboard.press('Shift+Enter')
        await page.getByRole('region', { name: 'Side B' }).waitFor()
        const compared = await fillsOf('.compare-letter')
        expect(new Set(compared.flat().map(String)).size).toBe(4)
        await page.keyboard.press('Escape')
        await expect.poll(() => cursor(page)).toMatch(/compared as B$/)
        expect(await fillsOf('.map-badge')).toEqual(compared)
      }))

    it('puts an own message back as an edit, with the focus in it', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.keyboard.type('leave')
        await expect.poll(() => cursor(page)).toMatch(/^Leave it to the database/)
        await page.keyboard.press('Shift+F10')
        // The menu moves the focus a moment after it opens, and after the key.
        await hasFocus(page.getByRole('menuitem', { name: 'Open' }))
        await page.keyboard.press('ArrowDown')
        await hasFocus(page.getByRole('menuitem', { name: 'Edit', exact: true }))
        await page.keyboard.press('Enter')
        const field = page.getByRole('textbox', { name: 'Edit the message' })
        await arrived(page)
        await hasFocus(field)
        await expect.poll(() => field.inputValue()).toContain('Leave it to the database')
      }))

    it('by time keeps the selection, and says days', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        const before = await page.locator('.map-canvas').getAttribute('data-drawn')
        await view(page).getByText('By time').click()
        await expect
          .poll(() => page.locator('.map-canvas').getAttribute('data-drawn'))
          .not.toBe(before)
        await expect.poll(() => cursor(page)).toMatch(/^Add a test/)
      }))

    it('folds many siblings into one node, and shows them on request', () =>
      withPage(harness(), { scenario: 'fan-family' }, async (page) => {
        await openMap(page)
        const segments = async () =>
          Number((await page.locator('.map-canvas').getAttribute('data-drawn'))?.split(' ')[0])
        await expect.poll(segments).toBeLessThan(30)
        await page.keyboard.press('End')
        await expect.poll(() => card(page).textContent()).toContain('folded here')
        await page.keyboard.press('*')
        await expect.poll(segments).toBeGreaterThan(60)
        await page.keyboard.press('*')
        await expect.poll(segments).toBeLessThan(30)
      }))

    it('filters by keyboard, says how many entries it shows, remembers it, and shows all again', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        const rows = await tree(page).getByRole('treeitem').count()
        const bar = view(page).getByRole('group', { name: 'Filter' })
        const shown = bar.getByRole('status')
        const mine = bar.getByRole('button', { name: 'Mine only' })
        await mine.focus()
        await page.keyboard.press('Space')
        await expect.poll(() => mine.getAttribute('aria-pressed')).toBe('true')
        await expect.poll(() => shown.textContent()).toMatch(/^\d+ of \d+ entries shown$/)
        await bar.getByRole('button', { name: 'Failed tools' }).press('Enter')
        await expect.poll(() => shown.textContent()).toMatch(/^0 of \d+ entries shown$/)
        await expect.poll(() => tree(page).getByRole('treeitem').count()).toBeLessThan(rows)
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Escape')
        await view(page).waitFor({ state: 'detached' })
        await openMap(page)
        await expect.poll(() => shown.textContent()).toMatch(/^0 of \d+ entries shown$/)
        await bar.getByRole('button', { name: 'Show all' }).press('Enter')
        await hasFocus(tree(page))
        await expect.poll(() => shown.textContent()).toBe('')
        await expect.poll(() => tree(page).getByRole('treeitem').count()).toBe(rows)
      }))

    it('hides a branch and folds what comes after a node by keys, and shows them again', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        const items = tree(page).getByRole('treeitem')
        const rows = await items.count()
        const shown = view(page).getByRole('group', { name: 'Filter' }).getByRole('status')
        await page.keyboard.type('with a c')
        await expect.poll(() => cursor(page)).toMatch(/^With a check constraint/)
        await page.keyboard.press('Delete')
        await expect.poll(() => items.count()).toBeLessThan(rows)
        await expect.poll(() => shown.textContent()).toMatch(/[1-9]\d* in hidden branches$/)
        await view(page).getByRole('button', { name: 'Show all' }).click()
        await expect.poll(() => items.count()).toBe(rows)
        await page.keyboard.press('Home')
        await page.keyboard.press('.')
        await expect.poll(() => cursor(page)).toContain('branches folded')
        await expect.poll(() => items.count()).toBeLessThan(rows)
        await page.keyboard.press('.')
        await expect.poll(() => items.count()).toBe(rows)
      }))

    it('shows a conversation without branches as one line, and says how to make one', () =>
      withPage(harness(), query, async (page) => {
        await openConversation(page, 'tide-table')
        await openMap(page)
        await page.getByText('No branches yet').waitFor()
        await expect.poll(() => tree(page).getByRole('treeitem').count()).toBe(1)
      }))

    it('says that conversations are still read, and follows what is written', () =>
      withPage(harness(), { ...query, counting: '1' }, async (page) => {
        await openMap(page)
        await view(page).getByText('counting…').waitFor()
        const rows = await tree(page).getByRole('treeitem').count()
        await page.evaluate(() =>
          window.home.append('import-gap', [{ role: 'user', content: 'One message more' }]),
        )
        await expect.poll(() => cursor(page)).toContain('4 entries')
        await expect.poll(() => tree(page).getByRole('treeitem').count()).toBe(rows)
      }))

    it('says why it cannot be read, and tries again; the focus is in it before and after', () =>
      withPage(harness(), query, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate(() => window.refuseNext('unreadable', 'The folder is gone.'))
        await page.keyboard.press('Control+Shift+M')
        await view(page).getByText('The folder is gone.').waitFor()
        await hasFocus(view(page).locator('.map-empty'))
        await view(page).getByRole('button', { name: 'Try again' }).click()
        await page.locator('.map-canvas[data-drawn]').waitFor()
        await hasFocus(tree(page))
      }))

    it('has no serious fault of accessibility', () =>
      withPage(harness(), query, async (page) => {
        await openMap(page)
        await page.keyboard.press('Space')
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })
}
