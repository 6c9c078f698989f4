import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Chosen conversations' })
const list = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })
const chosen = (page: Page) => page.locator('.library-row.chosen .library-title').allTextContents()
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

/** Several conversations that are chosen in the library, and what is done with all of them. */
export function chosenConversations(harness: () => Harness): void {
  describe('several conversations', () => {
    it('are chosen by Ctrl and Shift with the pointer, and none by a press alone', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const row = (at: number) => list(page).getByRole('option').nth(at)
        const names = await page.locator('.library-row .library-title').allTextContents()
        await row(1).click({ modifiers: ['ControlOrMeta'] })
        await row(3).click({ modifiers: ['ControlOrMeta'] })
        await expect.poll(() => chosen(page)).toEqual([names[1], names[3]])
        await row(3).click({ modifiers: ['ControlOrMeta'] })
        await row(1).click({ modifiers: ['ControlOrMeta'] })
        await bar(page).waitFor({ state: 'detached' })
        await row(1).click({ modifiers: ['ControlOrMeta'] })
        await row(4).click({ modifiers: ['Shift'] })
        await expect.poll(() => chosen(page)).toEqual(names.slice(1, 5))
        await bar(page).getByText('4 chosen').waitFor()
        await expect.poll(() => list(page).getAttribute('aria-multiselectable')).toBe('true')
        await expect.poll(() => list(page).getByRole('option', { selected: true }).count()).toBe(4)
        expect(await faultsInThemes(page)).toEqual([])
        await row(2).click()
        await bar(page).waitFor({ state: 'detached' })
        await expect.poll(() => chosen(page)).toEqual([])
      }))

    it('are chosen by keyboard, pinned and tagged together, and one undo takes all of it back', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+ArrowDown')
        await page.keyboard.press('Shift+ArrowDown')
        await bar(page).getByText('3 chosen').waitFor()
        await page.keyboard.press('Shift+ArrowUp')
        await bar(page).getByText('2 chosen').waitFor()
        const names = await chosen(page)
        await bar(page).getByRole('button', { name: 'Pin' }).press('Enter')
        await page.getByText('Pinned: 2 conversations', { exact: true }).waitFor()
        await hasFocus(list(page))
        await expect.poll(() => page.locator('.library-head').first().textContent()).toBe('Pinned2')
        await undo(page).click()
        await expect.poll(() => page.getByText('Pinned2').count()).toBe(0)
        await expect.poll(() => chosen(page)).toEqual(names)

        await bar(page).getByRole('button', { name: 'Tag…' }).press('Enter')
        await hasFocus(page.getByRole('textbox', { name: 'New tag' }))
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.type('spring')
        await page.keyboard.press('Enter')
        await expect.poll(() => page.locator('.library-tags').count()).toBe(2)
        await page.getByText('Tagged “spring”: 2 conversations', { exact: true }).waitFor()
        await hasFocus(list(page))
        await undo(page).click()
        await expect.poll(() => page.locator('.library-tags').count()).toBe(0)

        await list(page).focus()
        await page.keyboard.press('Control+a')
        await expect
          .poll(async () => (await chosen(page)).length)
          .toBe(await list(page).getByRole('option').count())
        await page.keyboard.press('Escape')
        await expect.poll(() => chosen(page)).toEqual([])

        await page.keyboard.press('Control+Space')
        await bar(page).getByRole('button', { name: 'Export…' }).focus()
        await page.keyboard.press('Escape')
        await expect.poll(() => chosen(page)).toEqual([])
        await hasFocus(list(page))
      }))

    it('have a menu of their acts, by the right button and by keys; a row that is not chosen has its own', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+ArrowDown')
        await bar(page).getByText('2 chosen').waitFor()
        const names = await chosen(page)
        const menu = page.getByRole('menu', { name: 'Actions for 2 conversations' })
        const offered = ['Pin', 'Tag…', 'Color…', 'Hide', 'Archive', 'Export…', 'Move to trash…']
        for (const key of ['Shift+F10', 'ContextMenu']) {
          await page.keyboard.press(key)
          await expect.poll(() => menu.getByRole('menuitem').allTextContents()).toEqual(offered)
          expect(await faultsInThemes(page)).toEqual([])
          await page.keyboard.press('Escape')
          await menu.waitFor({ state: 'detached' })
          await hasFocus(list(page))
          expect(await chosen(page)).toEqual(names)
        }
        const row = (at: number) => list(page).getByRole('option').nth(at)
        await row(4).click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Rename…' }).waitFor()
        await page.keyboard.press('Escape')
        await row(1).click({ button: 'right' })
        await menu.getByRole('menuitem', { name: 'Tag…' }).click()
        await hasFocus(page.getByRole('textbox', { name: 'New tag' }))
        await page.keyboard.press('Escape')
        await row(1).click({ button: 'right' })
        await menu.getByRole('menuitem', { name: 'Pin' }).click()
        await page.getByText('Pinned: 2 conversations', { exact: true }).waitFor()
        await hasFocus(list(page))
      }))

    it('get a color and are hidden together; the list Hidden brings them back, and undo too', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+ArrowDown')
        const names = await chosen(page)
        await bar(page).getByRole('button', { name: 'Color…' }).press('Enter')
        const colors = page.getByRole('dialog', { name: 'Color' })
        await hasFocus(colors.getByRole('button', { name: 'blue' }))
        expect(await faultsInThemes(page)).toEqual([])
        await colors.getByRole('button', { name: 'green' }).click()
        await page.getByText('Color: green: 2 conversations', { exact: true }).waitFor()
        await hasFocus(list(page))
        const marks = page.locator('.library-row .color-mark')
        await expect.poll(() => marks.allTextContents()).toEqual(['Ggreen', 'Ggreen'])
        expect(await faultsInThemes(page)).toEqual([])

        await bar(page).getByRole('button', { name: 'Hide' }).press('Enter')
        await page.getByText('Hidden: 2 conversations', { exact: true }).waitFor()
        await expect.poll(() => marks.count()).toBe(0)
        await bar(page).waitFor({ state: 'detached' })
        await undo(page).click()
        await expect.poll(() => marks.count()).toBe(2)
        // What went is chosen no longer, also where it comes back.
        await expect.poll(() => chosen(page)).toEqual([])
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+ArrowDown')
        await bar(page).getByRole('button', { name: 'Hide' }).press('Enter')
        await expect.poll(() => marks.count()).toBe(0)

        const filter = page.getByRole('searchbox', { name: 'Filter conversations' })
        await filter.fill(names[0] ?? '')
        await page.getByText('1 hidden conversation fits.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: 'Show hidden' }).click()
        await page.getByText('List: Hidden').waitFor()
        await filter.fill('')
        const shown = () => page.locator('.library-row .library-title').allTextContents()
        await expect.poll(shown).toEqual(names)
        await page.getByRole('button', { name: 'Colors' }).click()
        await page.getByRole('menuitemradio', { name: /green/ }).click()
        await page.getByText('Color: green', { exact: true }).waitFor()
        // Esc goes from the offer to undo to the composer.
        await page.evaluate(() => window.skein.stores.undo.getState().dismiss())
        await page.getByText('Hidden: 2 conversations').waitFor({ state: 'detached' })
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+F10')
        await page.getByRole('menuitem', { name: 'Show in the library' }).click()
        await expect.poll(async () => (await shown()).length).toBe(1)
      }))

    it('leave the focus in the library where all go, by the menu and one alone', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await list(page).focus()
        await page.keyboard.press('Control+a')
        await page.keyboard.press('Shift+F10')
        await page.getByRole('menuitem', { name: 'Hide' }).press('Enter')
        await hasFocus(page.getByRole('button', { name: 'Show hidden' }))
        await page.keyboard.press('Enter')
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Control+a')
        await page.keyboard.press('Space')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Shift+F10')
        await page.getByRole('menuitem', { name: 'Show in the library' }).press('Enter')
        await expect.poll(() => list(page).getByRole('option').count()).toBe(1)
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+F10')
        await page.getByRole('menuitem', { name: 'Show in the library' }).press('Enter')
        await hasFocus(page.getByRole('button', { name: 'Show all' }))
        // Also where the rows go while the list has the focus, as when another window hides them.
        await page.keyboard.press('Enter')
        await list(page).focus()
        await page.evaluate(() => window.skein.stores.library.getState().setFilter('no such title'))
        await hasFocus(page.getByRole('button', { name: 'Search the contents' }))
      }))

    it('have no menu any more once they are gone, and no question about them while they are changed', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+ArrowDown')
        await page.keyboard.press('Shift+F10')
        const menu = page.getByRole('menu', { name: 'Actions for 2 conversations' })
        await menu.waitFor()
        await page.evaluate(() =>
          window.skein.stores.chosen.setState({ work: { done: 0, total: 2 } }),
        )
        const asleep = () => menu.locator('[aria-disabled=true]').allTextContents()
        await expect
          .poll(asleep)
          .toEqual(['Pin', 'Tag…', 'Color…', 'Hide', 'Archive', 'Move to trash…'])
        await page.evaluate(() => window.skein.stores.chosen.setState({ work: undefined }))
        const keys = await page.evaluate(() => [...window.skein.stores.chosen.getState().keys])
        await page.evaluate(() => window.skein.stores.library.getState().setFilter('no such title'))
        await menu.waitFor({ state: 'detached' })
        await page.evaluate(() => window.skein.stores.library.getState().setFilter(''))
        await bar(page).getByText('2 chosen').waitFor()
        await expect
          .poll(() =>
            page.evaluate(() => {
              const { keys, menu } = window.skein.stores.chosen.getState()
              return { keys: [...keys], menu }
            }),
          )
          .toEqual({ keys, menu: undefined })
        await expect.poll(() => menu.count()).toBe(0)
      }))

    it('that are refused are named, and the others are done', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await list(page).focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('Control+Space')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Space')
        const [first = ''] = await chosen(page)
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await bar(page).getByRole('button', { name: 'Archive' }).press('Enter')
        await page.getByText('Not done for 1 conversation.').waitFor()
        await page.getByRole('button', { name: 'Show details' }).click()
        await page.getByText(`${first}: The disk is full.`).waitFor()
        await expect
          .poll(() => page.evaluate(() => window.skein.stores.contexts.getState().archived.size))
          .toBe(1)
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: 'Dismiss' }).click()
      }))

    it('go to the trash after a question, but for those of other programs; they are exported as one', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await list(page)
          .getByRole('option')
          .first()
          .click({ modifiers: ['ControlOrMeta'] })
        await bar(page).getByText('1 chosen').waitFor()
        await hasFocus(list(page))
        await page.keyboard.press('Control+a')
        // One of the 24 is missing from the disk.
        const all = 23
        await expect.poll(() => bar(page).textContent()).toBe(`${all} chosen`)
        await bar(page).getByRole('button', { name: 'Export…' }).press('Enter')
        const dialog = page.getByRole('dialog', { name: 'Export' })
        await dialog.getByRole('button', { name: `Export ${all}…` }).click()
        await dialog.getByText(`${all} conversations,`).waitFor()
        await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
        await bar(page)
          .getByRole('button', { name: /^Move to trash 6 of/ })
          .press('Enter')
        await hasFocus(page.getByRole('button', { name: 'Cancel' }))
        await page.getByText(`${all - 6} conversations of other programs stay`).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: 'Move 6 conversations to trash' }).click()
        await expect.poll(() => list(page).getByRole('option').count()).toBe(24 - 6)
      }))
  })
}
