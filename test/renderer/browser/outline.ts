import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { openConversation, openedAtEnd, resize, withPage } from './page'

/** The outline of the open conversation. */
export function outline(harness: () => Harness): void {
  describe('the outline', () => {
    it('leads by a press to a prompt far beyond the rows that are loaded', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        await page.getByRole('button', { name: 'Outline' }).press('Enter')
        const field = page.getByRole('combobox', { name: /^Find a prompt/ })
        await field.fill('question 14:')
        await page.getByRole('option', { name: /^Prompt: Question 14:/ }).click()
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toContain('Question 14')
      }))

    it('goes round by arrows, opens nothing while a dialog is open, and gives the focus back', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        await page.keyboard.press('Control+g')
        const field = page.getByRole('combobox', { name: /^Find a prompt/ })
        await field.waitFor()
        const cursor = () =>
          field.evaluate(
            (one) =>
              document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent,
          )
        await expect.poll(cursor).toContain('You are here')
        await field.press('ArrowDown')
        await expect.poll(cursor).toContain('Question 0:')
        await field.press('ArrowUp')
        await expect.poll(cursor).toContain('You are here')
        await field.press('Control+f')
        await field.press('Escape')
        await field.waitFor({ state: 'detached' })
        await expect
          .poll(() => page.getByRole('search', { name: 'Find in conversation' }).count())
          .toBe(0)
      }))

    it('is fit for the narrowest window, and has no serious fault of accessibility', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'long')
        await resize(page, { width: 800, height: 700 })
        await page.keyboard.press('Control+g')
        await page
          .getByRole('option', { name: /^Prompt: / })
          .first()
          .waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
      }))
  })
}
