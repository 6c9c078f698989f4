import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, openedAtEnd, resize, withPage } from './page'

const main = { scenario: 'main' }
const message = (page: Page) => page.locator('[data-focus="composer"]')
const shown = (page: Page) => message(page).inputValue()
const list = (page: Page) => page.getByRole('listbox', { name: 'Files and conversations' })
const offered = (page: Page) => list(page).locator('.offer-typed').allTextContents()
const files = (page: Page) => page.getByRole('list', { name: 'Text files to send' })

async function opened(page: Page): Promise<void> {
  await openedAtEnd(page)
  await message(page).focus()
}

/** Files and conversations that a message names with an `@`. */
export function mentions(harness: () => Harness): void {
  describe('an @ in a message', () => {
    it('lists files by parts of their paths, and attaches the one that is taken', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('Look at @')
        await expect.poll(() => offered(page)).toContain('@importer.py')
        await expect
          .poll(() => page.getByRole('status', { name: 'Files and conversations' }).textContent())
          .toMatch(/^\d+ suggestions$/)
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await page.keyboard.type('data/ra')
        await expect.poll(() => offered(page)).toEqual(['@rain.csv'])
        await page.keyboard.press('Enter')
        await files(page).getByText('rain.csv').waitFor()
        await expect.poll(() => shown(page)).toBe('Look at rain.csv ')
        await expect.poll(() => list(page).count()).toBe(0)
        await page.keyboard.type('and @blob')
        await expect.poll(() => offered(page)).toEqual(['@blob.bin'])
        await page.keyboard.press('Tab')
        await page
          .getByText('"blob.bin" is no PNG, JPEG, GIF or WebP image, and is not text')
          .waitFor()
        await expect.poll(() => files(page).getByRole('listitem').count()).toBe(1)
      }))

    it('lists conversations by title, asks for a part, shows it, and quotes it with its origin', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('@flaky')
        await expect.poll(() => offered(page)).toEqual(['@flaky-upload-test'])
        await page.keyboard.press('Enter')
        const sheet = page.getByRole('dialog', { name: 'Quote a conversation' })
        await hasFocus(sheet.getByRole('radio', { name: 'The last answer' }))
        await sheet.getByText('Quoted from the conversation “flaky-upload-test”').waitFor()
        await page.keyboard.press('ArrowDown')
        await sheet.getByText('its prompts and the last answer to each').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await resize(page, { width: 800, height: 600 })
        expect(await faultsInThemes(page)).toEqual([])
        await sheet.getByRole('button', { name: 'Attach' }).click()
        await hasFocus(message(page))
        await expect.poll(() => shown(page)).toBe('“flaky-upload-test” ')
        await files(page)
          .getByRole('button', { name: /^flaky-upload-test\.md/ })
          .click()
        const preview = page.getByRole('dialog', { name: 'flaky-upload-test.md' })
        await preview.getByText('Link: skein://conversation/flaky-upload-test').waitFor()
      }))

    it('leaves the question with the draft that it was asked for', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('@flaky')
        await expect.poll(() => offered(page)).toEqual(['@flaky-upload-test'])
        await page.keyboard.press('Enter')
        const sheet = page.getByRole('dialog', { name: 'Quote a conversation' })
        await sheet.getByText('Quoted from the conversation “flaky-upload-test”').waitFor()
        await page.evaluate(() => {
          const { actions, stores } = window.skein
          const { conversations } = stores.library.getState()
          const other = conversations.find(({ title }) => title === 'flaky-upload-test')
          if (other !== undefined) actions.openConversation(other.key)
        })
        await page.getByRole('heading', { level: 1, name: 'flaky-upload-test' }).waitFor()
        await sheet.waitFor({ state: 'detached' })
        const isAsked = () =>
          page.evaluate(() => window.skein.stores.mentions.getState().question !== undefined)
        await expect.poll(isAsked).toBe(false)
      }))

    it('inside of a word asks for nothing, and is sent as it is', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('mail ann@rain')
        await expect.poll(() => list(page).count()).toBe(0)
        await page.keyboard.type(' @nobody-has-this')
        await expect.poll(() => list(page).count()).toBe(0)
        await page.keyboard.press('Enter')
        await page
          .getByRole('article', { name: /^You/ })
          .getByText('mail ann@rain @nobody-has-this')
          .waitFor()
      }))
  })
}
