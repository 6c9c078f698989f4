import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Label' })
const feed = (page: Page) => page.getByRole('feed')
const turn = (page: Page) =>
  feed(page)
    .getByRole('article')
    .filter({ has: page.locator('.bubble') })
    .last()

/** Labels that a person gives to entries. */
export function entryLabels(harness: () => Harness): void {
  describe('the label of an entry', () => {
    it('has an outcome that is spoken also while a map covers the transcript', () =>
      withPage(harness(), { scenario: 'branches' }, async (page) => {
        await feed(page).waitFor()
        const spoken = page.locator('[role=status][aria-label=Label]')
        const isHeard = () => spoken.evaluate((element) => element.closest('[inert]') === null)
        await expect.poll(isHeard).toBe(true)
        await page.keyboard.press('Control+Shift+M')
        await page.locator('.map-canvas[data-drawn]').waitFor()
        await expect.poll(() => feed(page).count()).toBe(0)
        expect(await isHeard()).toBe(true)
      }))

    it('is given, changed, taken away and given back by keyboard, and Details go to it', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await feed(page).waitFor()
        await turn(page).focus()
        await page.keyboard.press('l')
        const word = dialog(page).getByRole('textbox', { name: 'Word' })
        await hasFocus(word)
        await page.keyboard.type('to decide')
        await page.keyboard.press('Tab')
        await hasFocus(dialog(page).getByRole('radio', { name: 'blue' }))
        await page.keyboard.press('ArrowRight')
        await hasFocus(dialog(page).getByRole('radio', { name: 'green' }))
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Enter')
        await dialog(page).waitFor({ state: 'detached' })
        await hasFocus(turn(page))
        const pill = turn(page).getByRole('button', { name: 'Label to decide, green. Change it' })
        await pill.waitFor()
        await expect
          .poll(() => page.getByRole('status', { name: 'Label' }).textContent())
          .toBe('The label is “to decide”.')
        await page.getByRole('list', { name: 'Labels' }).getByRole('button').waitFor()
        expect(await faultsInThemes(page)).toEqual([])

        await pill.press('Enter')
        await hasFocus(word)
        await page.keyboard.type('decided')
        await page.keyboard.press('Enter')
        await turn(page)
          .getByRole('button', { name: /^Label decided/ })
          .waitFor()
        await turn(page).getByRole('button', { name: 'Undo label' }).press('Enter')
        await turn(page)
          .getByRole('button', { name: /^Label to decide/ })
          .waitFor()

        await turn(page).press('Shift+F10')
        await page.getByRole('menuitem', { name: 'Remove label' }).press('Enter')
        await turn(page)
          .getByRole('button', { name: /^Label / })
          .waitFor({ state: 'detached' })
        await hasFocus(turn(page))
        await turn(page).getByRole('button', { name: 'Undo label' }).press('Enter')
        await pill.waitFor()
        const inDetails = page.getByRole('button', { name: 'Go to to decide, green' })
        await inDetails.press('Enter')
        await page.locator('.landed').waitFor()
      }))

    it('is offered where it is in use, and a refusal keeps what was typed', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await feed(page).waitFor()
        await turn(page).focus()
        await page.keyboard.press('l')
        await dialog(page).getByRole('textbox', { name: 'Word' }).fill('x'.repeat(41))
        await dialog(page).getByText('A label has 1 to 40 visible characters.').waitFor()
        await dialog(page).getByRole('textbox', { name: 'Word' }).fill('idea')
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await page.keyboard.press('Enter')
        await dialog(page).getByText('The label was not changed.').waitFor()
        await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
        await dialog(page).waitFor({ state: 'detached' })
        const other = feed(page)
          .getByRole('article')
          .filter({ has: page.locator('.bubble') })
          .first()
        await other.click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Label…' }).click()
        await dialog(page).getByRole('button', { name: 'Use idea, blue' }).click()
        await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
        await expect.poll(() => page.getByRole('button', { name: /^Label idea/ }).count()).toBe(2)
      }))
  })
}
