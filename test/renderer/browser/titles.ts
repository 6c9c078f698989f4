import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { chooseByKeys, hasFocus, withPage } from './page'

const list = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Titles that a person writes or a model gives. */
export function conversationTitles(harness: () => Harness): void {
  describe('the title of a conversation', () => {
    it('is written by keyboard, shown everywhere, and taken away again', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const name = (await heading(page).textContent()) ?? ''
        await chooseByKeys(page, 'Rename…')
        const dialog = page.getByRole('dialog', { name: 'Rename', exact: true })
        await dialog.waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await hasFocus(dialog.getByRole('textbox'))
        // All of the old one is chosen: typing replaces it.
        await page.keyboard.type('Tulpen im Herbst')
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox')
        await expect.poll(() => heading(page).textContent()).toBe('Tulpen im Herbst')
        await expect.poll(() => page.title()).toBe('Tulpen im Herbst - Skein')
        const row = page.locator('.library-row', { hasText: 'Tulpen im Herbst' })
        await expect.poll(() => row.getAttribute('title')).toContain(`Context ${name}`)
        // A model is not offered where a person wrote one.
        await list(page).press('Shift+F10')
        await page.getByRole('menu').waitFor()
        const entries = () => page.getByRole('menuitem').allTextContents()
        await expect.poll(entries).toContain('Remove title')
        await expect.poll(entries).not.toContain('Generate title…')
        await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]'))
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await chooseByKeys(page, 'Remove title')
        await page.getByText('The title was not removed. The disk is full.').waitFor()
        await expect.poll(() => heading(page).textContent()).toBe('Tulpen im Herbst')
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await chooseByKeys(page, 'Remove title')
        await page.waitForFunction(
          (before) => document.querySelector('h1')?.textContent === before,
          name,
        )
        await expect
          .poll(() => page.getByRole('status', { name: 'Title' }).textContent())
          .toBe('Title removed.')
      }))

    it('keeps a blank one from being written, and says why', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await chooseByKeys(page, 'Rename…')
        const field = page.getByRole('textbox', { name: 'Title' })
        await field.fill('  ')
        await page.getByText('Enter a title.').waitFor()
        await expect
          .poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
          .toBe(true)
      }))

    it('is asked of the model after it was said what goes where', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const foreign = page.locator('.library-row[data-key*=":"]').first()
        const key = await foreign.getAttribute('data-key')
        await foreign.click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Generate title…' }).click()
        const dialog = page.getByRole('dialog', { name: 'Generate title' })
        await dialog.getByText('1,234 characters').waitFor()
        const words = () => dialog.textContent()
        await expect.poll(words).toContain('small/one')
        await expect.poll(words).toContain('models.example')
        await expect.poll(words).toContain('The other system’s files do not change.')
        expect(await faultsInThemes(page)).toEqual([])
        await dialog.getByRole('button', { name: 'Ask the model' }).click()
        await dialog.waitFor({ state: 'detached' })
        await expect
          .poll(() => page.locator(`.library-row[data-key="${key}"] .library-title`).textContent())
          .toBe('Planting tulips')
        await expect
          .poll(() => page.getByRole('status', { name: 'Title' }).textContent())
          .toBe('New title: “Planting tulips”.')
      }))

    it('is what every dialog names, and what F2 changes; the folder is renamed by another row', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const name = (await heading(page).textContent()) ?? ''
        await list(page).press('F2')
        await page.getByRole('dialog', { name: 'Rename', exact: true }).waitFor()
        await page.keyboard.press('Escape')
        await chooseByKeys(page, 'Rename…')
        await hasFocus(page.getByRole('textbox', { name: 'Title' }))
        await page.keyboard.type('Tulpen im Herbst')
        await page.keyboard.press('Enter')
        await expect.poll(() => heading(page).textContent()).toBe('Tulpen im Herbst')
        for (const [row, dialog] of [
          ['Rename folder…', 'Rename folder'],
          ['System prompt…', 'System prompt'],
          ['Summarize earlier messages…', 'Summarize earlier messages'],
          ['Start fresh for the model…', 'Start fresh for the model'],
          ['Move to trash…', 'Move to trash'],
        ] as const) {
          await chooseByKeys(page, row)
          const opened = page.getByRole('dialog', { name: dialog })
          await opened.getByText('Tulpen im Herbst').waitFor()
          await page.keyboard.press('Escape')
          await opened.waitFor({ state: 'detached' })
        }
        await page.keyboard.press('Control+E')
        await page.getByRole('dialog', { name: 'Export' }).getByText('Tulpen im Herbst').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await list(page).press('F2')
        const title = page.getByRole('dialog', { name: 'Rename', exact: true })
        await hasFocus(title.getByRole('textbox'))
        await page.keyboard.type('Tulpen im Mai')
        await page.keyboard.press('Enter')
        await expect.poll(() => heading(page).textContent()).toBe('Tulpen im Mai')
        const row = page.locator('.library-row', { hasText: 'Tulpen im Mai' })
        await expect.poll(() => row.getAttribute('title')).toContain(`Context ${name}`)
        await chooseByKeys(page, 'Move to trash…')
        await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
        await page.getByRole('heading', { name: '“Tulpen im Mai” is in the trash' }).waitFor()
      }))

    it('is asked for by F2 where there is no name of ours', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const foreign = page.locator('.library-row[data-key*=":"]').first()
        const name = (await foreign.locator('.library-title').textContent()) ?? ''
        await foreign.click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await list(page).press('F2')
        await page.getByRole('dialog', { name: 'Rename', exact: true }).waitFor()
      }))
  })
}
