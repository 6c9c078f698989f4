import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, openConversation, withPage } from './page'

const main = { scenario: 'main' }
const todos = (page: Page) => page.getByRole('region', { name: 'Tasks' })

/** Somebody else writes a note of the open context. */
async function write(page: Page, note: 'todos' | 'goals', text: string | null): Promise<void> {
  await page.evaluate(
    ([name, words]) => {
      const { place } = window.skein.stores.app.getState()
      if (place.type !== 'conversation') throw new Error('nothing is open')
      window.home.wholes.writeNotes(place.key, { [name]: words })
    },
    [note, text] as const,
  )
}

async function withDetails(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.evaluate(() => window.skein.stores.layout.getState().open('details'))
  await todos(page).waitFor()
}

/** Todos and goals in the right pane. */
export function contextNotes(harness: () => Harness): void {
  describe('todos and goals', () => {
    it('say in words that there are none, and follow whoever writes them', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        await todos(page)
          .getByText(/^None yet/)
          .waitFor()
        await write(page, 'todos', '- [x] prune\n- [ ] mulch')
        await todos(page).getByText('mulch').waitFor()
        await todos(page).getByText('1 of 2').waitFor()
        await write(page, 'goals', 'A *quiet* garden <img src=x onerror=alert(1)>')
        const goals = page.getByRole('region', { name: 'Goals' })
        await goals.getByText('quiet').waitFor()
        await expect.poll(() => goals.locator('img').count()).toBe(0)
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('are edited by keyboard, but not over what was changed meanwhile', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        await todos(page).getByRole('button', { name: 'Edit tasks' }).press('Enter')
        const field = todos(page).getByRole('textbox', { name: 'Tasks, in Markdown' })
        await hasFocus(field)
        await page.keyboard.type('- [ ] prune')
        await page.keyboard.press('Escape')
        await expect.poll(() => field.inputValue()).toBe('- [ ] prune')
        await write(page, 'todos', '- [ ] theirs')
        await todos(page).getByText('It was changed meanwhile.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await todos(page).getByRole('button', { name: 'Keep mine' }).click()
        await field.press('Control+Enter')
        await field.waitFor({ state: 'detached' })
        await todos(page).getByText('prune').waitFor()
        await page.waitForFunction(
          () => document.activeElement?.getAttribute('aria-label') === 'Edit tasks',
        )
      }))

    it('are written once, and wait for whoever goes to another conversation meanwhile', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        const field = todos(page).getByRole('textbox', { name: 'Tasks, in Markdown' })
        const first = await page.getByRole('heading', { level: 1 }).textContent()
        await todos(page).getByRole('button', { name: 'Edit tasks' }).click()
        await hasFocus(field)
        await page.keyboard.type('- [ ] half a')
        await page.getByRole('option').nth(3).click()
        await field.waitFor({ state: 'detached' })
        await openConversation(page, first ?? '')
        await field.waitFor()
        await expect.poll(() => field.inputValue()).toBe('- [ ] half a')
        await expect
          .poll(() => field.evaluate((element) => element === document.activeElement))
          .toBe(false)
        await field.focus()
        await page.keyboard.press('End')
        await page.keyboard.type(' task')
        await field.evaluate((element) => {
          for (let times = 0; times < 2; times++)
            element.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }),
            )
        })
        await field.waitFor({ state: 'detached' })
        await todos(page).getByText('half a task').waitFor()
        const written = () =>
          page.evaluate(
            () =>
              window.home.api.calls.filter(({ channel }) => channel === 'contexts.writeNote')
                .length,
          )
        await expect.poll(written).toBe(1)
      }))
  })
}
