import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { withPage } from './page'

const list = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Chooses an entry of the menu of the row at the cursor, by keyboard alone. */
async function choose(page: Page, entry: string): Promise<void> {
  await list(page).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: entry, exact: true }).waitFor()
  // The menu takes the focus a moment after it is there, and the next entry a moment after the key.
  await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]'))
  for (let step = 0; step < 12; step++) {
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    if (focused === entry) break
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction((before) => document.activeElement?.textContent !== before, focused)
  }
  await page.keyboard.press('Enter')
}

/** Titles that a person writes or a model gives. */
export function conversationTitles(harness: () => Harness): void {
  describe('the title of a conversation', () => {
    it('is written by keyboard, shown everywhere, and taken away again', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const name = (await heading(page).textContent()) ?? ''
        await choose(page, 'Title…')
        const dialog = page.getByRole('dialog', { name: 'Title' })
        await dialog.waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        // All of the old one is chosen: typing replaces it.
        await page.keyboard.type('Tulpen im Herbst')
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox')
        expect(await heading(page).textContent()).toBe('Tulpen im Herbst')
        expect(await page.title()).toBe('Tulpen im Herbst - Skein')
        const row = page.locator('.library-row', { hasText: 'Tulpen im Herbst' })
        expect(await row.getAttribute('title')).toContain(`Context ${name}`)
        // A model is not offered where a person wrote one.
        await page.keyboard.press('Shift+F10')
        await page.getByRole('menu').waitFor()
        const entries = await page.getByRole('menuitem').allTextContents()
        expect(entries).toContain('Remove title')
        expect(entries).not.toContain('Title by the model…')
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await choose(page, 'Remove title')
        await page.getByText('The title was not removed. The disk is full.').waitFor()
        expect(await heading(page).textContent()).toBe('Tulpen im Herbst')
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await choose(page, 'Remove title')
        await page.waitForFunction(
          (before) => document.querySelector('h1')?.textContent === before,
          name,
        )
        expect(await page.getByRole('status', { name: 'Title' }).textContent()).toBe(
          'The title is removed.',
        )
      }))

    it('keeps a blank one from being written, and says why', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await choose(page, 'Title…')
        const field = page.getByRole('textbox', { name: 'Title' })
        await field.fill('  ')
        await page.getByText('A title needs a word.').waitFor()
        expect(await page.getByRole('button', { name: 'Keep title' }).isDisabled()).toBe(true)
      }))

    it('is asked of the model after it was said what goes where', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const foreign = page.locator('.library-row[data-key*=":"]').first()
        const key = await foreign.getAttribute('data-key')
        await foreign.click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Title by the model…' }).click()
        const dialog = page.getByRole('dialog', { name: 'Title by the model' })
        await dialog.getByText('1,234 characters').waitFor()
        const words = await dialog.textContent()
        expect(words).toContain('small/one')
        expect(words).toContain('models.example')
        expect(words).toContain('The other system’s files stay as they are.')
        expect(await faultsInThemes(page)).toEqual([])
        await dialog.getByRole('button', { name: 'Ask the model' }).click()
        await dialog.waitFor({ state: 'detached' })
        expect(
          await page.locator(`.library-row[data-key="${key}"] .library-title`).textContent(),
        ).toBe('Planting tulips')
        expect(await page.getByRole('status', { name: 'Title' }).textContent()).toBe(
          'The title is “Planting tulips”.',
        )
      }))

    it('is asked for by F2 where there is no name of ours', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.locator('.library-row[data-key*=":"]').first().click()
        await list(page).focus()
        await page.keyboard.press('F2')
        await page.getByRole('dialog', { name: 'Title' }).waitFor()
      }))
  })
}
