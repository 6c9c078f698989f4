import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { settled, withPage } from './page'

const main = { scenario: 'main' }
const list = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })
const titles = (page: Page) => page.locator('.library-title').allTextContents()
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The name of a context of ours that is open, after the window has been filled. */
async function opened(page: Page): Promise<string> {
  await page.getByRole('feed').waitFor()
  return (await heading(page).textContent()) ?? ''
}

/** Opens the menu of the open conversation in the list, by keyboard, and chooses an entry of it by its first letters. */
async function choose(page: Page, entry: string, key = 'Shift+F10'): Promise<void> {
  await list(page).focus()
  await page.keyboard.press(key)
  const item = page.getByRole('menuitem', { name: entry })
  await item.waitFor()
  await page.keyboard.type(entry.slice(0, 4).toLowerCase())
  await page.waitForFunction((name) => document.activeElement?.textContent === name, entry)
  await page.keyboard.press('Enter')
}

/** What is done to contexts as wholes: by menu, by keyboard, in dialogs. */
export function wholeContexts(harness: () => Harness): void {
  describe('the menu of a conversation', () => {
    it('opens by the menu key at the cursor, and gives the focus back', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await list(page).focus()
        for (const key of ['Shift+F10', 'ContextMenu']) {
          await page.keyboard.press(key)
          const menu = page.getByRole('menu', { name: `What can be done with ${name}` })
          await menu.waitFor()
          expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
            'Rename…',
            'Title…',
            'Title by the model…',
            'System prompt…',
            'Compact window…',
            'Clear window…',
            'Archive',
            'Move to trash…',
          ])
          await page.keyboard.press('Escape')
          await menu.waitFor({ state: 'detached' })
          await page.waitForFunction(
            () => document.activeElement?.getAttribute('role') === 'listbox',
          )
        }
      }))

    it('opens from the bar and by the right button, and has no serious fault of accessibility', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await page.getByRole('button', { name: 'More', exact: true }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('menu').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await page.getByRole('option', { name: new RegExp(`^${name}`) }).click({ button: 'right' })
        await page.getByRole('menu', { name: `What can be done with ${name}` }).waitFor()
      }))

    it("of another system's conversation holds nothing but its title", () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const foreign = page.locator('.library-row[data-key*=":"]').first()
        await foreign.click({ button: 'right' })
        await page.getByRole('menu').waitFor()
        expect(await page.getByRole('menuitem').allTextContents()).toEqual([
          'Title…',
          'Title by the model…',
        ])
      }))
  })

  describe('a conversation', () => {
    it('is renamed by keyboard, and stays open under its new name', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await choose(page, 'Rename…')
        const dialog = page.getByRole('dialog', { name: 'Rename' })
        await dialog.waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.type('a b')
        await dialog.getByText(/^Only letters, digits/).waitFor()
        expect(await dialog.getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true)
        await page.keyboard.press('Control+A')
        await page.keyboard.type('allotment')
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('heading', { level: 1, name: 'allotment' }).waitFor()
        await page.getByRole('feed').waitFor()
        expect(await titles(page)).toContain('allotment')
        expect(await titles(page)).not.toContain(name)
      }))

    it('is not renamed while an answer is being written, and the dialog says so', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await page.evaluate(
          (key) => void window.skein.stores.completion.getState().retry(key as never),
          name,
        )
        await choose(page, 'Rename…')
        await page.keyboard.type('allotment')
        await page.keyboard.press('Enter')
        await page
          .getByRole('alert')
          .getByText(/An answer is being written/)
          .waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox')
        expect(await heading(page).textContent()).toBe(name)
      }))

    it('is moved to the trash only after a question whose focus is on Cancel', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await choose(page, 'Move to trash…', 'ContextMenu')
        const dialog = page.getByRole('dialog', { name: 'Move to trash' })
        await dialog.waitFor()
        await dialog.getByText(/goes to the system’s trash, with (\d|all of its entries)/).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        expect(await titles(page)).toContain(name)
        await choose(page, 'Move to trash…')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('heading', { name: `“${name}” is in the trash` }).waitFor()
        expect(await titles(page)).not.toContain(name)
        await page.getByRole('option').first().click()
        await page.getByRole('feed').waitFor()
      }))

    it('is archived and brought back; the others are hidden meanwhile', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        const before = await titles(page)
        await choose(page, 'Archive')
        const shelf = page.getByRole('button', { name: 'Archived 1' })
        await shelf.waitFor()
        expect(await titles(page)).not.toContain(name)
        expect(await heading(page).textContent()).toBe(name)
        await shelf.focus()
        await page.keyboard.press('Enter')
        await settled(page)
        expect(await titles(page)).toEqual([name])
        expect(await shelf.getAttribute('aria-pressed')).toBe('true')
        expect(await faultsInThemes(page)).toEqual([])
        await choose(page, 'Unarchive')
        await shelf.waitFor({ state: 'detached' })
        expect((await titles(page)).sort()).toEqual([...before].sort())
      }))

    it('gets a system prompt of its own, whose words are not lost by Escape', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await choose(page, 'System prompt…')
        const field = page.getByRole('textbox', { name: 'What the model is told first' })
        await field.waitFor()
        expect(await field.getAttribute('placeholder')).toBe('You are a careful gardener.')
        expect(await faultsInThemes(page)).toEqual([])
        await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
        await page.keyboard.type('Be terse.')
        await page.keyboard.press('Escape')
        expect(await field.inputValue()).toBe('Be terse.')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await choose(page, 'System prompt…')
        await field.waitFor()
        expect(await field.inputValue()).toBe('Be terse.')
        await page.getByRole('button', { name: 'Use the home’s instead' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }))

    it('gets a new window', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await choose(page, 'Clear window…')
        const dialog = page.getByRole('dialog', { name: 'Clear window' })
        await dialog.waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Shift+Tab')
        await page.keyboard.press('Space')
        await dialog.getByRole('button', { name: 'Clear window' }).click()
        await dialog.waitFor({ state: 'detached' })
        const call = await page.evaluate(() =>
          window.home.api.calls.findLast(({ channel }) => channel === 'contexts.clear'),
        )
        expect(call?.args).toMatchObject({ page: true })
      }))

    it('shows in the list that it is answered, and so do others, whichever is open', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        const own = page.locator('.library-row:not([data-key*=":"])')
        const names = (await own.evaluateAll((rows) =>
          rows.map((row) => row.getAttribute('data-key')),
        )) as string[]
        const [first = '', second = '', third = ''] = names
        for (const name of [first, second])
          await page.evaluate(
            (key) => void window.skein.stores.completion.getState().retry(key as never),
            name,
          )
        const badge = (name: string) => page.locator(`.library-row[data-key="${name}"] .live`)
        await badge(first).waitFor()
        await badge(second).waitFor()
        await page.locator(`.library-row[data-key="${third}"]`).click()
        await page.getByRole('feed').waitFor()
        await settled(page)
        expect([await badge(first).count(), await badge(second).count()]).toEqual([1, 1])
        await page.evaluate((name) => window.home.finish(name), first)
        await badge(first).waitFor({ state: 'detached' })
        expect(await badge(second).count()).toBe(1)
      }))
  })
}
