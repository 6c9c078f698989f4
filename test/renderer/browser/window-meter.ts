import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { WindowSize } from '../../../src/shared/model/run/window-size'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { atRest, withPage } from './page'

type Said = Omit<WindowSize, 'key' | 'total'>

const usual: Said = {
  parts: { system: 1_200, history: 33_400, tools: 3_600, attachments: 0 },
  countedBy: { by: 'estimate' },
  guarded: 38_200,
  limit: 200_000,
  warnPercent: 80,
  compactPercent: null,
}

const meter = (page: Page) => page.getByRole('meter', { name: 'Context window' })
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

async function say(page: Page, change: Partial<Said> = {}): Promise<void> {
  await page.evaluate(
    (size) => {
      window.home.windowSize.say(size)
      window.skein.stores.contextWindowSize.getState().foldChanged()
    },
    { ...usual, ...change },
  )
}

const heightOfComposer = (page: Page) =>
  page.locator('.composer').evaluate((frame) => frame.getBoundingClientRect().height)

/** The meter at the composer's foot. */
export function windowMeter(harness: () => Harness): void {
  describe('the meter of the window', () => {
    it('tells what the window takes and what is being written, without moving the composer', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await composer(page).waitFor()
        const before = await atRest(page, () => heightOfComposer(page))
        await say(page)
        await meter(page).waitFor()
        await expect.poll(() => heightOfComposer(page)).toBe(before)
        await expect.poll(() => meter(page).allInnerTexts()).toEqual(['38.2k of 200k'])
        await expect
          .poll(() => meter(page).getAttribute('aria-valuetext'))
          .toBe('38,200 of 200,000 tokens, estimated')
        await composer(page).fill('word '.repeat(1_900))
        await meter(page).getByText('38.2k + 1.9k of 200k').waitFor()
        await expect
          .poll(() => meter(page).getAttribute('aria-valuetext'))
          .toBe('40,100 of 200,000 tokens, estimated; 38,200 so far, 1,900 in the draft')
        await expect.poll(() => meter(page).getAttribute('aria-valuenow')).toBe('40100')
        await composer(page).fill('')
        await meter(page).getByText('38.2k of 200k', { exact: true }).waitFor()
      }))

    it('tells the parts, how they were counted and what the threshold does, by keyboard', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await say(page, {
          countedBy: { by: 'tokenizer', name: 'o200k_base' },
          compactPercent: 85,
          guarded: 41_000,
        })
        await meter(page).focus()
        const told = page.getByRole('tooltip')
        await told.waitFor()
        const words = async () => (await told.allInnerTexts()).join().replace(/\s+/g, ' ')
        for (const part of [
          'system prompt 1,200, history 33,400, tools 3,600, attachments 0',
          'counted by tokenizer o200k_base',
          'chibi estimates 41,000',
          'Earlier messages are summarized at 85 %',
        ])
          await expect.poll(words).toContain(part)
      }))

    it('shows tokens alone where nobody knows how much the model takes', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await say(page, { limit: null })
        const told = page.getByRole('group', {
          name: 'Context window: 38,200 tokens, estimated',
        })
        await told.waitFor()
        await expect.poll(() => told.allInnerTexts()).toEqual(['38.2k tokens'])
        await expect.poll(() => meter(page).count()).toBe(0)
      }))

    it('warns near the threshold, and says what to do when it is full', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await say(page, { limit: 45_000 })
        await meter(page).getByText('38.2k of 45k, nearly full').waitFor()
        await say(page, { limit: 38_000 })
        await meter(page).getByText('38.2k of 38k, full').waitFor()
        await expect
          .poll(() => meter(page).getAttribute('aria-valuetext'))
          .toContain('more than the model accepts')
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: 'Summarize earlier messages…' }).click()
        await page.getByRole('dialog', { name: 'Summarize earlier messages' }).waitFor()
      }))

    it('is not there for another system’s conversation', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await say(page)
        await meter(page).waitFor()
        await page.evaluate(() =>
          window.skein.stores.contextWindowSize.getState().follow('cycod:x' as never),
        )
        await meter(page).waitFor({ state: 'detached' })
      }))
  })
}
