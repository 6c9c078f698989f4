import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { hasFocus, openedAtEnd, withPage } from './page'

/** The whole window without a mouse. */
export function keyboard(harness: () => Harness): void {
  describe('by keyboard alone', () => {
    it('a conversation is found, opened, read and answered', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.keyboard.press('Control+k')
        await waitForFocus(page, 'Filter conversations')
        await page.keyboard.type('kettle')
        await page.getByRole('option').first().waitFor()
        await expect.poll(() => page.getByRole('option').count()).toBe(1)
        await page.keyboard.press('ArrowDown')
        await expectFocus(page, 'Conversations')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'broken-kettle' }).waitFor()
        await waitForFocus(page, 'Message')
        await page.keyboard.type('Thank you.')
        await page.keyboard.press('Shift+Enter')
        await page.keyboard.type('Bye.')
        await page.keyboard.press('Enter')
        await page.getByRole('article', { name: /^You/ }).getByText('Thank you.').waitFor()
        await page.getByRole('button', { name: 'Stop' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Send' }).waitFor()
        const calls = () =>
          page.evaluate(() =>
            window.home.api.calls
              .map(({ channel }) => channel)
              .filter((channel) => channel.startsWith('completion.')),
          )
        await expect
          .poll(calls)
          .toEqual([
            'completion.asking',
            'completion.running',
            'completion.start',
            'completion.cancel',
          ])
      }))

    it('F6 goes around the panes', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        for (const pane of ['Conversations', 'Transcript', 'Message', 'Details', 'Conversations']) {
          await page.keyboard.press('F6')
          await waitForFocus(page, pane)
        }
        await page.keyboard.press('Shift+F6')
        await waitForFocus(page, 'Details')
      }))

    it('J and K go by turn, R shows the source line, O unfolds, Esc goes out', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        const feed = page.getByRole('feed')
        await feed.focus()
        const moves = async (key: string) => {
          const before = await focusedName(page)
          await page.keyboard.press(key)
          await expect.poll(() => focusedName(page)).not.toBe(before)
          return focusedName(page)
        }
        const last = await moves('k')
        await moves('k')
        expect(await moves('j')).toBe(last)

        for (let name = last; !name.startsWith('Tool read_file'); ) name = await moves('k')
        await page.keyboard.press('o')
        await page.getByRole('region', { name: 'Result' }).first().waitFor()
        await page.keyboard.press('r')
        await page
          .getByText(/"entry_type":"tool_call"/)
          .first()
          .waitFor()
        await page.keyboard.press('c')
        await expect
          .poll(() => page.evaluate(() => navigator.clipboard.readText()))
          .toContain('station/importer.py')
        await moves('Tab')
        await page.keyboard.press('Escape')
        await expectFocus(page, /^Tool read_file/)
        await page.keyboard.press('Escape')
        await expectFocus(page, 'Message')
      }))

    it('the library has one focus stop: arrows, Home, End and letters move in it', () =>
      withPage(harness(), { scenario: 'many' }, async (page) => {
        await page.getByText('4,318 conversations').waitFor()
        const list = page.getByRole('listbox', { name: 'Conversations' })
        await list.focus()
        const active = async () => {
          const id = await list.getAttribute('aria-activedescendant')
          return page.evaluate((name) => document.getElementById(name ?? '')?.textContent, id)
        }
        await page.keyboard.press('End')
        await expect.poll(() => active()).toMatch(/^conversation-4317/)
        await page.keyboard.press('Home')
        await expect.poll(() => active()).toMatch(/^conversation-0000/)
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => active()).toMatch(/^conversation-0001/)
        await typeAtOnce(list, 'conversation-02')
        await expect.poll(() => active()).toMatch(/^conversation-0200/)
        await expect.poll(() => page.getByRole('option').count()).toBeLessThan(80)
      }))

    it('panes hide and come back, and Settings opens and closes where the focus was', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.getByRole('textbox', { name: 'Message' }).press('Control+b')
        await page.getByRole('region', { name: 'Library' }).waitFor({ state: 'detached' })
        await page.keyboard.press('Control+b')
        await waitForFocus(page, 'Conversations')
        await page.keyboard.press('Control+Alt+b')
        await page.getByRole('region', { name: 'Details' }).waitFor({ state: 'detached' })
        await page.getByRole('textbox', { name: 'Message' }).press('Control+,')
        await page.getByRole('heading', { name: 'Settings' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('heading', { name: 'Settings' }).waitFor({ state: 'detached' })
        await expectFocus(page, 'Message')
      }))

    it('the first start is chosen with arrows and opened with Enter', () =>
      withPage(harness(), { scenario: 'first-run' }, async (page) => {
        await page.getByRole('radio', { name: /Use/ }).press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => page.getByRole('radio', { name: /sample/ }).isChecked()).toBe(true)
        await page.keyboard.press('Enter')
        await page.getByText('Sample library', { exact: true }).waitFor()
        await hasFocus(page.getByRole('textbox', { name: 'Message' }))
      }))
  })
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('aria-label') ?? activeElement?.tagName ?? ''
  })
}

async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  const focused = expect.poll(() => focusedName(page))
  await (typeof name === 'string' ? focused.toBe(name) : focused.toMatch(name))
}

/** Types letters in one turn of the page: whoever types slowly begins a new word. */
async function typeAtOnce(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, letters) => {
    for (const key of letters)
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }, text)
}

async function waitForFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (label) => document.activeElement?.getAttribute('aria-label') === label,
    name,
  )
}
