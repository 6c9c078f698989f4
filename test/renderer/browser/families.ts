import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

const tree = (page: Page) => page.getByRole('tree', { name: 'Conversations' })
const family = (page: Page) =>
  tree(page).getByRole('treeitem', { name: /^Find large files 12 conversations/ })
const member = (page: Page, words: string) =>
  tree(page).getByRole('treeitem', { name: new RegExp(`^${words}`) })

/** Conversations of the library that share a beginning. */
export function libraryFamilies(harness: () => Harness): void {
  describe('conversations that share a beginning', () => {
    it('are one row, which opens and closes by keyboard and tells each by its own words', () =>
      withPage(harness(), { scenario: 'families' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await family(page).waitFor()
        await expect.poll(() => family(page).getAttribute('aria-expanded')).toBe('false')
        await tree(page).focus()
        const active = async () => {
          const id = await tree(page).getAttribute('aria-activedescendant')
          return page.locator(`[id="${id}"]`).textContent()
        }
        for (let at = await active(); !at?.startsWith('Find large files'); at = await active())
          await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => family(page).getAttribute('aria-expanded')).toBe('true')
        await member(page, 'Look in folder 3').waitFor()
        await expect
          .poll(() => member(page, 'Look in folder 3').getAttribute('aria-level'))
          .toBe('2')
        await expect
          .poll(() => member(page, 'Look in folder 3').getAttribute('aria-setsize'))
          .toBe('12')
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('ArrowRight')
        await expect.poll(active).toMatch(/^Look in folder 0 as/)
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Space')
        await page.getByText('Look in folder 1 as well', { exact: true }).last().waitFor()
        await page.keyboard.press('ArrowLeft')
        await expect.poll(active).toMatch(/^Find large files/)
        await page.keyboard.press('ArrowLeft')
        await member(page, 'Look in folder 1').waitFor({ state: 'detached' })
        // The open one has no row now: its family is the chosen one.
        await expect.poll(() => family(page).getAttribute('aria-selected')).toBe('true')
        await hasFocus(tree(page))
      }))

    it('are rows of their own where the grouping menu says so', () =>
      withPage(harness(), { scenario: 'families' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await family(page).locator('.library-fold').click()
        await member(page, 'Look in folder 0').waitFor()
        await page.getByRole('button', { name: /^Group by/ }).click()
        await page.getByRole('menuitemcheckbox', { name: 'Branches in one row' }).click()
        const list = page.getByRole('listbox', { name: 'Conversations' })
        await expect
          .poll(() => list.getByRole('option', { name: /^Find large files/ }).count())
          .toBe(12)
        await page.getByRole('button', { name: /^Group by/ }).click()
        await page.getByRole('menuitemcheckbox', { name: 'Branches in one row' }).click()
        await family(page).waitFor()
      }))
  })
}
