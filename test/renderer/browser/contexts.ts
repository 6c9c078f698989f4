import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { chooseByKeys, hasFocus, settled, withPage } from './page'

const main = { scenario: 'main' }
const list = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })
const titles = (page: Page) => page.locator('.library-title').allTextContents()
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The name of a context of ours that is open, after the window has been filled. */
async function opened(page: Page): Promise<string> {
  await page.getByRole('feed').waitFor()
  return (await heading(page).textContent()) ?? ''
}

const inMenu = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.closest('[role="menu"]'))

/** What is done to contexts as wholes: by menu, by keyboard, in dialogs. */
export function wholeContexts(harness: () => Harness): void {
  describe('the menu of a conversation', () => {
    it('opens by the menu key at the cursor, and gives the focus back', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        for (const key of ['Shift+F10', 'ContextMenu']) {
          await list(page).press(key)
          const menu = page.getByRole('menu', { name: `Actions for ${name}` })
          await menu.waitFor()
          await expect
            .poll(() => menu.getByRole('menuitem').allTextContents())
            .toEqual([
              'Pin',
              'Rename…',
              'Generate title…',
              'Tags…',
              'Color…',
              'Hide',
              'Compare with…',
              'Copy link',
              'Rename folder…',
              'System prompt…',
              'Summarize earlier messages…',
              'Start fresh for the model…',
              'Archive',
              'Move to trash…',
            ])
          await inMenu(page)
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
        await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
        await page.getByRole('menu').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await page.getByRole('option', { name: new RegExp(`^${name}`) }).click({ button: 'right' })
        await page.getByRole('menu', { name: `Actions for ${name}` }).waitFor()
      }))

    it("of another system's conversation holds nothing but its title and tags", () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const foreign = page.locator('.library-row[data-key*=":"]').first()
        await foreign.click({ button: 'right' })
        await page.getByRole('menu').waitFor()
        await expect
          .poll(() => page.getByRole('menuitem').allTextContents())
          .toEqual([
            'Pin',
            'Rename…',
            'Generate title…',
            'Tags…',
            'Color…',
            'Hide',
            'Compare with open conversation',
            'Copy link',
          ])
      }))
  })

  describe('a conversation', () => {
    it('has its folder renamed by keyboard, and stays open under its new name', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await chooseByKeys(page, 'Rename folder…')
        const dialog = page.getByRole('dialog', { name: 'Rename folder' })
        await dialog.waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await hasFocus(dialog.getByRole('textbox'))
        await page.keyboard.type('a b')
        await dialog.getByText(/^Only letters, digits/).waitFor()
        await expect
          .poll(() => dialog.getByRole('button', { name: 'Rename' }).isDisabled())
          .toBe(true)
        await page.keyboard.press('Control+A')
        await page.keyboard.type('allotment')
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('heading', { level: 1, name: 'allotment' }).waitFor()
        await page.getByRole('feed').waitFor()
        await expect.poll(() => titles(page)).toContain('allotment')
        await expect.poll(() => titles(page)).not.toContain(name)
      }))

    it('keeps its folder’s name while an answer is being written, and the dialog says so', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await page.evaluate(
          (key) => void window.skein.stores.completion.getState().retry(key as never),
          name,
        )
        await chooseByKeys(page, 'Rename folder…')
        await hasFocus(page.getByRole('dialog', { name: 'Rename folder' }).getByRole('textbox'))
        await page.keyboard.type('allotment')
        await page.keyboard.press('Enter')
        await page
          .getByRole('alert')
          .getByText(/An answer is being written/)
          .waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox')
        await expect.poll(() => heading(page).textContent()).toBe(name)
      }))

    it('is moved to the trash only after a question whose focus is on Cancel', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        await chooseByKeys(page, 'Move to trash…', 'ContextMenu')
        const dialog = page.getByRole('dialog', { name: 'Move to trash' })
        await dialog.waitFor()
        await dialog.getByText(/goes to the system’s trash, with (\d|all of its entries)/).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await hasFocus(dialog.getByRole('button', { name: 'Cancel' }))
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await expect.poll(() => titles(page)).toContain(name)
        await chooseByKeys(page, 'Move to trash…')
        await hasFocus(dialog.getByRole('button', { name: 'Cancel' }))
        await page.keyboard.press('Tab')
        await hasFocus(dialog.getByRole('button', { name: 'Move to trash' }))
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('heading', { name: `“${name}” is in the trash` }).waitFor()
        await expect.poll(() => titles(page)).not.toContain(name)
        await page.getByRole('option').first().click()
        await page.getByRole('feed').waitFor()
      }))

    it('is archived and brought back; the others are hidden meanwhile', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        const before = await titles(page)
        await chooseByKeys(page, 'Archive')
        const shelf = page.getByRole('button', { name: 'Archived 1' })
        await shelf.waitFor()
        await expect.poll(() => titles(page)).not.toContain(name)
        await expect.poll(() => heading(page).textContent()).toBe(name)
        await shelf.press('Enter')
        await expect.poll(() => titles(page)).toEqual([name])
        await expect.poll(() => shelf.getAttribute('aria-pressed')).toBe('true')
        expect(await faultsInThemes(page)).toEqual([])
        await chooseByKeys(page, 'Unarchive')
        await shelf.waitFor({ state: 'detached' })
        await expect.poll(async () => (await titles(page)).sort()).toEqual([...before].sort())
      }))

    it('is listed again by the undo that is offered, which the keyboard reaches', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        const before = await titles(page)
        await chooseByKeys(page, 'Archive')
        const offer = page.getByText(`Archived: ${name}`, { exact: true })
        await offer.waitFor()
        await page.keyboard.press('F8')
        await hasFocus(page.getByRole('button', { name: 'Undo', exact: true }))
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Enter')
        await offer.waitFor({ state: 'detached' })
        await expect.poll(async () => (await titles(page)).sort()).toEqual([...before].sort())
        await hasFocus(list(page))
      }))

    it('that is open has a mark in the library that no other row has, in forced colours too', () =>
      withPage(harness(), main, async (page) => {
        const name = await opened(page)
        const marked = () =>
          page
            .locator('.library-row')
            .evaluateAll((rows) =>
              rows
                .filter((row) => getComputedStyle(row, '::before').content !== 'none')
                .map((row) => row.querySelector('.library-title')?.textContent),
            )
        for (const forcedColors of ['none', 'active'] as const) {
          await page.emulateMedia({ forcedColors })
          await list(page).press('ArrowDown')
          await expect.poll(marked).toEqual([name])
          const colors = page.locator('.library-row.selected').evaluate((row) => {
            const { backgroundColor } = getComputedStyle(row, '::before')
            return [backgroundColor, getComputedStyle(document.body).backgroundColor]
          })
          const [mark, ground] = await colors
          expect(mark).not.toBe(ground)
        }
      }))

    it('is counted in Settings as soon as it is listed', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.evaluate(() => window.skein.stores.app.getState().openSettings('storage'))
        const shown = await page.evaluate(
          () => window.skein.stores.library.getState().conversations.length,
        )
        await page.getByText(`${shown} conversations, one folder each`).waitFor()
        await page.evaluate(() => {
          const { library } = window.skein.stores
          const [first] = library.getState().conversations
          if (first === undefined) throw new Error('nothing is listed')
          library.getState().fold({ conversations: [], gone: [first.key] })
        })
        await page.getByText(`${shown - 1} conversations, one folder each`).waitFor()
      }))

    it('gets a system prompt of its own, whose words are not lost by Escape', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await chooseByKeys(page, 'System prompt…')
        const field = page.getByRole('textbox', { name: 'Sent to the model first' })
        await field.waitFor()
        await expect
          .poll(() => field.getAttribute('placeholder'))
          .toBe('You are a careful gardener.')
        expect(await faultsInThemes(page)).toEqual([])
        await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
        await page.keyboard.type('Be terse.')
        await page.keyboard.press('Escape')
        await expect.poll(() => field.inputValue()).toBe('Be terse.')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await chooseByKeys(page, 'System prompt…')
        await field.waitFor()
        await expect.poll(() => field.inputValue()).toBe('Be terse.')
        await page.getByRole('button', { name: 'Use the default' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }))

    it('gets a new window', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await chooseByKeys(page, 'Start fresh for the model…')
        const dialog = page.getByRole('dialog', { name: 'Start fresh for the model' })
        await dialog.waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await hasFocus(dialog.getByRole('button', { name: 'Cancel' }))
        await page.keyboard.press('Shift+Tab')
        await hasFocus(dialog.getByRole('checkbox'))
        await page.keyboard.press('Space')
        await dialog.getByRole('button', { name: 'Start fresh' }).click()
        await dialog.waitFor({ state: 'detached' })
        const cleared = () =>
          page.evaluate(
            () =>
              window.home.api.calls.findLast(({ channel }) => channel === 'contexts.clear')?.args,
          )
        await expect.poll(cleared).toMatchObject({ page: true })
      }))

    it('shows in the list that it is answered, and so do others, whichever is open', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        const own = page.locator('.library-row:not([data-key*=":"])')
        await expect.poll(() => own.count()).toBeGreaterThan(2)
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
        await expect
          .poll(async () => [await badge(first).count(), await badge(second).count()])
          .toEqual([1, 1])
        await page.evaluate((name) => window.home.finish(name), first)
        await badge(first).waitFor({ state: 'detached' })
        await expect.poll(() => badge(second).count()).toBe(1)
      }))
  })
}
