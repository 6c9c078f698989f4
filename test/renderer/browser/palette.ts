import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, openedAtEnd, resize, withPage } from './page'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const field = (page: Page) => dialog(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => dialog(page).getByRole('option', { name })

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+p')
  await hasFocus(field(page))
}

/** Types a part of a name and waits until the option of that name is the active one. */
async function find(page: Page, words: string, name: string): Promise<void> {
  await page.keyboard.type(words)
  await expect
    .poll(() =>
      field(page).evaluate(
        (input) =>
          document
            .getElementById(input.getAttribute('aria-activedescendant') ?? '')
            ?.querySelector('.palette-name')?.textContent,
      ),
    )
    .toBe(name)
}

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme)

/** Everything that can be done, by its name. */
export function commandPalette(harness: () => Harness): void {
  describe('the command palette', () => {
    it('goes to a conversation by a part of its title, and its answer can be written at once', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await openPalette(page)
        await find(page, 'kettl', 'broken-kettle')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'broken-kettle' }).waitFor()
        await hasFocus(page.getByRole('textbox', { name: 'Message' }))
        await dialog(page).waitFor({ state: 'detached' })
      }))

    it('runs a command, also over another view and over Settings', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await openPalette(page)
        await find(page, 'stati', 'Statistics')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
        await openPalette(page)
        await find(page, 'keyboard', 'Settings: Keyboard')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 2, name: 'Keyboard' }).waitFor()
        await page
          .getByRole('region', { name: 'Everywhere' })
          .getByText('Command palette')
          .waitFor()
        await openPalette(page)
        await find(page, 'search every', 'Search everything')
        await page.keyboard.press('Enter')
        await page
          .getByRole('heading', { level: 2, name: 'Keyboard' })
          .waitFor({ state: 'detached' })
        await expect.poll(() => page.title()).toBe('Search - Skein')
      }))

    it('asks what an action on the open conversation asks, and the focus goes back to where it was', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        const message = page.getByRole('textbox', { name: 'Message' })
        await message.focus()
        await openPalette(page)
        await find(page, 'rename', 'Rename…')
        await page.keyboard.press('Enter')
        const question = page.getByRole('dialog', { name: 'Rename' })
        await question.waitFor()
        await page.keyboard.press('Escape')
        await question.waitFor({ state: 'detached' })
        await hasFocus(message)
      }))

    it('opens the actions on the message that had the focus', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        const turn = page.getByRole('article').last()
        await turn.focus()
        await openPalette(page)
        await find(page, 'on this mess', 'Actions on this message…')
        await page.keyboard.press('Enter')
        await page.getByRole('menu', { name: 'Message actions' }).waitFor()
        await page.keyboard.press('Escape')
        await hasFocus(turn)
      }))

    it('closes by Esc without doing anything, and offers first what was chosen last', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        const message = page.getByRole('textbox', { name: 'Message' })
        await message.focus()
        await openPalette(page)
        await find(page, 'dark', 'Theme: dark')
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
        await hasFocus(message)
        await expect.poll(() => themeOf(page)).toBe('light')
        await openPalette(page)
        await find(page, 'dark', 'Theme: dark')
        await page.keyboard.press('Enter')
        await expect.poll(() => themeOf(page)).toBe('dark')
        await hasFocus(message)
        await openPalette(page)
        await expect
          .poll(() => dialog(page).getByRole('group').first().getAttribute('aria-label'))
          .toBe('Chosen last')
        await find(page, '', 'Theme: dark')
      }))

    it('searches the contents for what no name has', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await openPalette(page)
        await find(page, 'zwxq', 'Search everything for “zwxq”')
        await dialog(page).getByText('Nothing has these words in its name.').waitFor()
        await page.keyboard.press('Enter')
        const query = page.getByRole('combobox', { name: 'Search' })
        await hasFocus(query)
        await expect.poll(() => query.inputValue()).toBe('zwxq')
      }))

    it('offers nothing that would do nothing: without a conversation none of its actions', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await page.keyboard.press('Control+n')
        await page.getByRole('heading', { level: 1, name: 'New conversation' }).waitFor()
        await openPalette(page)
        await option(page, 'New conversation').waitFor()
        for (const name of ['Export…', 'Rename…', 'Map of branches', 'Find in conversation'])
          await expect.poll(() => option(page, name).count()).toBe(0)
      }))

    it('opens over no other dialog, also not over the choice of a model', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await openPalette(page)
        await find(page, 'choose a mod', 'Choose a model…')
        await page.keyboard.press('Enter')
        const picker = page.getByRole('dialog', { name: 'Choose a model' })
        await hasFocus(picker.getByRole('combobox'))
        await page.keyboard.press('Control+p')
        await page.keyboard.type('sonnet')
        await expect.poll(() => picker.getByRole('combobox').inputValue()).toBe('sonnet')
        await expect.poll(() => dialog(page).count()).toBe(0)
      }))

    it('has no fault of accessibility, and fits into a narrow window with large text', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await openPalette(page)
        await page.keyboard.type('e')
        await dialog(page).locator('mark').first().waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await resize(page, { width: 480, height: 640, zoom: 2 })
        const isInside = () =>
          dialog(page).evaluate((box) => {
            const { left, top, right, bottom } = box.getBoundingClientRect()
            return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
          })
        await expect.poll(isInside).toBe(true)
      }))
  })
}
