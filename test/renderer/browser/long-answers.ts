import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import {
  distanceFromEnd,
  framesSeen,
  openConversation,
  openedAtEnd,
  settled,
  watchFrames,
  withPage,
} from './page'

const scenario = { scenario: 'long-answers' }
/** Characters of one answer are more than twice as many. */
const mostInAFrame = 8_000

/** Answers and results that are too long to be drawn in one go. */
export function longAnswers(harness: () => Harness): void {
  describe('a long answer', () => {
    it('is drawn where the reader is, then all of it, a part in each frame', () =>
      withPage(harness(), scenario, async (page) => {
        await openConversation(page, 'short')
        await watchFrames(page, drawnCharacters)
        await openConversation(page, 'answers')
        await openedAtEnd(page)
        await page.getByText('The end of answer 2.').waitFor()
        await allDrawn(page)
        const frames = await framesSeen(page)
        const last = frames.at(-1) ?? 0
        expect(last).toBeGreaterThan(3 * mostInAFrame)
        expect(frames.filter((now, at) => now - (frames[at - 1] ?? 0) > mostInAFrame)).toEqual([])
        for (const part of [0, 20, 39])
          await page
            .getByRole('heading', { name: `Part ${part} of answer 1`, exact: true })
            .waitFor()
      }))

    it('keeps its end in view while all above is drawn', () =>
      withPage(harness(), scenario, async (page) => {
        await openConversation(page, 'short')
        await watchFrames(page, () => {
          const feed = document.querySelector('[role=feed]')
          if (feed === null || !feed.textContent?.includes('answer 2')) return 0
          return Math.round(feed.scrollHeight - feed.clientHeight - feed.scrollTop)
        })
        await openConversation(page, 'answers')
        await openedAtEnd(page)
        await allDrawn(page)
        expect([...new Set(await framesSeen(page))]).toEqual([0])
        await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1)
      }))

    it('keeps what is read where it is, to the pixel, while the rest is drawn', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        // Into the middle of an answer of which nothing is drawn.
        await page.getByRole('feed').evaluate((feed) => feed.scrollBy(0, -feed.scrollHeight / 2))
        await settled(page)
        await settled(page)
        await expect.poll(() => page.locator('[data-undrawn]').count()).toBeGreaterThan(1)
        await expect.poll(() => headingInView(page)).toMatch(/^Part \d+ of answer [01]$/)
        const words = await headingInView(page)
        await watchFrames(
          page,
          (heading) => {
            const all = [...document.querySelectorAll('[role=feed] .prose > h4')]
            const block = all.find(({ textContent }) => textContent === heading)
            return Math.round(block?.getBoundingClientRect().top ?? Number.NaN)
          },
          words,
        )
        await settled(page)
        await page.evaluate(() => window.goOnIdle())
        await allDrawn(page)
        const tops = await framesSeen(page)
        expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1)
      }))

    it('is never blank where one scrolls', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await watchFrames(page, blankPixels)
        for (let step = 0; step < 12; step++) {
          await page.getByRole('feed').evaluate((feed) => feed.scrollBy(0, -1_200))
          await settled(page)
        }
        expect(Math.max(...(await framesSeen(page)))).toBe(0)
      }))

    it('shows a match in a part that was not drawn', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await page.keyboard.press('Control+f')
        await page.keyboard.type('needle')
        await page.getByText('The end of answer 1, with a needle.').waitFor()
        await expect
          .poll(() =>
            page.evaluate(() => {
              const [range] = CSS.highlights.get('found-now') ?? []
              const top = range instanceof Range ? range.getBoundingClientRect().top : -1
              return top > 0 && top < window.innerHeight
            }),
          )
          .toBe(true)
      }))

    it('that is copied is whole, though not all of it is drawn', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await page.getByRole('feed').press('k')
        for (const _ of ['question 2', 'answer 1']) await page.keyboard.press('k')
        await page.locator('[data-item]:focus').waitFor()
        await page.keyboard.press('c')
        await expect
          .poll(() => page.evaluate(() => navigator.clipboard.readText()))
          .toMatch(/^## Part 0 of answer 1\n[\s\S]*with a needle\.$/)
      }))
  })

  describe('a long result', () => {
    it('that is shown whole is drawn in pieces', () =>
      withPage(harness(), { scenario: 'hostile' }, async (page) => {
        await openedAtEnd(page)
        await page.getByRole('feed').press('End')
        await page.getByRole('button', { name: /^run/ }).click()
        const result = page.getByRole('region', { name: 'Result' })
        const more = result.getByRole('button', { name: 'Show 150,000 more characters' })
        await more.waitFor()
        await watchFrames(page, () => {
          const lines = document.querySelector('[data-part="result"] .long-text-lines')
          return lines?.textContent?.length ?? 0
        })
        await more.click()
        await expect.poll(async () => (await framesSeen(page)).at(-1)).toBeGreaterThan(149_000)
        const frames = await framesSeen(page)
        expect(Math.max(...frames.map((now, at) => now - (frames[at - 1] ?? now)))).toBeLessThan(
          40_000,
        )
      }))
  })
}

declare global {
  interface Window {
    goOnIdle(): void
  }
}

/** The first heading of an answer that is in view. */
function headingInView(page: Page): Promise<string> {
  return page.getByRole('feed').evaluate((feed) => {
    const { top, bottom } = feed.getBoundingClientRect()
    const seen = [...feed.querySelectorAll('.prose > h4')].filter((block) => {
      const box = block.getBoundingClientRect()
      return box.top >= top && box.bottom <= bottom
    })
    return seen[0]?.textContent ?? ''
  })
}

/** Characters of answers that are drawn. */
function drawnCharacters(): number {
  const texts = [...document.querySelectorAll('[role=feed] .prose.full')]
  return texts.reduce((sum, { textContent }) => sum + (textContent?.length ?? 0), 0)
}

/** Pixels in view where nothing is drawn yet. */
function blankPixels(): number {
  const feed = document.querySelector('[role=feed]')?.getBoundingClientRect()
  if (feed === undefined) return 0
  return [...document.querySelectorAll('[data-undrawn]')].reduce((sum, stretch) => {
    const { top, bottom } = stretch.getBoundingClientRect()
    return sum + Math.max(0, Math.min(bottom, feed.bottom) - Math.max(top, feed.top))
  }, 0)
}

/** Opens the conversation, of which what is in view is drawn and nothing else, until the page calls `goOnIdle`. */
async function openUndrawn(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await holdIdle(page)
  await openConversation(page, 'answers')
  await openedAtEnd(page)
  await page.getByText('The end of answer 2.').waitFor()
}

/** From now on nothing is drawn but what is in view, until the page calls `goOnIdle`. */
async function holdIdle(page: Page): Promise<void> {
  await page.evaluate(() => {
    const go = window.requestIdleCallback
    let isHeld = true
    const waiting: IdleRequestCallback[] = []
    window.requestIdleCallback = (callback, options) => {
      if (!isHeld) return go(callback, options)
      waiting.push(callback)
      return 1
    }
    window.goOnIdle = () => {
      isHeld = false
      for (const callback of waiting.splice(0)) go(callback)
    }
  })
}

async function allDrawn(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await expect.poll(() => page.locator('[data-undrawn]').count()).toBe(0)
}
