import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { firstSeenTurn, hasFocus, openConversation, openedAtEnd, topOf, withPage } from './page'

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
const feed = (page: Page) => page.getByRole('feed')

/** Back and forward through what was looked at. */
export function history(harness: () => Harness): void {
  describe('back and forward', () => {
    it('show a conversation where it was read, to the pixel', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        await feed(page).hover()
        await page.mouse.wheel(0, -2345)
        await page.waitForFunction(() => window.skein.stores.reading.getState().isReadingUp)
        const read = await firstSeenTurn(page)
        await openConversation(page, 'short')
        await openedAtEnd(page)
        await page.keyboard.press('Alt+ArrowLeft')
        await heading(page, 'long').waitFor()
        await expect
          .poll(async () => Math.abs((await topOf(page, read.key)) - read.top))
          .toBeLessThanOrEqual(1)
        expect((await firstSeenTurn(page)).key).toBe(read.key)
        await page.keyboard.press('Alt+ArrowRight')
        await heading(page, 'short').waitFor()
        await openedAtEnd(page)
      }))

    it('go by the arrow alone where a list has the focus, and not where a dialog is open', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'long')
        await openConversation(page, 'short')
        const list = page.getByRole('listbox', { name: 'Conversations' })
        await list.press('F2')
        await page.getByRole('dialog').waitFor()
        await page.keyboard.press('Alt+ArrowLeft')
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await heading(page, 'short').waitFor()
        await list.press('Alt+ArrowLeft')
        await heading(page, 'long').waitFor()
        const forward = page.getByRole('button', { name: 'Forward', exact: true })
        await forward.click()
        await heading(page, 'short').waitFor()
        await expect.poll(() => forward.isDisabled()).toBe(true)
      }))

    it('close a view and open it again, with the focus in it, and name what is gone', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'long')
        await page.keyboard.press('Control+Shift+f')
        const query = page.getByRole('combobox', { name: 'Search conversations' })
        await hasFocus(query)
        await page.keyboard.press('Escape')
        await page.getByRole('main', { name: 'Search' }).waitFor({ state: 'detached' })
        await page.keyboard.press('Alt+ArrowRight')
        await hasFocus(query)
        await page.keyboard.press('Alt+ArrowLeft')
        await page.getByRole('main', { name: 'Search' }).waitFor({ state: 'detached' })
        await openConversation(page, 'short')
        await page.evaluate(() => {
          const { library } = window.skein.stores
          library.getState().fold({ conversations: [], gone: ['long'] })
        })
        await page.keyboard.press('Alt+ArrowLeft')
        const note = page.locator('.history-note')
        await note.getByText('“long” is gone and was skipped.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await note.getByRole('button', { name: 'Dismiss' }).click()
        await note.waitFor({ state: 'detached' })
      }))
  })
}
