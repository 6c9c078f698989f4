import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { openConversation, openedAtEnd, resize, withPage } from './page'

const landing = { scenario: 'landing' }

/** Finding words in the open conversation. */
export function finding(harness: () => Harness): void {
  describe('finding in the conversation', () => {
    it('goes by keyboard from match to match, far beyond the rows that are loaded, and leaves the focus at the last one', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        await page.keyboard.press('Control+f')
        await inField(page)
        await page.keyboard.type('question 14')
        await outcome(page, '56 of 56')
        await expect.poll(() => strong(page)).toEqual([{ word: 'Question 14', isSeen: true }])
        await page.keyboard.press('Enter')
        await outcome(page, '1 of 56')
        await expect.poll(() => shownTurn(page)).toContain('Question 14:')
        await page.keyboard.press('F3')
        await outcome(page, '2 of 56')
        await expect.poll(() => strong(page)).toEqual([{ word: 'Question 14', isSeen: true }])
        await page.keyboard.press('Shift+F3')
        await page.keyboard.press('Shift+Enter')
        await outcome(page, '56 of 56')
        await inField(page)
        await page.keyboard.press('Escape')
        await page
          .getByRole('search', { name: 'Find in conversation' })
          .waitFor({ state: 'detached' })
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toContain('Question 14')
      }))

    it('opens what hides a match, and shows what was cut', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'folded')
        await page.getByRole('feed').waitFor()
        await page.keyboard.press('Control+f')
        await page.keyboard.type('needle')
        for (const number of [1, 2, 3]) {
          if (number > 1) await page.keyboard.press('Enter')
          await expect.poll(() => outcomeText(page)).toMatch(/^\d of 3$/)
          await expect
            .poll(() => strong(page))
            .toEqual([{ word: expect.stringMatching(/^needle$/i), isSeen: true }])
        }
      }))

    it('takes case, whole words and patterns, and says what is wrong with one', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        await page.keyboard.press('Control+f')
        await page.keyboard.type('question 28')
        await outcome(page, '56 of 56')
        await page.getByRole('button', { name: 'Whole words' }).press('Enter')
        await outcome(page, '1 of 1')
        await page.getByRole('button', { name: 'Match case' }).press('Enter')
        await outcome(page, 'No matches')
        await page.getByRole('searchbox', { name: 'Find in conversation' }).fill('Question 2[01]')
        await page.getByRole('button', { name: 'Match case' }).press('Enter')
        await page.getByRole('button', { name: 'Whole words' }).press('Enter')
        await page.getByRole('button', { name: 'Regular expression' }).press('Enter')
        await expect.poll(() => outcomeText(page)).toMatch(/^\d+ of 111$/)
        await expect.poll(() => strong(page)).toMatchObject([{ isSeen: true }])
        await page.getByRole('searchbox', { name: 'Find in conversation' }).fill('(')
        await expect.poll(() => outcomeText(page)).toMatch(/^This is no regular expression/)
      }))

    it('marks a pattern in every turn that is drawn, as one scrolls too', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        await page.keyboard.press('Control+f')
        await page.keyboard.type('(question|answer) \\d+')
        await page.getByRole('button', { name: 'Regular expression' }).press('Enter')
        await expect.poll(() => outcomeText(page)).toMatch(/^\d,\d+ of \d,\d+$/)
        await expect.poll(() => unmarked(page, '(question|answer) \\d+')).toEqual([])
        await page.getByRole('feed').hover()
        await page.mouse.wheel(0, -3000)
        await expect.poll(() => unmarked(page, '(question|answer) \\d+')).toEqual([])
      }))

    it('marks some of very many matches, says so, and leads to the last one', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'short')
        await page.evaluate(() => {
          const { summary } = window.home.contexts.get('short') ?? {}
          if (summary === undefined) throw new Error('no such context')
          window.home.append(summary.key, [{ role: 'user', content: 'ab '.repeat(70_000) }])
        })
        await page.keyboard.press('Control+f')
        await page.keyboard.type('[ab]')
        await page.getByRole('button', { name: 'Regular expression' }).press('Enter')
        await expect
          .poll(() => outcomeText(page))
          .toMatch(/ of 140,0\d\d\. Only the first 500 matches/)
        await page.getByRole('searchbox', { name: 'Find in conversation' }).press('Shift+Enter')
        await expect.poll(() => outcomeText(page)).toMatch(/^140,0(\d\d) of 140,0\1/)
        await expect.poll(() => strong(page)).toEqual([{ word: 'b', isSeen: true }])
      }))

    it('stays right while the conversation grows', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'short')
        await page.keyboard.press('Control+f')
        await page.keyboard.type('hello')
        await expect.poll(() => outcomeText(page)).toMatch(/^\d of 2$/)
        const before = await outcomeText(page)
        await page.evaluate(() => {
          const { summary } = window.home.contexts.get('short') ?? {}
          if (summary === undefined) throw new Error('no such context')
          window.home.append(summary.key, [{ role: 'user', content: 'Hello again, hello.' }])
        })
        await outcome(page, before.replace('of 2', 'of 4'))
      }))

    it('marks the whole length beside the scroll bar, in each theme', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        await page.keyboard.press('Control+f')
        await page.keyboard.type('Question 1500')
        await outcome(page, '1 of 1')
        for (const theme of allThemes) {
          await page.evaluate(([name, contrast]) => {
            document.documentElement.dataset.theme = name
            document.documentElement.dataset.contrast = contrast ?? 'normal'
          }, theme.split(' '))
          // One row of 3,000, in the middle.
          await expect.poll(() => markedPart(page), { message: theme }).toBeCloseTo(0.5, 1)
        }
        await page.keyboard.press('Control+a')
        await page.keyboard.type('no such words')
        await outcome(page, 'No matches')
        await page.locator('.match-ruler').waitFor({ state: 'detached' })
      }))

    it('is fit for the narrowest window, and has no serious fault of accessibility', () =>
      withPage(harness(), landing, async (page) => {
        await openConversation(page, 'long')
        await resize(page, { width: 800, height: 700 })
        await page.keyboard.press('Control+f')
        await page.keyboard.type('question')
        await expect.poll(() => outcomeText(page)).toMatch(/ of 1,500$/)
        const close = page.getByRole('button', { name: 'Close', exact: true })
        await expect.poll(() => close.isVisible()).toBe(true)
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await close.press('Enter')
        await page
          .getByRole('search', { name: 'Find in conversation' })
          .waitFor({ state: 'detached' })
      }))
  })
}

