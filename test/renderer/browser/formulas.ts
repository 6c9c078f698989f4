import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, openConversation, resize, withPage } from './page'

const opened = async (page: Page) => {
  await openConversation(page, 'formulas')
  await page.locator('.formula.display .katex').nth(2).waitFor()
}
const drawn = (page: Page) => page.locator('.formula')

/** Formulas in answers. */
export function drawnFormulas(harness: () => Harness): void {
  describe('formulas', () => {
    it('are drawn and read aloud as mathematics, in every theme and width, and what is none stays text', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await expect.poll(() => drawn(page).count()).toBe(7)
        const first = drawn(page).first()
        await first.locator('math mi', { hasText: /^e$/ }).waitFor({ state: 'attached' })
        await first.locator('.katex-html[aria-hidden=true]').waitFor()
        const text = page.getByRole('feed')
        await text.getByText('costs $5 or $6').waitFor()
        await text.getByText('$\\notacommand$').waitFor()
        await text.getByText(`$$${'x^{'.repeat(150)}`).waitFor()
        await text.getByText('Is $a$ a formula?').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await resize(page, { width: 800, height: 900 })
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('that are too wide scroll by keyboard', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        const wide = page.getByRole('group', { name: 'Formula', exact: true })
        await wide.first().focus()
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => wide.first().evaluate((box) => box.scrollLeft)).toBeGreaterThan(0)
        await expect.poll(() => wide.count()).toBe(1)
      }))

    it('that are too wide for the line that they are in show all of their words, and are in it again in a wider window', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await page.evaluate(() => {
          const { summary } = window.home.contexts.get('formulas') ?? {}
          if (summary === undefined) throw new Error('no such context')
          const words = 'the tide of the harbour at noon '.repeat(2)
          const content = `So $x = \\text{${words}}$ it is.`
          window.home.append(summary.key, [{ from: 'garden', role: 'agent', content }])
        })
        await resize(page, { width: 480, height: 900 })
        const box = page.locator('.formula', { hasText: 'harbour' })
        await box.waitFor()
        const reaches = () =>
          box.evaluate((element) => {
            element.scrollLeft = element.scrollWidth
            const [edge, end] = [element, element.querySelector('.katex-html > :last-child')].map(
              (one) => one?.getBoundingClientRect().right ?? Number.NaN,
            )
            return Math.abs((edge ?? 0) - (end ?? 0)) <= 2
          })
        await expect.poll(reaches).toBe(true)
        await expect.poll(() => box.getAttribute('tabindex')).toBe('0')
        await resize(page, { width: 1440, height: 900 })
        await expect.poll(() => box.getAttribute('tabindex')).toBe(null)
        await expect.poll(() => box.getAttribute('class')).toBe('formula')
      }))

    it('are copied and found as they were written', () =>
      withPage(harness(), { scenario: 'kinds' }, async (page) => {
        await opened(page)
        await page.getByText('Euler').evaluate((paragraph) => {
          getSelection()?.selectAllChildren(paragraph)
        })
        await page.keyboard.press('Control+C')
        await expect
          .poll(() => page.evaluate(() => navigator.clipboard.readText()))
          .toBe(
            "Euler's identity is \\(e^{i\\pi} + 1 = 0\\), and $a_1 \\le b_1$ costs $5 or $6. A root: $\\sqrt{x^2 + y^2}$.",
          )
        await page.keyboard.press('Control+F')
        await hasFocus(page.getByRole('searchbox', { name: 'Find in conversation' }))
        await page.keyboard.type('i\\pi')
        await expect
          .poll(() =>
            page.evaluate(() => {
              const [range] = [...(CSS.highlights.get('found') ?? [])] as Range[]
              return range === undefined ? '' : range.toString()
            }),
          )
          .toContain('i\\pi')
      }))
  })
}
