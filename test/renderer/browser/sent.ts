import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, settled, stopClock, withNewPage, withPage } from './page'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sent to the model' })
const answer = (page: Page) => page.locator('article').filter({ hasText: 'The parser is fine' })

async function openByKey(page: Page) {
  await answer(page).press('w')
  const dialog = dialogOf(page)
  await dialog.getByText('Rebuilt from the transcript').waitFor()
  return dialog
}

/** What the model was sent before an answer. */
export function timeMachine(harness: () => Harness): void {
  describe('what the model was sent', () => {
    it('is opened from the tokens of an answer, by key and from its menu, and gives the focus back', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const tokens = page.getByRole('button', { name: 'Sent to the model: 3,412 tokens' })
        await tokens.click()
        await dialogOf(page).getByText('differs from what was sent').waitFor()
        await page.keyboard.press('Escape')
        await dialogOf(page).waitFor({ state: 'detached' })
        await expect
          .poll(() => tokens.evaluate((button) => button === document.activeElement))
          .toBe(true)

        await openByKey(page)
        await page.keyboard.press('Escape')
        await dialogOf(page).waitFor({ state: 'detached' })
        await expect
          .poll(() => answer(page).evaluate((turn) => turn === document.activeElement))
          .toBe(true)

        await answer(page).click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Sent to the model…' }).click()
        await dialogOf(page).waitFor()
      }))

    it('is shown by part, with what is known of it and what each part takes', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const dialog = await openByKey(page)
        await dialog.getByText('The system prompt is the current one').waitFor()
        const legend = dialog.getByRole('list', { name: 'Tokens by part' })
        await expect.poll(() => legend.textContent()).toMatch(/System\s26.*Tools\s115.*estimated/)
        await expect.poll(() => legend.textContent()).toContain('the provider counted 3,152')
        const part = (name: string) => dialog.getByRole('region', { name, exact: true })
        await part('System prompt').getByText('You are a careful engineer.').waitFor()
        await expect.poll(() => part('Messages').getByRole('listitem').count()).toBe(5)
        await part('Messages').getByText('FAILED tests/test_clock.py').waitFor()
        await part('Tools').getByRole('button', { name: 'Tools' }).press('Enter')
        await part('Tools').getByText('Reads lines of a file').waitFor()
        await part('Tools').getByText('Schema', { exact: true }).click()
        await part('Tools').getByText('"properties"').waitFor()
        await part('Parameters').getByRole('button', { name: 'Parameters' }).click()
        await part('Parameters').getByText('reasoning.effort').waitFor()
      }))

    it('says whole whose answer it was, when and of which model, in a narrow window too', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.setViewportSize({ width: 420, height: 800 })
        const dialog = await openByKey(page)
        const about = dialog.getByText(/^import-gap · answered .* · claude-sonnet-4\.5$/)
        const cutPixels = () => about.evaluate((words) => words.scrollWidth - words.clientWidth)
        await expect.poll(() => cutPixels()).toBe(0)
      }))

    it('leads to where a message stands in the transcript', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const dialog = await openByKey(page)
        await dialog
          .getByRole('listitem')
          .filter({ hasText: 'The 02:30 import skipped' })
          .getByRole('button', { name: 'Show in transcript' })
          .click()
        await dialog.waitFor({ state: 'detached' })
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toContain('The 02:30 import skipped an hour')
      }))

    it('is shown as JSON, and copied', () =>
      withNewPage(harness(), { scenario: 'main' }, async (page) => {
        const dialog = await openByKey(page)
        await hasFocus(dialog.getByRole('radio', { checked: true }))
        await page.keyboard.press('ArrowLeft')
        await dialog.getByRole('group', { name: 'The request as JSON' }).waitFor()
        await stopClock(page)
        await dialog.getByRole('button', { name: 'Copy JSON' }).click()
        await dialog.getByRole('button', { name: 'Copied' }).waitFor()
        await expect
          .poll(() => page.evaluate(() => navigator.clipboard.readText()))
          .toContain('"model": "claude-sonnet-4.5"')
        await page.clock.runFor(2000)
        await dialog.getByRole('button', { name: 'Copy JSON' }).waitFor()
      }))

    it('is compared with what was sent before other answers', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.evaluate(() =>
          window.home.sent.say('active.jsonl-9', { parameters: { temperature: '0.9' } }),
        )
        const dialog = await openByKey(page)
        await dialog.getByRole('radio', { name: 'Compare' }).check()
        const summary = dialog.getByText(/^Messages: /)
        await summary.getByText('2 added, 3 equal. Different too: the parameters.').waitFor()
        const parameters = dialog.getByRole('region', { name: 'Parameters' })
        await parameters.locator('del', { hasText: '0.9' }).waitFor()
        await parameters.locator('ins', { hasText: '0.2' }).waitFor()
        await dialog.getByRole('button', { name: '3 equal messages' }).click()
        await dialog.getByText('The 02:30 import skipped').waitFor()
        await dialog.getByRole('radio', { name: 'Last answer before the summary' }).check()
        await summary.getByText('5 added, 1 removed. Nothing else differs.').waitFor()
        await dialog.locator('del', { hasText: 'What reads the raw files' }).waitFor()
        await expect.poll(() => dialog.getByRole('radio', { name: 'Next' }).count()).toBe(0)
      }))

    it('marks the words that differ in a long text, and folds what is equal between them', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.evaluate(() => {
          const prompt = (words: string) => [
            {
              role: 'system',
              text: `Be ${words}. ${'Answer in the language that you are asked in. '.repeat(40)}Use ${words} words.`,
              calls: [],
              images: 0,
              tokens: 400,
              entryIds: [],
            },
          ]
          window.home.sent.say('active.jsonl-9', { messages: prompt('brief') })
          window.home.sent.say('active.jsonl-11', { messages: prompt('kind') })
        })
        const dialog = await openByKey(page)
        await dialog.getByRole('radio', { name: 'Compare' }).check()
        const system = dialog.getByRole('region', { name: 'System prompt' })
        await system.locator('ins').first().waitFor()
        await expect.poll(() => system.locator('del').allTextContents()).toEqual(['brief', 'brief'])
        await expect.poll(() => system.locator('ins').allTextContents()).toEqual(['kind', 'kind'])
        const fold = system.getByRole('button', { name: /equal characters/ })
        await fold.waitFor()
        const before = (await system.textContent())?.length ?? 0
        await fold.press('Enter')
        await fold.waitFor({ state: 'detached' })
        await expect
          .poll(async () => (await system.textContent())?.length ?? 0)
          .toBeGreaterThan(before + 1_000)
      }))

    it('says so where there is nothing to compare it with', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        const first = page.locator('article').filter({ hasText: 'Hello.' })
        await first.press('w')
        await dialogOf(page).getByText('Rebuilt from the transcript').waitFor()
        await dialogOf(page).getByRole('radio', { name: 'Compare' }).check()
        await dialogOf(page).getByText('There is no other answer to compare with.').waitFor()
      }))

    it('says why it cannot be shown', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.evaluate(() =>
          window.refuseNext('unreadable', 'requests.jsonl may not be read.'),
        )
        await answer(page).press('w')
        await dialogOf(page).getByRole('alert').getByText('requests.jsonl may not be').waitFor()
        await page.keyboard.press('Escape')
        await dialogOf(page).waitFor({ state: 'detached' })
      }))

    it('of thousands of messages is drawn by and by, and hostile text stays text', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.evaluate(() => {
          const messages = Array.from({ length: 3_000 }, (_, at) => ({
            role: at % 2 === 0 ? 'user' : 'assistant',
            text: `message ${at} <img src=x onerror="document.title='owned'"> \u202e`,
            calls: [],
            images: 0,
            tokens: 9,
            entryIds: [],
          }))
          window.home.sent.say('*', { messages })
        })
        const dialog = await openByKey(page)
        const items = dialog.getByRole('region', { name: 'Messages' }).getByRole('listitem')
        await expect.poll(() => items.count()).toBe(100)
        await expect.poll(() => items.last().textContent()).toContain('message 2999 <img src=x')
        await expect.poll(() => items.last().textContent()).toContain('U+202E')
        await dialog.getByRole('button', { name: 'Show 100 more of 2,900 earlier' }).click()
        await expect.poll(() => items.count()).toBe(200)
        await expect.poll(() => page.title()).not.toBe('owned')
      }))

    it('is not offered where another system keeps the conversation', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        const foreign = page.getByRole('option', { name: /^Where does the gap start/ }).first()
        await foreign.click()
        const turn = page.locator('article').filter({ hasText: 'An answer.' })
        await turn.waitFor()
        await turn.click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
        await expect
          .poll(() => page.getByRole('menuitem', { name: /What the model/ }).count())
          .toBe(0)
        await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]'))
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await hasFocus(turn)
        await turn.press('w')
        await settled(page)
        await expect.poll(() => dialogOf(page).count()).toBe(0)
      }))

    it('has no serious faults of accessibility', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.evaluate(() =>
          window.home.sent.say('active.jsonl-9', { parameters: { temperature: '0.9' } }),
        )
        const dialog = await openByKey(page)
        await dialog.getByRole('button', { name: 'Tools' }).click()
        await dialog.getByRole('button', { name: 'Parameters' }).click()
        expect(await faultsInThemes(page)).toEqual([])
        await dialog.getByRole('radio', { name: 'Compare' }).check()
        await dialog.getByText(/^Messages: /).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await dialog.getByRole('radio', { name: 'JSON' }).check()
        await dialog.getByRole('group', { name: 'The request as JSON' }).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })
}
