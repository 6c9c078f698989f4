import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { manySteps, openConversation, openedAtEnd, settled, withPage } from './page'

/** Going to a place in a conversation, as from a hit, a branch or a link. */
export function landing(harness: () => Harness): void {
  describe('going to a place', () => {
    it('opens the conversation around it, a third from the top, with the focus on its turn', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'short')
        expect(await goTo(page, 'long', 1500)).toBe(true)
        await arrived(page)
        await expect
          .poll(() => focused(page))
          .toMatchObject({
            text: expect.stringContaining('Question 1500'),
          })
        await expect.poll(async () => Math.abs((await focused(page)).third)).toBeLessThanOrEqual(2)
        await page.getByRole('heading', { level: 1, name: 'long' }).waitFor()
      }))

    it('goes on from there in both directions', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await goTo(page, 'long', 1500)
        await arrived(page)
        const rows = () =>
          page.evaluate(() => {
            const { rows, atEnd } = window.skein.stores.transcript.getState().run
            return { count: rows.length, atEnd }
          })
        expect(await rows()).toEqual({ count: 120, atEnd: false })
        const feed = page.getByRole('feed')
        for (const direction of [-1, 1]) {
          const { count } = await rows()
          // Until more rows have come at that edge.
          await expect
            .poll(async () => {
              await feed.evaluate((element, by) => element.scrollBy(0, by * 900), direction)
              return (await rows()).count
            }, manySteps)
            .toBeGreaterThan(count)
        }
        await expect.poll(() => feed.textContent()).toMatch(/(Question|Answer) 1[4-7]\d\d/)
      }))

    it('scrolls there when its row is here already', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await openConversation(page, 'long')
        await openedAtEnd(page)
        const generation = () =>
          page.evaluate(() => window.skein.stores.transcript.getState().generation)
        const before = await generation()
        await goTo(page, 'long', 2900)
        await arrived(page)
        await expect.poll(() => generation()).toBe(before)
        await expect
          .poll(() => focused(page))
          .toMatchObject({
            text: expect.stringContaining('Question 2900'),
          })
        await expect.poll(async () => Math.abs((await focused(page)).third)).toBeLessThanOrEqual(2)
      }))

    it('finds an entry by its id', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await page.evaluate(async () => {
          const row = window.home.contexts.get('long')?.rows[700]
          if (row?.type !== 'entry') throw new Error('no entry there')
          const { summary } = window.home.contexts.get('long') ?? {}
          if (summary === undefined) throw new Error('no such context')
          await window.skein.actions.openAt(summary.key, { entry: row.entry.id })
        })
        await arrived(page)
        await expect
          .poll(() => focused(page))
          .toMatchObject({ text: expect.stringContaining('Question 700') })
      }))

    it('opens what hides the words, shows what was cut, and marks them', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        for (const [index, text] of [
          [201, 'the Needle'],
          [202, 'needle'],
          [203, 'needle'],
        ] as const) {
          await goTo(page, 'folded', index, ['needle'])
          await arrived(page)
          await expect
            .poll(() => markedWords(page), { message: text })
            .toEqual([{ word: expect.stringMatching(/^needle$/i), isSeen: true }])
        }
      }))

    it('says that the line is gone, and shows the end', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        const isThere = await page.evaluate(() => {
          const { summary } = window.home.contexts.get('long') ?? {}
          if (summary === undefined) throw new Error('no such context')
          return window.skein.actions.openAt(summary.key, { file: 'active.jsonl', offset: 7 })
        })
        expect(isThere).toBe(false)
        const note = page.getByText('That line is no longer in this conversation.')
        await note.waitFor()
        await page.getByText('Answer 2999.').waitFor()
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await note.waitFor({ state: 'detached' })
      }))

    it('marks words in the colours of the appearance, also after it changed', () =>
      withPage(harness(), { scenario: 'landing' }, async (page) => {
        await goTo(page, 'long', 1500, ['Question'])
        await arrived(page)
        const light = await page.evaluate(ruleOfMarks)
        expect(light).toContain('background-color')
        await page.evaluate(takeTheme, 'dark')
        await expect.poll(() => page.evaluate(ruleOfMarks)).not.toBe(light)
        await page.evaluate(takeTheme, 'light')
        await expect.poll(() => page.evaluate(ruleOfMarks)).toBe(light)
      }))
  })
}

function takeTheme(theme: string): void {
  document.documentElement.dataset.theme = theme
}

/** The rule that colours the marks of a landing. */
function ruleOfMarks(): string | undefined {
  return document.adoptedStyleSheets
    .flatMap((sheet) => [...sheet.cssRules])
    .map(({ cssText }) => cssText)
    .find((text) => text.startsWith('::highlight(landing)'))
}

/** Goes to a row of a context. */
function goTo(
  page: Page,
  context: string,
  row: number,
  marked: readonly string[] = [],
): Promise<boolean> {
  return page.evaluate(
    ([name, index, words]) => {
      const context = window.home.contexts.get(name)
      const at = context?.rows[index]
      if (context === undefined || at === undefined) throw new Error('no such row')
      const { file, offset } = at.type === 'entry' ? at.entry : at.damaged
      return window.skein.actions.openAt(context.summary.key, { file, offset }, { marked: words })
    },
    [context, row, marked] as const,
  )
}

/** Waits until the place that was gone to stands in view. */
export async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(() => window.skein.stores.reading.getState().landing?.isDone === true)
  await settled(page)
}

/** The turn that has the focus, and how many pixels it is off a third of the transcript. */
function focused(page: Page): Promise<{ readonly text: string; readonly third: number }> {
  return page.getByRole('feed').evaluate((feed) => {
    const turn = document.activeElement?.closest('[data-item]')
    const { top, height } = feed.getBoundingClientRect()
    return {
      text: turn?.textContent ?? '',
      third: (turn?.getBoundingClientRect().top ?? Number.NaN) - top - height / 3,
    }
  })
}

/** The words that are marked, and whether the reader sees them. */
function markedWords(
  page: Page,
): Promise<readonly { readonly word: string; readonly isSeen: boolean }[]> {
  return page.getByRole('feed').evaluate((feed) => {
    const within = feed.getBoundingClientRect()
    return [...CSS.highlights.values()].flatMap((highlight) =>
      [...highlight].map((range) => {
        if (!(range instanceof Range)) return { word: '', isSeen: false }
        const { top, bottom } = range.getBoundingClientRect()
        return { word: range.toString(), isSeen: top >= within.top && bottom <= within.bottom }
      }),
    )
  })
}
