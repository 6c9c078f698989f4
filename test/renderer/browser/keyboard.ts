import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { settled, withPage } from './page'

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
        expect(await page.getByRole('option').count()).toBe(1)
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
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Send' }).waitFor()
        const calls = await page.evaluate(() => window.home.api.calls.map(({ channel }) => channel))
        expect(calls.filter((channel) => channel.startsWith('completion.'))).toEqual([
          'completion.asking',
          'completion.running',
          'completion.start',
          'completion.cancel',
        ])
      }))

    it('F6 goes around the panes', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const seen: string[] = []
        for (let step = 0; step < 5; step++) {
          await page.keyboard.press('F6')
          seen.push(await focusedName(page))
        }
        expect(seen).toEqual(['Conversations', 'Transcript', 'Message', 'Details', 'Conversations'])
        await page.keyboard.press('Shift+F6')
        await expectFocus(page, 'Details')
      }))

    it('J and K go by turn, R shows the source line, O unfolds, Esc goes out', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').focus()
        await page.keyboard.press('k')
        await page.keyboard.press('k')
        const names = [await focusedName(page)]
        await page.keyboard.press('j')
        names.push(await focusedName(page))
        expect(names.map((name) => name.split(',')[0])).not.toEqual([names[0], names[0]])

        for (let step = 0; step < 12; step++) {
          if ((await focusedName(page)).startsWith('Tool read_file')) break
          await page.keyboard.press('k')
          await settled(page)
        }
        await expectFocus(page, /^Tool read_file/)
        await page.keyboard.press('o')
        await page.getByRole('region', { name: 'Result' }).first().waitFor()
        await page.keyboard.press('r')
        await page
          .getByText(/"entry_type":"tool_call"/)
          .first()
          .waitFor()
        await page.keyboard.press('c')
        expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
          'station/importer.py',
        )
        await page.keyboard.press('Tab')
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
          return page.locator(`[id="${id}"]`).textContent()
        }
        await page.keyboard.press('End')
        await settled(page)
        expect(await active()).toMatch(/^conversation-4317/)
        await page.keyboard.press('Home')
        await settled(page)
        await page.keyboard.press('ArrowDown')
        expect(await active()).toMatch(/^conversation-0001/)
        await page.keyboard.type('conversation-02', { delay: 5 })
        await settled(page)
        expect(await active()).toMatch(/^conversation-0200/)
        expect(await page.getByRole('option').count()).toBeLessThan(80)
      }))

    it('panes hide and come back, and Settings opens and closes where the focus was', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('textbox', { name: 'Message' }).focus()
        await page.keyboard.press('Control+b')
        await page.getByRole('region', { name: 'Library' }).waitFor({ state: 'detached' })
        await page.keyboard.press('Control+b')
        await waitForFocus(page, 'Conversations')
        await page.keyboard.press('Control+Alt+b')
        await page.getByRole('region', { name: 'Details' }).waitFor({ state: 'detached' })
        await page.getByRole('textbox', { name: 'Message' }).focus()
        await page.keyboard.press('Control+,')
        await page.getByRole('heading', { name: 'Settings' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('heading', { name: 'Settings' }).waitFor({ state: 'detached' })
        await expectFocus(page, 'Message')
      }))

    it('the first start is chosen with arrows and opened with Enter', () =>
      withPage(harness(), { scenario: 'first-run' }, async (page) => {
        await page.getByRole('radio', { name: /Use/ }).focus()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        expect(await page.getByRole('radio', { name: /sample/ }).isChecked()).toBe(true)
        await page.keyboard.press('Enter')
        await page.getByText('Sample library', { exact: true }).waitFor()
        await page.getByRole('textbox', { name: 'Name' }).waitFor()
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
  const focused = await focusedName(page)
  if (typeof name === 'string') expect(focused).toBe(name)
  else expect(focused).toMatch(name)
}

async function waitForFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (label) => document.activeElement?.getAttribute('aria-label') === label,
    name,
  )
}
