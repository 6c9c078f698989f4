import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search conversations' })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent searches' })
const saved = (page: Page) => page.getByRole('region', { name: 'Saved searches' })
const rows = (part: ReturnType<typeof recent>) =>
  part.getByRole('listitem').locator('button.kept-search').allTextContents()

async function openSearch(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+F')
  await hasFocus(field(page))
}

async function searchFor(page: Page, query: string): Promise<void> {
  await field(page).fill(query)
  await field(page).press('Enter')
  await page.getByText(/^\d+ hits? in/).waitFor()
}

/** Searches of before: recent ones, saved ones, and those in the library. */
export function keptSearches(harness: () => Harness): void {
  describe('searches of before', () => {
    it('are listed while there is no query, search again, and are cleared or not kept', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await searchFor(page, 'utc')
        await searchFor(page, 'clock')
        await field(page).fill('')
        await expect.poll(() => rows(recent(page))).toEqual(['clock', 'utc'])
        await recent(page).getByRole('button', { name: 'utc' }).press('Enter')
        await expect.poll(() => field(page).inputValue()).toBe('utc')
        await hasFocus(field(page))
        await field(page).fill('')
        await recent(page).getByRole('button', { name: 'Clear' }).press('Enter')
        await recent(page).getByText('None yet.').waitFor()
        await recent(page).getByRole('checkbox', { name: 'Keep on this machine' }).press('Space')
        await searchFor(page, 'utc')
        await field(page).fill('')
        await recent(page).getByText('None are kept.').waitFor()
      }))

    it('are kept or not by a switch in Settings, which clears them', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await searchFor(page, 'utc')
        await field(page).fill('')
        await expect.poll(() => rows(recent(page))).toEqual(['utc'])
        await page.keyboard.press('Control+,')
        await page.getByRole('button', { name: /^Storage/ }).click()
        const keeps = page.getByRole('switch', { name: 'Keep recent searches' })
        await expect.poll(() => keeps.getAttribute('aria-checked')).toBe('true')
        await page.getByText('1 search now.').waitFor()
        await keeps.press('Space')
        await page.getByText('None are kept. Saved searches stay.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Escape')
        await hasFocus(field(page))
        await recent(page).getByText('None are kept.').waitFor()
      }))

    it('are saved under a name, renamed, removed and put back, and are a smart list of the library', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await searchFor(page, '"clock change" utc')
        await page.getByRole('button', { name: 'Save search' }).press('Enter')
        await page.getByRole('button', { name: 'Remove from saved searches' }).waitFor()
        await field(page).fill('')
        await saved(page).getByRole('button', { name: 'Rename "clock change" utc' }).press('Enter')
        await hasFocus(page.getByRole('textbox', { name: 'Name of the search' }))
        await page.keyboard.type('The lost hour')
        await page.keyboard.press('Enter')
        await expect.poll(() => rows(saved(page))).toEqual(['The lost hour'])
        expect(await faultsInThemes(page)).toEqual([])

        await page.getByRole('button', { name: 'Lists' }).click()
        await page.getByRole('menuitemradio', { name: 'The lost hour' }).click()
        await page.getByText('Only: The lost hour').waitFor()
        await page.getByRole('button', { name: 'Show all conversations' }).click()

        await saved(page).getByRole('button', { name: 'Remove The lost hour' }).press('Enter')
        await saved(page).getByRole('button', { name: 'Undo' }).press('Enter')
        await expect.poll(() => rows(saved(page))).toEqual(['The lost hour'])
      }))
  })
}
