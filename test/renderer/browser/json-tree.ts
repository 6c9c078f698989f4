import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, openConversation, resize, withPage } from './page'

const tree = (page: Page) => page.getByRole('tree', { name: 'Result as a tree' })
const item = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name })

async function opened(page: Page): Promise<void> {
  await openConversation(page, 'json')
  await tree(page).waitFor()
}

/** Results that are JSON. */
export function jsonTrees(harness: () => Harness): void {
  describe('a result that is JSON', () => {
    it('is a tree with every digit as it came, in every theme and width, and text on demand', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await item(page, 'id: 12345678901234567890').waitFor()
        await item(page, 'id: 1e400').waitFor()
        await item(page, 'price: 1.50').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await resize(page, { width: 800, height: 900 })
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: 'As it came' }).press('Enter')
        await tree(page).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Copy result' }).press('Enter')
        await expect
          .poll(() => page.evaluate(() => navigator.clipboard.readText()))
          .toContain('"price": 1.50, "id": 1e400')
      }))

    it('stands below arguments that are a tree too, where no viewer draws what the call asks for', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await openConversation(page, 'arguments')
        const asked = page.getByRole('tree', { name: 'Arguments as a tree' })
        await asked.getByRole('treeitem', { name: /^rules: / }).waitFor()
        await page.getByText('Shows the first 7 of 9,000 characters.').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await page.getByRole('button', { name: 'As it came' }).press('Enter')
        await asked.waitFor({ state: 'detached' })
        await page
          .getByRole('group', { name: 'Arguments' })
          .getByText('{"beds":[{"name":"north"')
          .waitFor()
      }))

    it('is walked and folded by keyboard', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await tree(page).getByRole('treeitem').first().focus()
        await page.keyboard.press('End')
        await hasFocus(item(page, /^list: /))
        await page.keyboard.press('ArrowRight')
        await item(page, 'Show 100 more, 150 are left').waitFor()
        await page.keyboard.press('End')
        await page.keyboard.press('Enter')
        await item(page, 'Show 50 more, 50 are left').waitFor()
        await item(page, '199: 199').waitFor()
        await page.keyboard.press('ArrowLeft')
        await hasFocus(item(page, /^list: /))
        await page.keyboard.press('ArrowLeft')
        await item(page, '199: 199').waitFor({ state: 'detached' })
        await page.keyboard.press('ArrowUp')
        await hasFocus(item(page, /^note: /))
        await page.keyboard.press('Enter')
        await item(page, /(Rain fell\. ){29}Rain fell\./).waitFor()
        await page.keyboard.press('Home')
        await page.keyboard.press('ArrowLeft')
        await expect.poll(() => tree(page).getByRole('treeitem').count()).toBe(1)
      }))
  })
}
