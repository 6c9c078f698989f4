import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import {
  atRest,
  distanceFromEnd,
  firstSeenTurn,
  framesSeen,
  manySteps,
  openConversation,
  openedAtEnd,
  resize,
  settled,
  topOf,
  topsWhile,
  watchFrames,
  withPage,
} from './page'

/** Where a reader is, whatever comes, grows or goes around. */
export function scrolling(harness: () => Harness): void {
  describe('a transcript', () => {
    it('opens at its end', () =>
      withPage(harness(), { scenario: 'long' }, async (page) => {
        await page
          .getByRole('article', { name: /Answer|claude|Assistant/ })
          .last()
          .waitFor()
        await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1)
        await expect
          .poll(() => page.getByRole('article').last().textContent())
          .toContain('Answer 2999.')
      }))

    it('never shows another place than its end while it opens', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await watchFrames(page, () => {
          const feed = document.querySelector('[role=feed]')
          if (feed === null || feed.querySelector('[data-item]') === null) return 0
          return Math.round(feed.scrollHeight - feed.clientHeight - feed.scrollTop)
        })
        await openConversation(page, 'event-bus-types')
        await openConversation(page, 'import-gap')
        await openedAtEnd(page)
        expect([...new Set(await framesSeen(page))]).toEqual([0])
      }))

    it('of 100,000 rows takes no more elements than a short one', () =>
      withPage(harness(), { scenario: 'long', rows: '100000' }, async (page) => {
        await page.getByText('Answer 99999.').waitFor()
        await openedAtEnd(page)
        const turns = () => page.getByRole('article').count()
        await expect.poll(turns).toBeGreaterThan(3)
        await expect.poll(turns).toBeLessThan(40)
        await expect.poll(() => page.locator('*').count()).toBeLessThan(1500)
      }))

    it('stays to the pixel when earlier entries come above', () =>
      withPage(harness(), { scenario: 'long' }, async (page) => {
        await page.getByText('Answer 2999.').waitFor()
        await openedAtEnd(page)
        for (const top of [600, 0]) {
          await page.evaluate(() => window.home.hold())
          await scrollTo(page, (await topOfRows(page)) + top)
          const turn = await firstSeenTurn(page)
          const edge = page.locator('.transcript-edge')
          const words = await edge.textContent()
          const tops = await topsWhile(page, turn.key, async () => {
            await page.evaluate(() => window.home.release())
            await expect.poll(() => edge.textContent()).not.toBe(words)
          })
          expect(tops).toEqual([turn.top])
        }
      }))

    it('moves by what was scrolled and nothing else, through rows that were never measured', () =>
      withPage(harness(), { scenario: 'long' }, async (page) => {
        await page.getByText('Answer 2999.').waitFor()
        await openedAtEnd(page)
        for (let step = 0; step < 40; step++) {
          const turn = await firstSeenTurn(page)
          await page.getByRole('feed').evaluate((feed) => feed.scrollBy(0, -170))
          await settled(page)
          await expect.poll(() => topOf(page, turn.key)).toBe(turn.top + 170)
        }
      }))

    it('goes to its start and back to its end by keys', () =>
      withPage(harness(), { scenario: 'long' }, async (page) => {
        await page.getByText('Answer 2999.').waitFor()
        await openedAtEnd(page)
        await page.getByRole('feed').press('Home')
        await page.getByText('Question 0:').waitFor()
        await expect.poll(() => page.getByRole('feed').evaluate((feed) => feed.scrollTop)).toBe(0)
        await page.keyboard.press('End')
        await page.getByText('Answer 2999.').waitFor()
        await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1)
      }))

    it('keeps the focus when the turn or the button that has it goes, so that the next key works', () =>
      withPage(harness(), { scenario: 'long' }, async (page) => {
        await page.getByText('Answer 2999.').waitFor()
        await openedAtEnd(page)
        await page.getByRole('feed').press('k')
        await page.keyboard.press('k')
        await page.locator('[data-item]:focus').waitFor()
        await page.keyboard.press('Home')
        await page.getByText('Question 0:').waitFor()
        await page.getByRole('feed').and(page.locator(':focus')).waitFor()
        await page.keyboard.press('End')
        await page.getByText('Answer 2999.').waitFor()
        await page.keyboard.press('Home')
        await page.getByText('Question 0:').waitFor()
        await page.getByRole('button', { name: 'To the end' }).press('Enter')
        await page.getByText('Answer 2999.').waitFor()
        await page.getByRole('feed').and(page.locator(':focus')).waitFor()
        await page.keyboard.press('Home')
        await page.getByText('Question 0:').waitFor()
      }))

    it('reads on downwards after its start was asked for', () =>
      withPage(harness(), { scenario: 'long', rows: '700' }, async (page) => {
        await page.getByText('Answer 699.').waitFor()
        await openedAtEnd(page)
        await page.getByRole('feed').press('Home')
        await page.getByText('Question 0:').waitFor()
        await expect
          .poll(async () => {
            await page.getByRole('feed').evaluate((feed) => feed.scrollBy(0, 1500))
            return page.getByText('Answer 699.').count()
          }, manySteps)
          .toBe(1)
      }))
  })

  describe('a streaming answer', () => {
    it('is followed by a reader at the end', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await send(page, 'And then?')
        for (let part = 0; part < 12; part++) {
          await stream(page, `Part ${part} of the answer, some words long.\n\n`)
          await page.getByText(`Part ${part} of`).waitFor()
          await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1)
        }
      }))

    it('leaves a reader further up where they are, and says that there is more', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await send(page, 'And then?')
        await stream(page, 'First words.\n\n')
        await page.getByText('First words.').waitFor()
        await openedAtEnd(page)
        await page.getByRole('feed').evaluate((feed) => feed.scrollBy(0, -180))
        const turn = await firstSeenTurn(page)
        const tops = await topsWhile(page, turn.key, async () => {
          for (let part = 0; part < 20; part++) await stream(page, `Line ${part}.\n\n`)
          await page.getByText('Line 19.').waitFor({ state: 'attached' })
        })
        expect(tops).toEqual([turn.top])
        await page.getByRole('button', { name: 'New below' }).click()
        await page.getByText('Line 19.').waitFor()
        await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1)
        await expect.poll(() => page.getByRole('button', { name: 'New below' }).count()).toBe(0)
      }))

    it('becomes its entry in place, without a frame in which it moves or is missing', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await send(page, 'And then?')
        await stream(page, 'The whole answer.\n\n```js\nconst a = 1\n```\n')
        await page.getByText('The whole answer.').waitFor()
        const live = page.getByRole('article', { name: /writing now/ })
        const key = (await live.getAttribute('data-item')) ?? ''
        const top = await atRest(page, () => topOf(page, key))
        const tops = await topsWhile(page, key, async () => {
          await page.evaluate(() => window.home.finish('import-gap'))
          await page.getByText('3,412 tokens').last().waitFor()
        })
        expect(tops).toEqual([top])
        await expect.poll(() => page.getByText('The whole answer.').count()).toBe(1)
        await expect.poll(() => live.count()).toBe(0)
      }))

    it('keeps the elements of what is finished while 100 KB come', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await send(page, 'And then?')
        await stream(page, 'The very first paragraph.\n\n')
        await page.getByText('The very first paragraph.').waitFor()
        await page.evaluate(() => {
          const first = [...document.querySelectorAll('.prose p')].find((paragraph) =>
            paragraph.textContent?.startsWith('The very first'),
          )
          Object.assign(window, { first })
        })
        const paragraph = `${'Words that fill a line. '.repeat(20)}\n\n`
        await page.evaluate((text) => {
          for (let part = 0; part < 210; part++) window.home.delta('import-gap', text)
        }, paragraph)
        await stream(page, 'The last paragraph.')
        await page.getByText('The last paragraph.').waitFor()
        const isKept = () =>
          page.evaluate(() => {
            const { first } = window as unknown as { first: Element }
            return first.isConnected && first.textContent === 'The very first paragraph.'
          })
        await expect.poll(isKept).toBe(true)
        await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1)
      }))
  })

  describe('the end of the transcript', () => {
    it('stays in view while the composer grows', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await page
          .getByRole('textbox', { name: 'Message' })
          .fill('one\ntwo\nthree\nfour\nfive\nsix')
        await settled(page)
        await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1)
      }))

    it('stays in view when the window gets narrower', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await resize(page, { width: 900, height: 700 })
        await openedAtEnd(page)
      }))
  })
}

async function send(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' })
  await page.getByRole('feed').waitFor()
  await field.fill(text)
  await field.press('Enter')
  await page.getByRole('button', { name: 'Stop' }).waitFor()
}

function stream(page: Page, text: string): Promise<void> {
  return page.evaluate((part) => window.home.delta('import-gap', part), text)
}

/** Where the loaded rows begin, in pixels below the top of all that is scrolled. */
function topOfRows(page: Page): Promise<number> {
  return page.locator('.transcript-edge').evaluate((edge: HTMLElement) => edge.offsetTop)
}

async function scrollTo(page: Page, top: number): Promise<void> {
  await page.getByRole('feed').evaluate((feed, to) => feed.scrollTo(0, to), top)
}
