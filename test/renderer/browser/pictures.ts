import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, openConversation, resize, withPage } from './page'

const lists = (page: Page) => page.getByRole('list', { name: 'Pictures in the text' })
const small = (page: Page, list: number, name: string) =>
  lists(page)
    .nth(list)
    .getByRole('button', { name: `Show ${name} larger` })

async function opened(page: Page): Promise<void> {
  await openConversation(page, 'pictures')
  await small(page, 2, 'The circle').waitFor()
}

/** Pictures that stand in texts and results as Base64. */
export function picturesInTexts(harness: () => Harness): void {
  describe('pictures in texts', () => {
    it('are shown below the text of a person, a model and a tool, and their letters are not', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await expect.poll(() => lists(page).count()).toBe(3)
        const feed = page.getByRole('feed')
        await feed.getByText(/^What is this\? \[picture 1: PNG, [\d.]+ KB\]$/).waitFor()
        await feed.getByText(/^"\[picture 2: PNG, [\d,.]+ (KB|bytes)\]"$/).waitFor()
        await expect.poll(() => feed.getByText('iVBORw0KGgo').count()).toBe(0)
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await feed.getByRole('button', { name: 'As it came' }).press('Enter')
        await feed.getByText('iVBORw0KGgo').waitFor()
        await resize(page, { width: 800, height: 900 })
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('open larger; arrows go to the next, keys zoom, and the focus comes back', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await small(page, 1, 'picture 1').press('Enter')
        const view = page.getByRole('dialog')
        await view.getByText('320 × 200').waitFor()
        await view.getByRole('status').getByText('1 of 2').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('ArrowRight')
        await page.getByRole('dialog', { name: 'picture 2' }).waitFor()
        await page.keyboard.press('ArrowRight')
        await view.getByRole('status').getByText('2 of 2').waitFor()
        const width = () =>
          view.getByRole('img', { name: 'picture 2' }).evaluate((image) => image.clientWidth)
        await page.keyboard.press('+')
        await page.keyboard.press('+')
        await expect.poll(width).toBe(640)
        await page.keyboard.press('0')
        await expect.poll(width).toBe(320)
        await page.keyboard.press('Home')
        await page.getByRole('dialog', { name: 'picture 1' }).waitFor()
        await page.keyboard.press('End')
        await page.getByRole('dialog', { name: 'picture 2' }).waitFor()
        await view.getByRole('button', { name: 'Copy picture' }).press('Enter')
        await view.getByRole('button', { name: 'Copied' }).waitFor()
        await page.keyboard.press('Escape')
        await view.waitFor({ state: 'detached' })
        await hasFocus(small(page, 1, 'picture 2'))
      }))

    it('scroll by the arrows when zoomed, and a button that is disabled keeps the focus', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await resize(page, { width: 800, height: 600 })
        await small(page, 1, 'picture 1').press('Enter')
        const view = page.getByRole('dialog')
        await view.getByText('320 × 200').waitFor()
        const next = view.getByRole('button', { name: 'Next picture' })
        await next.press('Enter')
        await view.getByRole('status').getByText('2 of 2').waitFor()
        await hasFocus(next)
        await expect.poll(() => next.isDisabled()).toBe(true)
        await next.press('Enter')
        await view.getByRole('status').getByText('2 of 2').waitFor()
        for (const key of ['+', '+', '+']) await page.keyboard.press(key)
        const whole = view.getByRole('group', { name: 'Zoomed picture' })
        await hasFocus(whole)
        await expect.poll(() => whole.evaluate((box) => box.scrollHeight)).toBeGreaterThan(800)
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => whole.evaluate((box) => box.scrollTop)).toBeGreaterThan(0)
        await expect.poll(() => whole.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0)
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('0')
        await page.keyboard.press('ArrowLeft')
        await view.getByRole('status').getByText('1 of 2').waitFor()
      }))

    it('say so when they cannot be shown, also two at once', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        const list = lists(page).nth(1)
        await list.locator('img').evaluateAll((images) => {
          for (const image of images) image.dispatchEvent(new Event('error'))
        })
        await expect.poll(() => list.getByText('cannot be shown').count()).toBe(2)
      }))
  })
}