async function inField(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Find in conversation',
  )
}

async function outcomeText(page: Page): Promise<string> {
  return (await page.getByRole('status', { name: 'Matches' }).textContent()) ?? ''
}

async function outcome(page: Page, words: string): Promise<void> {
  await expect.poll(() => outcomeText(page)).toBe(words)
}

/** The current match, and whether it is in view. */
function strong(page: Page) {
  return page.evaluate(() => {
    const feed = document.querySelector('[role="feed"]')?.getBoundingClientRect()
    const ranges = [...(CSS.highlights.get('found-now') ?? [])]
    return ranges.flatMap((range) => {
      if (!(range instanceof Range) || feed === undefined) return []
      const { top, bottom } = range.getBoundingClientRect()
      return [{ word: range.toString(), isSeen: top >= feed.top && bottom <= feed.bottom }]
    })
  })
}

/** Returns the beginnings of the drawn turns that have a pattern's matches, of which none is marked. */
function unmarked(page: Page, pattern: string): Promise<readonly string[]> {
  return page.evaluate((source) => {
    const nodes = [...(CSS.highlights.get('found') ?? [])].flatMap((range) =>
      range instanceof Range ? [range.startContainer] : [],
    )
    const turns = [...document.querySelectorAll('[role="feed"] [data-item]')]
    const withMatch = turns.filter((turn) => new RegExp(source, 'i').test(turn.textContent ?? ''))
    if (withMatch.length < 2) return ['too few turns have a match']
    return withMatch
      .filter((turn) => !nodes.some((node) => turn.contains(node)))
      .map((turn) => turn.textContent?.slice(0, 40) ?? '')
  }, pattern)
}

/** Returns the text of the turn that the current match is in. */
function shownTurn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('found-now') ?? [])]
    const node = range instanceof Range ? range.startContainer.parentElement : null
    return node?.closest('[data-item]')?.textContent ?? ''
  })
}

/** Returns where on the canvas of marks something is drawn, on average, from 0 to 1; undefined where nothing is. */
function markedPart(page: Page): Promise<number | undefined> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.match-ruler canvas')
    const context = canvas?.getContext('2d')
    if (canvas == null || context == null || canvas.height === 0) return undefined
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    const rows: number[] = []
    for (let y = 0; y < canvas.height; y++)
      if ((data[(y * canvas.width + Math.floor(canvas.width / 2)) * 4 + 3] ?? 0) > 0) rows.push(y)
    if (rows.length === 0) return undefined
    return rows.reduce((sum, y) => sum + y, 0) / rows.length / canvas.height
  })
}
