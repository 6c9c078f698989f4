import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import {
  atRest,
  distanceFromEnd,
  framesSeen,
  hasFocus,
  openConversation,
  openedAtEnd,
  resize,
  settled,
  watchFrames,
  withPage,
} from './page'

const scenario = { scenario: 'long-answers' }
/** Characters of one answer are more than twice as many. */
const mostInAFrame = 8_000
/** Pixels that three changes of all heights may be rounded by. */
const rounded = 2

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
          if (feed === null || !feed.textContent?.includes('answer 2')) return -1
          return Math.round(feed.scrollHeight - feed.clientHeight - feed.scrollTop)
        })
        await openConversation(page, 'answers')
        await openedAtEnd(page)
        await allDrawn(page)
        const distances = new Set(await framesSeen(page))
        distances.delete(-1)
        expect([...distances]).toEqual([0])
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
        await watchHeading(page, words)
        await settled(page)
        await page.evaluate(() => window.goOnIdle?.())
        await allDrawn(page)
        await staysInPlace(page)
      }))

    it('is shown where it was read within it, also when nothing of it is drawn any more', () =>
      withPage(harness(), scenario, async (page) => {
        await openConversation(page, 'answers')
        await openedAtEnd(page)
        await allDrawn(page)
        await readInTheMiddle(page)
        await comesBackToTheSame(page)
      }))

    it('is shown where it was read within it, though what is above was not drawn by then', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await readInTheMiddle(page)
        await expect.poll(() => page.locator('[data-undrawn]').count()).toBeGreaterThan(1)
        await comesBackToTheSame(page)
        await page.evaluate(() => window.goOnIdle?.())
        await allDrawn(page)
      }))

    it('is shown where it was read within it in a window of another width', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await readInTheMiddle(page)
        await comesBackToTheSame(page, () => resize(page, { width: 1000, height: 900 }))
      }))

    it('keeps what is read while the window gets narrower and its letters larger', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await readInTheMiddle(page)
        await beginAtHeading(page)
        const { block, top } = await blockInView(page)
        for (const zoom of [1, 1.2]) {
          await resize(page, { width: 1000, height: 900, zoom })
          await isAt(page, block, top, rounded)
        }
        await page.evaluate(() => window.goOnIdle?.())
        await allDrawn(page)
        await isAt(page, block, top, rounded)
      }))

    it('keeps what is read where it is while it is drawn above and written below', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await holdIdle(page)
        const field = page.getByRole('textbox', { name: 'Message' })
        await field.fill('And then?')
        await field.press('Enter')
        await page.getByRole('button', { name: 'Stop' }).waitFor()
        const part = (at: number) =>
          `## Part ${at} of answer 0\n\n${'Because of this and of that. '.repeat(8 + ((at * 7) % 40))}\n\n`
        const parts = (from: number) =>
          Array.from({ length: 60 }, (_, at) => part(from + at)).join('')
        const write = (text: string) =>
          page.evaluate((more) => window.home.delta('import-gap', more), text)
        await write(parts(0))
        await page.getByRole('heading', { name: 'Part 59 of answer 0' }).waitFor()
        await readInTheMiddle(page)
        await expect.poll(() => page.locator('[data-undrawn]').count()).toBeGreaterThan(1)
        const words = await headingInView(page)
        await watchHeading(page, words)
        await page.evaluate(() => window.goOnIdle?.())
        for (let from = 60; from < 360; from += 60) await write(parts(from))
        await page.getByRole('heading', { name: 'Part 359 of answer 0' }).waitFor()
        await allDrawn(page)
        await staysInPlace(page)
      }))

    it('that comes again has the height that it had last, before it is drawn', () =>
      withPage(harness(), scenario, async (page) => {
        await openConversation(page, 'among')
        await openedAtEnd(page)
        const feed = page.getByRole('feed')
        await feed.press('Home')
        await page.getByRole('heading', { name: 'Part 0 of answer 0', exact: true }).waitFor()
        await allDrawn(page)
        const prose = page.locator('.prose', { hasText: 'Part 0 of answer 0' })
        const height = () => prose.evaluate((text) => text.getBoundingClientRect().height)
        // Became higher after it was drawn, as what is unfolded does.
        await prose
          .locator(':scope > p')
          .last()
          .evaluate((last) => {
            last.style.paddingBottom = '300px'
          })
        const whole = await atRest(page, height)
        await feed.press('End')
        await expect.poll(() => prose.count()).toBe(0)
        await holdIdle(page)
        await feed.press('Home')
        await prose.waitFor()
        await expect.poll(() => prose.locator('[data-undrawn]').count()).toBe(1)
        expect(await height()).toBeCloseTo(whole, 1)
      }))

    it('says that it is busy until all of it is drawn, in the order of its words', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await readInTheMiddle(page)
        const busy = page.locator('.prose[aria-busy="true"]')
        await expect.poll(() => busy.count()).toBeGreaterThan(0)
        const isInOrder = () =>
          page.evaluate(() => {
            const parts = [...document.querySelectorAll('[role=feed] .prose > h4')].map(
              ({ textContent }) => {
                const [part = 0, answer = 0] = textContent?.match(/\d+/g)?.map(Number) ?? []
                return answer * 100 + part
              },
            )
            return parts.every((part, at) => at === 0 || part > (parts[at - 1] ?? 0))
          })
        await expect.poll(isInOrder).toBe(true)
        await page.evaluate(() => window.goOnIdle?.())
        await allDrawn(page)
        await expect.poll(isInOrder).toBe(true)
        await expect.poll(() => busy.count()).toBe(0)
      }))

    it('is whole for whoever selects it', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await expect.poll(() => page.locator('[data-undrawn]').count()).toBeGreaterThan(0)
        await page.getByText('The end of answer 2.').click()
        await page.keyboard.press('Control+a')
        const selected = () => page.evaluate(() => String(getSelection()))
        for (const answer of [1, 2])
          for (const part of [0, 20, 39])
            await expect.poll(selected).toContain(`Part ${part} of answer ${answer}\n`)
      }))

    it('is whole also where it comes to the page within a selection', () =>
      withPage(harness(), scenario, async (page) => {
        await page.getByRole('feed').waitFor()
        await holdIdle(page)
        await openConversation(page, 'among')
        await openedAtEnd(page)
        await page.getByRole('feed').evaluate((feed) => getSelection()?.selectAllChildren(feed))
        await page.getByRole('feed').press('Home')
        await page.getByRole('heading', { name: 'Part 0 of answer 0', exact: true }).waitFor()
        await allDrawn(page)
        const selected = () => page.evaluate(() => String(getSelection()))
        await expect.poll(selected).toContain('Part 39 of answer 0')
      }))

    it('is whole for whoever copies what a program selected', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await expect.poll(() => page.locator('[data-undrawn]').count()).toBeGreaterThan(0)
        await page.getByRole('feed').evaluate((feed) => {
          getSelection()?.selectAllChildren(feed)
          document.execCommand('copy')
        })
        const copied = () => page.evaluate(() => navigator.clipboard.readText())
        await expect.poll(copied).toContain('The end of answer 2.')
        for (const part of [0, 20, 39]) expect(await copied()).toContain(`Part ${part} of answer 2`)
      }))

    it('is not drawn under another view, and goes on when that is closed', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        const undrawn = () => page.locator('[data-undrawn]').count()
        await expect.poll(undrawn).toBeGreaterThan(0)
        await page.keyboard.press('Control+Shift+S')
        const covered = page.locator('.covered [role=feed]')
        await covered.waitFor({ state: 'attached' })
        await hasFocus(page.getByRole('group', { name: 'Numbers' }))
        const before = await drawnNow(page)
        await page.keyboard.press('Control+a')
        await page.evaluate(() => window.goOnIdle?.())
        expect(await atRest(page, () => drawnNow(page))).toBe(before)
        await page.keyboard.press('Escape')
        await expect.poll(() => covered.count()).toBe(0)
        await allDrawn(page)
        expect(await drawnNow(page)).toBeGreaterThan(before)
      }))

    it('has all its matches counted and marked, and is looked through once', () =>
      withPage(harness(), scenario, async (page) => {
        await openUndrawn(page)
        await page.evaluate(() => {
          const walk = document.createTreeWalker.bind(document)
          window.walks = 0
          document.createTreeWalker = (...options) => {
            window.walks++
            return walk(...options)
          }
        })
        await page.keyboard.press('Control+f')
        await page.keyboard.type('plum')
        await page
          .getByText(/of 162/)
          .first()
          .waitFor()
        await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size)).toBe(162)
        await expect.poll(() => page.locator('[data-undrawn]').count()).toBe(0)
        const turns = await page.locator('[data-item]').count()
        const walks = await atRest(page, () => page.evaluate(() => window.walks))
        expect(walks).toBeLessThanOrEqual(10 * turns)
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

    it('shows the words of a hit in it, and leaves them where they are while the rest is drawn', () =>
      withPage(harness(), scenario, async (page) => {
        await page.getByRole('feed').waitFor()
        await holdIdle(page)
        await page.evaluate(async () => {
          const { rows, summary } = window.home.contexts.get('answers') ?? {}
          const row = rows?.find((one) => one.type === 'entry' && /needle/.test(one.entry.content))
          if (row?.type !== 'entry' || summary === undefined) throw new Error('no needle')
          const options = { marked: ['needle'] }
          await window.skein.actions.openAt(summary.key, { entry: row.entry.id }, options)
        })
        await page.getByText('The end of answer 1, with a needle.').waitFor()
        const top = () =>
          page.evaluate(() => {
            const marks = ['landing', 'landing-strong'].flatMap((name) => [
              ...(CSS.highlights.get(name) ?? []),
            ])
            const range = marks.find((mark) => mark instanceof Range)
            return range instanceof Range ? range.getBoundingClientRect().top : -1
          })
        await expect.poll(top).toBeGreaterThan(0)
        const before = await atRest(page, top)
        expect(before).toBeLessThan(900)
        await watchMark(page)
        await page.evaluate(() => window.goOnIdle?.())
        await allDrawn(page)
        await staysInPlace(page)
        expect(await top()).toBeCloseTo(before, 0)
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
    goOnIdle?(): void
    walks: number
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

function drawnNow(page: Page): Promise<number> {
  return page.evaluate(drawnCharacters)
}

/** Scrolls to the middle of what there is, where a heading of an answer comes into view. */
async function readInTheMiddle(page: Page): Promise<void> {
  const feed = page.getByRole('feed')
  // By hand first: who is taken to the end by it is not any more.
  await feed.hover()
  await page.mouse.wheel(0, -100)
  await settled(page)
  await feed.evaluate((list) => list.scrollBy(0, -list.scrollHeight / 2))
  await settled(page)
  await expect
    .poll(() => atRest(page, () => headingInView(page)))
    .toMatch(/^Part \d+ of answer [01]$/)
}

/** Scrolls a heading that is in view to the top. */
async function beginAtHeading(page: Page): Promise<void> {
  const words = await headingInView(page)
  await page.getByRole('heading', { name: words, exact: true }).evaluate((heading) => {
    const feed = heading.closest('[role=feed]')
    if (feed === null) throw new Error('no transcript')
    const { top } = feed.getBoundingClientRect()
    feed.scrollBy(0, Math.floor(heading.getBoundingClientRect().top - top))
  })
  await expect
    .poll(() => atRest(page, async () => (await blockInView(page)).block))
    .toEqual({ heading: words, number: 0 })
}

/** Goes to another conversation and back, where the same words must be at the same place, to the pixel, and stay there. */
async function comesBackToTheSame(page: Page, between?: () => Promise<void>): Promise<void> {
  const { block, top } = await blockInView(page)
  await openConversation(page, 'short')
  await openedAtEnd(page)
  await between?.()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.getByRole('heading', { name: block.heading, exact: true }).waitFor()
  await isAt(page, block, top)
  await watchHeading(page, block.heading)
  await page.evaluate(() => window.goOnIdle?.())
  await allDrawn(page)
  await staysInPlace(page)
}

/** Block of an answer: so many before a heading. */
interface BeforeHeading {
  readonly heading: string
  readonly number: number
}

/** The first block of an answer that is in view, and where it begins below the top of the transcript. */
function blockInView(page: Page): Promise<{ readonly block: BeforeHeading; readonly top: number }> {
  return page.getByRole('feed').evaluate((feed) => {
    const edge = feed.getBoundingClientRect().top
    const found = [...feed.querySelectorAll('.prose.full > :not([data-undrawn])')].find(
      (block) => block.getBoundingClientRect().bottom > edge + 1,
    )
    let number = 0
    let heading = found
    while (heading != null && heading.localName !== 'h4') {
      heading = heading.nextElementSibling ?? undefined
      number++
    }
    const top = (found?.getBoundingClientRect().top ?? Number.NaN) - edge
    return { block: { heading: heading?.textContent ?? '', number }, top }
  })
}

/** Waits until a block is so many pixels below the top of the transcript, and at rest there. */
async function isAt(
  page: Page,
  { heading, number }: BeforeHeading,
  top: number,
  most = 1,
): Promise<void> {
  const now = () =>
    page.getByRole('heading', { name: heading, exact: true }).evaluate((found, steps) => {
      let block: Element | null = found
      for (let step = 0; step < steps; step++) block = block?.previousElementSibling ?? null
      const edge = found.closest('[role=feed]')?.getBoundingClientRect().top ?? Number.NaN
      return (block?.getBoundingClientRect().top ?? Number.NaN) - edge
    }, number)
  await expect.poll(async () => Math.abs((await atRest(page, now)) - top)).toBeLessThanOrEqual(most)
}

/** Expects that what is watched was there in each frame, at one place. */
async function staysInPlace(page: Page): Promise<void> {
  // What was watched for no frame, or was not there in one, stayed nowhere.
  await expect.poll(async () => (await framesSeen(page)).length).toBeGreaterThan(0)
  const tops = await framesSeen(page)
  expect(tops.filter(Number.isNaN)).toEqual([])
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1)
}

/** Measures in every frame where the first mark of a landing is. */
function watchMark(page: Page): Promise<void> {
  return watchFrames(page, () => {
    const marks = ['landing', 'landing-strong'].flatMap((name) => [
      ...(CSS.highlights.get(name) ?? []),
    ])
    const range = marks.find((mark) => mark instanceof Range)
    return range instanceof Range ? range.getBoundingClientRect().top : Number.NaN
  })
}

/** Measures in every frame where a heading is. */
function watchHeading(page: Page, words: string): Promise<void> {
  return watchFrames(
    page,
    (heading) => {
      const all = [...document.querySelectorAll('[role=feed] .prose > h4')]
      const block = all.find(({ textContent }) => textContent === heading)
      return Math.round(block?.getBoundingClientRect().top ?? Number.NaN)
    },
    words,
  )
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
