import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { chooseByKeys, hasFocus, withPage } from './page'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Tags' })
const rows = (page: Page) => page.locator('.library-row')

/** Tags that a person gives to conversations. */
export function conversationTags(harness: () => Harness): void {
  describe('the tags of a conversation', () => {
    it('are added and removed by keyboard, and the library shows what has one', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const all = await rows(page).count()
        await chooseByKeys(page, 'Tags…')
        const field = dialog(page).getByRole('textbox', { name: 'New tag' })
        await hasFocus(field)
        await page.keyboard.type('Beet')
        await page.keyboard.press('Enter')
        await dialog(page).getByRole('button', { name: 'Remove Beet' }).waitFor()
        await expect.poll(() => field.inputValue()).toBe('')
        await hasFocus(field)
        // One that is there in any case is none more.
        await page.keyboard.type('bEET')
        await page.getByText('The conversation has this tag.').waitFor()
        await field.fill('Frühling 2026')
        await page.keyboard.press('Enter')
        await dialog(page).getByRole('button', { name: 'Remove Frühling 2026' }).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
        await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox')
        await page.getByRole('option', { name: /tags Beet, Frühling 2026/ }).waitFor()

        await page.getByRole('button', { name: 'Tags', exact: true }).click()
        await page.getByRole('menuitemradio', { name: /^Beet/ }).click()
        await expect.poll(() => rows(page).count()).toBe(1)
        expect(await faultsInThemes(page)).toEqual([])
        await chooseByKeys(page, 'Tags…')
        await dialog(page).getByRole('button', { name: 'Remove Beet' }).press('Enter')
        await dialog(page)
          .getByRole('button', { name: 'Remove Beet' })
          .waitFor({ state: 'detached' })
        // What had the focus is gone.
        await hasFocus(field)
        await expect
          .poll(() => page.getByRole('status', { name: 'Tags' }).textContent())
          .toBe('The tag “Beet” is removed.')
        await dialog(page).getByRole('button', { name: 'Done' }).click()
        await page.getByText('No conversation here has the tag “Beet”.').waitFor()
        await page.getByRole('button', { name: 'Show all' }).click()
        await expect.poll(() => rows(page).count()).toBe(all)
      }))

    it('are offered from those in use, also to another system, and a refusal is told', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const open = async (at: number) => {
          await page.locator('.library-row[data-key*=":"]').nth(at).click({ button: 'right' })
          await page.getByRole('menuitem', { name: 'Tags…' }).click()
        }
        await open(0)
        await dialog(page).getByRole('textbox').fill('Beet')
        await dialog(page).getByRole('button', { name: 'Add tag' }).click()
        await dialog(page).getByRole('button', { name: 'Remove Beet' }).waitFor()
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
        await open(1)
        // What it asks as it opens is not what is refused.
        await dialog(page).getByRole('button', { name: 'Add Beet' }).waitFor()
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await dialog(page).getByRole('button', { name: 'Add Beet' }).click()
        await page.getByText('The tags were not changed. The disk is full.').waitFor()
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await dialog(page).getByRole('button', { name: 'Add Beet' }).click()
        await dialog(page).getByRole('button', { name: 'Remove Beet' }).waitFor()
        await expect
          .poll(() => page.locator('.library-row .library-tags').allTextContents())
          .toEqual(['tags Beet', 'tags Beet'])
      }))

    it('are changed in the details, which have the focus again afterwards', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const change = page.getByRole('button', { name: 'Change tags' })
        if (!(await change.isVisible())) await page.keyboard.press('Control+Alt+b')
        await change.click()
        await dialog(page).getByRole('textbox').fill('Beet')
        await page.keyboard.press('Enter')
        await dialog(page).getByRole('button', { name: 'Remove Beet' }).waitFor()
        await page.keyboard.press('Escape')
        await hasFocus(change)
        await page.getByRole('button', { name: 'Show what is tagged Beet' }).click()
        await expect.poll(() => rows(page).count()).toBe(1)
      }))
  })
}
