import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { hasFocus, withPage } from './page'

const main = { scenario: 'main' }

async function openExports(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Exports', exact: true }).click()
}

/** Own patterns of redaction that are kept, in Settings and in the export dialog. */
export function keptPatterns(harness: () => Harness): void {
  describe('own patterns of redaction', () => {
    const field = (page: Page) => page.getByRole('textbox', { name: 'Own patterns' })
    const row = (page: Page, pattern: string) =>
      page.getByRole('list', { name: 'Own patterns' }).getByText(pattern, { exact: true })

    it('are tried as they are typed, kept by Enter, changed, removed and brought back', () =>
      withPage(harness(), main, async (page) => {
        await openExports(page)
        await page.getByText(/^None are kept\./).waitFor()
        await field(page).fill('plums')
        await page.getByText(/^5 places in “/).waitFor()
        await field(page).fill('nothing')
        await page.getByText(/^Nothing in “/).waitFor()
        await field(page).press('Enter')
        await row(page, 'nothing').waitFor()
        await expect.poll(() => field(page).inputValue()).toBe('')
        await page.getByRole('button', { name: 'Edit nothing' }).press('Enter')
        await hasFocus(field(page))
        await field(page).fill('/pears?/')
        await field(page).press('Enter')
        await row(page, '/pears?/').waitFor()
        await row(page, 'nothing').waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Remove /pears?/' }).press('Enter')
        await row(page, '/pears?/').waitFor({ state: 'detached' })
        await hasFocus(field(page))
        await page.getByRole('button', { name: 'Undo' }).press('Enter')
        await row(page, '/pears?/').waitFor()
        await hasFocus(field(page))
      }))

    it('say why they are refused, and are not kept then', () =>
      withPage(harness(), main, async (page) => {
        await openExports(page)
        await page.evaluate(() => window.refuseNext('bad-argument', 'It is no regular expression.'))
        await field(page).fill('(')
        await page.getByText('It is no regular expression.').waitFor()
        const add = page.getByRole('button', { name: 'Add', exact: true })
        await expect.poll(() => add.isDisabled()).toBe(true)
        await field(page).press('Enter')
        await field(page).press('Escape')
        await page.getByText(/^None are kept\./).waitFor()
      }))

    it('are named where an export asks what to redact', () =>
      withPage(harness(), main, async (page) => {
        await openExports(page)
        await field(page).fill('plums')
        await field(page).press('Enter')
        await row(page, 'plums').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Export', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'Export' })
        await dialog.getByRole('checkbox', { name: 'Replace secrets' }).check()
        await dialog.locator('summary', { hasText: '1 pattern of Settings' }).click()
        await dialog.getByText('plums', { exact: true }).waitFor()
        await dialog.getByRole('textbox', { name: /^Further patterns/ }).waitFor()
      }))
  })
}
