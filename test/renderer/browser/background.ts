import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

/** What was put off or failed with nobody waiting for it. */
export function backgroundNotices(harness: () => Harness): void {
  describe('what failed in the background', () => {
    it('is a list that opens from the library, and is cleared', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const button = page.getByRole('button', { name: /^In the background, / })
        await expect.poll(() => button.count()).toBe(0)
        await page.evaluate(() => {
          window.home.fails('garden: no title: the model <b>did not</b> answer')
          window.home.fails('search index: the disk is full')
        })
        await page.getByRole('button', { name: 'In the background, 2' }).press('Enter')
        const dialog = page.getByRole('dialog', { name: 'In the background' })
        await hasFocus(dialog.getByRole('button', { name: 'Close' }))
        await dialog.getByText('garden: no title: the model <b>did not</b> answer').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await dialog.getByRole('button', { name: 'Clear the list' }).press('Enter')
        await dialog.getByText('Nothing failed or was postponed.').waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await expect.poll(() => button.count()).toBe(0)
      }))
  })
}
