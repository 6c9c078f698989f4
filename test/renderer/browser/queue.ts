import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, openedAtEnd, resize, withPage } from './page'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const queue = (page: Page) => page.getByRole('region', { name: 'Queued messages' })
const texts = (page: Page) => queue(page).locator('.queue-text').allTextContents()
const status = (page: Page) => page.getByRole('status', { name: 'Queue' }).textContent()

/** Sends a first message, and queues others by Enter while its answer comes. */
async function queued(page: Page, ...more: readonly string[]): Promise<void> {
  await openedAtEnd(page)
  for (const text of ['Go on.', ...more]) {
    await message(page).fill(text)
    await message(page).press('Enter')
    await expect.poll(() => message(page).inputValue()).toBe('')
    await button(page, 'Stop').waitFor()
  }
}

/** Messages that wait for the end of an answer. */
export function queuedMessages(harness: () => Harness): void {
  describe('a message that is sent while an answer comes', () => {
    it('waits above the field, and goes out by itself when the answer is whole', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await queued(page, 'And then?', 'And after that?')
        await expect.poll(() => texts(page)).toEqual(['And then?', 'And after that?'])
        await expect.poll(() => status(page)).toBe('2 messages queued. ')
        await hasFocus(message(page))
        expect(await faultsInThemes(page)).toEqual([])
        await page.evaluate(() => window.home.delta('import-gap', 'Whole.'))
        await page.evaluate(() => window.home.finish('import-gap'))
        await page.getByRole('article', { name: /^You/ }).getByText('And then?').waitFor()
        await expect.poll(() => texts(page)).toEqual(['And after that?'])
        await button(page, 'Stop').waitFor()
      }))

    it('is edited and removed by keyboard, and the focus stays near', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await queued(page, 'one', 'two', 'three')
        await button(page, 'Edit queued message 2').press('Enter')
        const field = page.getByRole('textbox', { name: 'Queued message 2' })
        await hasFocus(field)
        await page.keyboard.press('End')
        await page.keyboard.type(' and a half')
        await page.keyboard.press('Enter')
        await expect.poll(() => texts(page)).toEqual(['one', 'two and a half', 'three'])
        await hasFocus(button(page, 'Edit queued message 2'))
        await page.keyboard.press('Enter')
        await hasFocus(field)
        await page.keyboard.type('!')
        await page.keyboard.press('Escape')
        // Esc left the edit, and stopped no answer.
        await hasFocus(button(page, 'Edit queued message 2'))
        await button(page, 'Stop').waitFor()
        await button(page, 'Remove queued message 3').press('Enter')
        await hasFocus(button(page, 'Remove queued message 2'))
        await page.keyboard.press('Enter')
        await hasFocus(button(page, 'Remove queued message 1'))
        await page.keyboard.press('Enter')
        await hasFocus(message(page))
        await expect.poll(() => queue(page).count()).toBe(0)
      }))

    it('waits for a person after Stop, and is there after a reload', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await queued(page, 'And then?')
        await message(page).press('Escape')
        await queue(page).getByText('Not sent: the answer was stopped.').waitFor()
        await expect
          .poll(() => status(page))
          .toBe('1 message queued. Not sent: the answer was stopped.')
        await page.reload()
        await queue(page).getByText('Not sent: the window was closed or reloaded.').waitFor()
        await button(page, 'Send now').press('Enter')
        await page.getByRole('article', { name: /^You/ }).getByText('And then?').waitFor()
        await expect.poll(() => queue(page).count()).toBe(0)
        await hasFocus(message(page))
      }))

    it('has room in a small window with large text', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await queued(page, `${'long '.repeat(300)}\n\n\n\nend`, 'w'.repeat(500))
        for (const [width, height, zoom] of [
          [800, 600, 1.5],
          [360, 640, 1],
        ] as const) {
          await resize(page, { width, height, zoom })
          const sideways = () =>
            page.evaluate(() => {
              const outer = document.querySelector('.queue')
              return outer === null ? undefined : outer.scrollWidth - outer.clientWidth
            })
          await expect.poll(async () => [width, await sideways()]).toEqual([width, 0])
          await message(page).waitFor()
        }
      }))
  })
}
