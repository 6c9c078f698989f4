import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, resize, withPage } from './page'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search conversations' })
const options = (page: Page) =>
  page.getByRole('listbox', { name: /^(?:Fields|Values of)/ }).getByRole('option')

async function openSearch(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+F')
  await hasFocus(field(page))
}

/** Completion of fields and their values in the query, and its switches. */
export function queryCompletion(harness: () => Harness): void {
  describe('the query', () => {
    it('is completed by keyboard: a field, then one of its values', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('utc ro')
        await expect.poll(() => options(page).allTextContents()).toEqual(['role:'])
        await expect.poll(() => field(page).getAttribute('aria-expanded')).toBe('true')
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => options(page).first().getAttribute('aria-selected')).toBe('true')
        await page.keyboard.press('Enter')
        await expect.poll(() => field(page).inputValue()).toBe('utc role:')
        await expect
          .poll(() => options(page).allTextContents())
          .toEqual(['user', 'agent', 'system'])
        await page.keyboard.type('ag')
        await expect.poll(() => options(page).allTextContents()).toEqual(['agent'])
        await page.keyboard.press('Tab')
        await expect.poll(() => field(page).inputValue()).toBe('utc role:agent ')
        await expect.poll(() => options(page).count()).toBe(0)
        await hasFocus(field(page))
        await page.keyboard.type('words')
        await expect.poll(() => field(page).inputValue()).toBe('utc role:agent words')
      }))

    it('offers values that the library has, with how often they occur', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('source:')
        await expect.poll(() => options(page).allTextContents()).toContain('chibi3')
        await options(page).filter({ hasText: 'chibi' }).click()
        await expect.poll(() => field(page).inputValue()).toBe('source:chibi ')
        await hasFocus(field(page))
      }))

    it('stays out of the way: Enter searches, Esc closes the list and not the view, Tab goes on', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('to')
        await expect.poll(() => options(page).allTextContents()).toEqual(['tool:', 'to:'])
        await page.keyboard.press('Escape')
        await expect.poll(() => options(page).count()).toBe(0)
        await hasFocus(field(page))
        await page.keyboard.press('Tab')
        await hasFocus(page.getByRole('button', { name: 'Match case' }))
        await field(page).fill('utc')
        await page.getByText(/hits in 5 conversations/).waitFor()
        await field(page).press('ArrowDown')
        await hasFocus(page.getByRole('listbox', { name: 'Hits' }))
      }))

    it('has case and whole words by buttons, which write the query', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('utc')
        const matchCase = page.getByRole('button', { name: 'Match case' })
        await matchCase.press('Enter')
        await expect.poll(() => field(page).inputValue()).toBe('utc case:yes')
        await page.getByRole('button', { name: 'Whole words' }).press('Enter')
        await expect.poll(() => field(page).inputValue()).toBe('utc case:yes words:whole')
        await expect.poll(() => matchCase.getAttribute('aria-pressed')).toBe('true')
        await matchCase.press('Enter')
        await expect.poll(() => field(page).inputValue()).toBe('utc words:whole')
        await expect.poll(() => matchCase.getAttribute('aria-pressed')).toBe('false')
        // What a button wrote is not completed.
        await page.getByRole('button', { name: 'Clear the search' }).press('Enter')
        await page.getByRole('button', { name: 'role:user' }).press('Enter')
        await hasFocus(field(page))
        await expect.poll(() => field(page).getAttribute('aria-expanded')).toBe('false')
      }))

    it('has no serious fault of accessibility while it is completed, in a narrow window too', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await resize(page, { width: 800, height: 700 })
        await page.keyboard.type('has:')
        await expect.poll(() => options(page).count()).toBe(7)
        await page.keyboard.press('ArrowDown')
        expect(await faultsInThemes(page, allThemes)).toEqual([])
      }))
  })
}
