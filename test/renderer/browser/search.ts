import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { arrived } from './landing'
import { framesSeen, hasFocus, resize, settled, watchFrames, withPage } from './page'

/** Searching everything, by keyboard and by hand. */
export function searching(harness: () => Harness): void {
  describe('the search', () => {
    it('opens, finds as one types, lands at a hit, goes on with F3 and comes back', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await expect.poll(() => page.title()).toBe('Search - Skein')
        await page.keyboard.type('"clock change" utc')
        await page.getByText('11 hits in 5 conversations').waitFor()
        await page.getByText('5 segments, 5 read, complete').waitFor()
        await expect
          .poll(() => page.getByRole('option', { name: /^Result of bash/ }).count())
          .toBe(4)

        await page.keyboard.press('ArrowDown')
        await waitForFocus(page, 'Hits')
        await expect.poll(() => active(page)).toMatch(/^Result of bash.*in nightly-import/)
        await page.keyboard.press('Alt+ArrowDown')
        await expect.poll(() => active(page)).toMatch(/in walk-through-for-the-demo$/)
        await page.keyboard.press('End')
        await expect.poll(() => active(page)).toMatch(/planner cannot use/)
        await page.keyboard.press('Home')
        await expect.poll(() => active(page)).toMatch(/^Result of bash.*in nightly-import/)
        await page.keyboard.press('ArrowDown')
        await page.getByText('hit 2 of 11').waitFor()
        await page.keyboard.press('Enter')

        await page.getByRole('heading', { level: 1, name: 'nightly-import' }).waitFor()
        await focusedTurn(page, 'Times are now compared in UTC')
        await page.getByText('Hit 2 of 11').waitFor()
        await expect.poll(() => page.title()).toBe('nightly-import-skips-an-hour - Skein')
        await page.keyboard.press('F3')
        await focusedTurn(page, 'The 02:30 import skipped an hour')
        await page.keyboard.press('F3')
        await focusedTurn(page, 'So the graph is in UTC')
        await page.keyboard.press('Shift+F3')
        await focusedTurn(page, 'The 02:30 import skipped an hour')

        await page.getByRole('button', { name: 'Back to results' }).click()
        await waitForFocus(page, 'Hits')
        await expect.poll(() => active(page)).toMatch(/Is the table in UTC/)
        await expect.poll(() => queryOf(page)).toBe('"clock change" utc')
      }))

    it('lands inside of a fold, opened, with the words marked', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('"3,600 rows"')
        await page.getByText('1 hit in 1 conversation').waitFor()
        await page.keyboard.press('ArrowDown')
        await waitForFocus(page, 'Hits')
        await page.keyboard.press('Enter')
        await arrived(page)
        await focusedTurn(page, '3,600 rows pending')
        await page.getByText('Hit 1 of 1').waitFor()
        const marked = () =>
          page.evaluate(() =>
            [...CSS.highlights.values()].flatMap((highlight) =>
              [...highlight].map((range) => (range instanceof Range ? range.toString() : '')),
            ),
          )
        await expect.poll(marked).toEqual(['3,600 rows'])
      }))

    it('previews the selected hit beside the list, in its fold and marked, without the focus', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('"3,600 rows"')
        await page.getByText('1 hit in 1 conversation').waitFor()
        const preview = page.getByRole('region', { name: 'Preview' })
        await preview.getByText('Select a hit').waitFor()
        await page.keyboard.press('ArrowDown')
        await waitForFocus(page, 'Hits')
        await preview.getByRole('region', { name: 'Result' }).getByText('3,600 rows').waitFor()
        const marked = () =>
          page.evaluate(() =>
            [...(CSS.highlights.get('preview') ?? [])].map((range) =>
              range instanceof Range ? range.toString() : '',
            ),
          )
        await expect.poll(async () => [...new Set(await marked())]).toEqual(['3,600 rows'])
        await waitForFocus(page, 'Hits')
        // F6 goes into it, past the filters, Esc back to the hits; the transcript's own acts are not in it.
        await page.keyboard.press('F6')
        await page.waitForFunction(() => document.activeElement?.matches('.facet-value > input'))
        await page.keyboard.press('F6')
        await waitForFocus(page, 'Entry and its neighbours')
        await expect
          .poll(() => preview.getByRole('button', { name: 'Branch here' }).count())
          .toBe(0)
        await page.keyboard.press('Escape')
        await waitForFocus(page, 'Hits')
        await page.keyboard.press('Control+Alt+b')
        await preview.waitFor({ state: 'detached' })
        await waitForFocus(page, 'Hits')
        await page.keyboard.press('Control+Alt+b')
        await preview.getByRole('region', { name: 'Result' }).getByText('3,600 rows').waitFor()
      }))

    it('is narrowed by filters, by keyboard alone, whose choices are text', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('utc')
        await page.getByText(/hits in 5 conversations/).waitFor()
        const filters = page.getByRole('region', { name: 'Filters' })
        const speaker = filters.getByRole('group', { name: /^Speaker, all hits counted/ })
        const yours = speaker.getByRole('checkbox', { name: /^You, \d+ hits?$/ })
        await yours.waitFor()
        const total = Number(/\d+/.exec((await yours.evaluate(labelOf)) ?? '')?.[0])
        await page.keyboard.press('F6')
        await page.waitForFunction(() => document.activeElement?.matches('.facet-value > input'))
        const boxes = await filters.getByRole('checkbox').evaluateAll((all) => all.length)
        for (let press = 0; press < boxes; press++) {
          if (await yours.evaluate((box) => box === document.activeElement)) break
          await page.keyboard.press('ArrowDown')
        }
        await page.keyboard.press('Space')
        await expect.poll(() => queryOf(page)).toBe('utc role:user')
        await page.getByText(new RegExp(`^${total} hits? in`)).waitFor()
        await expect.poll(() => yours.isChecked()).toBe(true)
        await expect.poll(() => yours.evaluate((box) => box === document.activeElement)).toBe(true)
        await page.keyboard.press('Backspace')
        await expect.poll(() => queryOf(page)).toBe('utc')
        await page.getByText(/hits in 5 conversations/).waitFor()
        await page.keyboard.press('Escape')
        await waitForFocus(page, 'Hits')
      }))

    it('has the oldest hits first by a menu, and keeps the order', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('"clock change" utc')
        await page.getByText('11 hits in 5 conversations').waitFor()
        const list = page.getByRole('listbox', { name: 'Hits' })
        const options = () => list.getByRole('option').allTextContents()
        const newest = await options()
        await page.getByRole('button', { name: 'Order: Newest first' }).press('Enter')
        await page.getByRole('menuitemradio', { name: 'Oldest first' }).click()
        await page.getByRole('button', { name: 'Order: Oldest first' }).waitFor()
        await expect.poll(async () => (await options())[0]).not.toBe(newest[0])
        await page.getByText('11 hits in 5 conversations').waitFor()
        expect((await options()).sort()).toEqual([...newest].sort())
        await page.getByRole('button', { name: 'Clear the search' }).press('Enter')
        await page.getByRole('button', { name: 'Order: Oldest first' }).waitFor()
      }))

    it('folds the hits of a conversation behind its head, by Left and Right and by a press', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('"clock change" utc')
        await page.getByText('11 hits in 5 conversations').waitFor()
        await page.keyboard.press('ArrowDown')
        await waitForFocus(page, 'Hits')
        const first = page.getByRole('option', { name: /nightly-import.*folded/ })
        await page.keyboard.press('ArrowLeft')
        await first.waitFor()
        await expect.poll(() => first.getAttribute('aria-selected')).toBe('true')
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => active(page)).toMatch(/in walk-through-for-the-demo$/)
        await page.keyboard.press('ArrowUp')
        await expect.poll(() => active(page)).toMatch(/^nightly-import.*folded$/)
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => active(page)).toMatch(/^Result of bash.*in nightly-import/)
        await page.locator('.hit-head', { hasText: 'nightly-import' }).click()
        await first.waitFor()
      }))

    it('a press selects a hit beside its preview, and a second one opens it', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('"clock change" utc')
        await page.getByText('11 hits in 5 conversations').waitFor()
        const hit = page.getByRole('option').filter({ hasText: 'planner cannot use' })
        await hit.click()
        const preview = page.getByRole('region', { name: 'Preview' })
        await preview.getByText('The planner cannot use').first().waitFor()
        await expect.poll(() => hit.getAttribute('aria-selected')).toBe('true')
        await hit.click()
        await focusedTurn(page, 'The planner cannot use')
      }))

    it('Esc closes it and gives the focus back; what was typed is there when it opens again', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.getByRole('textbox', { name: 'Message' }).focus()
        await openSearch(page)
        await page.keyboard.type('utc')
        await page.getByText(/hits in 5 conversations/).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('main', { name: 'Search' }).waitFor({ state: 'detached' })
        await waitForFocus(page, 'Message')
        await expect.poll(() => page.title()).toBe('nightly-import-skips-an-hour - Skein')
        await openSearch(page)
        await expect.poll(() => queryOf(page)).toBe('utc')
        await page.getByText(/hits in 5 conversations/).waitFor()
        // A letter in the list goes on with the query.
        await page.keyboard.press('ArrowDown')
        await waitForFocus(page, 'Hits')
        await page.keyboard.type('x')
        await waitForFocus(page, 'Search conversations')
        await expect.poll(() => queryOf(page)).toBe('utcx')
        await page.getByRole('heading', { name: 'No results' }).waitFor()
      }))

    it('gives way to a conversation that is chosen in the library, and keeps the transcript where it was', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await page.getByRole('button', { name: 'Search everything' }).click()
        await waitForFocus(page, 'Search conversations')
        await page.keyboard.press('F6')
        await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).count()).toBe(0)
        await page.getByRole('option', { name: /^walk-through/ }).click()
        await page.getByRole('heading', { level: 1, name: 'walk-through-for-the-demo' }).waitFor()
      }))

    it('shows hits that come in without moving what is selected, or pointed at', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.evaluate(() => window.home.search.hold())
        await page.keyboard.type('utc')
        await page.waitForFunction(() => window.home.search.held() === 'utc')
        await page.evaluate(() => window.home.search.tell(4, 'oldest'))
        await page.getByRole('option', { name: /on the board/ }).hover()
        await page.locator('.hit:hover', { hasText: 'on the board' }).waitFor()
        await watchFrames(page, () => {
          const hit = [...document.querySelectorAll('.hit')].find((one) =>
            one.textContent?.includes('on the board'),
          )
          return hit?.getBoundingClientRect().top ?? Number.NaN
        })
        await page.evaluate(() => window.home.search.tell(3, 'newest'))
        const newer = page.getByRole('button', { name: '3 newer' })
        await newer.waitFor()
        await page.evaluate(() => window.home.search.tell(2, 'oldest'))
        await page.getByRole('button', { name: '5 newer' }).waitFor()
        await page.evaluate(() => window.home.search.finish())
        await page.getByText('5 segments, 5 read, complete').waitFor()
        await settled(page)
        expect(new Set(await framesSeen(page)).size).toBe(1)
        await page.getByRole('button', { name: /newer$/ }).click()
        await page.getByRole('option', { name: /3,600 rows pending/ }).waitFor()
        await expect.poll(() => page.getByRole('button', { name: /newer$/ }).count()).toBe(0)
      }))

    it('keeps a selected hit where it is, and shows newer ones when the arrows go up', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.evaluate(() => window.home.search.hold())
        await page.keyboard.type('utc')
        await page.waitForFunction(() => window.home.search.held() === 'utc')
        await page.evaluate(() => window.home.search.tell(2, 'oldest'))
        await page.keyboard.press('ArrowDown')
        await waitForFocus(page, 'Hits')
        const first = await active(page)
        await page.evaluate(() => window.home.search.finish())
        await page.getByText(', complete,').waitFor()
        await expect.poll(() => active(page)).toBe(first)
        await page.keyboard.press('ArrowUp')
        await page.getByRole('button', { name: /newer$/ }).waitFor({ state: 'detached' })
        await expect.poll(() => active(page)).toBe(first)
        await waitForFocus(page, 'Hits')
        await page.keyboard.press('Home')
        await expect.poll(() => active(page)).not.toBe(first)
        await page.keyboard.press('ArrowUp')
        await waitForFocus(page, 'Search conversations')
      }))

    it('shows a thousand hits in steps, virtual, and is quick at both ends', () =>
      withPage(harness(), { scenario: 'search-many' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('needle')
        await page.getByText('Newest 100 of 1,240').waitFor()
        await page.keyboard.press('ArrowDown')
        await waitForFocus(page, 'Hits')
        const first = await active(page)
        await page.keyboard.press('End')
        await expect.poll(() => active(page)).not.toBe(first)
        const chosen = await active(page)
        await page.getByRole('button', { name: 'Show more' }).click()
        await page.getByText('Newest 500 of 1,240').waitFor()
        await expect.poll(() => active(page)).toBe(chosen)
        await page.getByRole('button', { name: 'Show more' }).click()
        await page.getByText('Newest 1,000 of 1,240').waitFor()
        await expect.poll(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
        await page.getByRole('listbox', { name: 'Hits' }).press('End')
        await page.getByText('hit 1,000 of 1,000').waitFor()
        await expect
          .poll(() => page.getByRole('option', { name: /needle/ }).count())
          .toBeLessThan(60)
      }))

    it('shows text as text, cut so that the mark is seen', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.keyboard.type('reversed')
        const hit = page.getByRole('option', { name: /reversed/ })
        await hit.waitFor()
        await expect.poll(() => hit.textContent()).toContain('change</b> in UTC')
        await expect.poll(() => hit.textContent()).toContain('⟨U+202E⟩')
        for (const width of [1440, 800]) {
          await resize(page, { width, height: 700 })
          const isSeen = () =>
            hit.evaluate((element) => {
              const mark = element.querySelector('mark')?.getBoundingClientRect()
              return mark !== undefined && mark.right < element.getBoundingClientRect().right
            })
          await expect.poll(isSeen, { message: String(width) }).toBe(true)
        }
      }))

    it('says what failed, and tries again', () =>
      withPage(harness(), { scenario: 'search', notice: '1' }, async (page) => {
        await openSearch(page)
        await page.evaluate(() =>
          window.refuseSearch('unreadable', 'The index cannot be used: permission denied.'),
        )
        // All at once: whoever types slowly searches for the first letter, and that would be refused.
        await page.keyboard.insertText('utc')
        await page
          .getByRole('alert')
          .getByText('The index cannot be used: permission denied.')
          .waitFor()
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByText('1 file could not be searched.').waitFor()
        await page.getByText(/hits in 5 conversations/).waitFor()
      }))

    it('teaches its language by examples that can be pressed', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await openSearch(page)
        await page.getByRole('button', { name: 'title:nightly' }).click()
        await page.getByText(/^\d+ hits in 1 conversation$/).waitFor()
        await page.getByText('Read in full: the index needs').waitFor()
        await page.getByRole('button', { name: 'Clear the search' }).click()
        await hasFocus(page.getByRole('combobox', { name: 'Search conversations' }))
        await page.keyboard.type('tool:bash zebra utc')
        await page.getByRole('heading', { name: 'No results' }).waitFor()
        await page.getByText('Nothing in 5 segments, all of them searched').waitFor()
        await page.getByRole('button', { name: 'tool:bash utc', exact: true }).click()
        await page.getByText(/hits? in \d/).waitFor()
      }))

    it('fits a narrow window and twice the text', () =>
      withPage(harness(), { scenario: 'search', zoom: '2' }, async (page) => {
        await page.setViewportSize({ width: 800, height: 700 })
        await openSearch(page)
        await page.keyboard.type('"clock change" utc')
        await page.getByText('11 hits in 5 conversations').waitFor()
        const wide = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('.search *')]
              .filter((one) => !one.closest('.query-tints, .hit-snippet, .unseen, .search-foot'))
              .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
              .map((one) => one.className.toString()),
          )
        await settled(page)
        await expect.poll(wide).toEqual([])
      }))
  })
}

async function openSearch(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+f')
  await waitForFocus(page, 'Search conversations')
}

function queryOf(page: Page): Promise<string> {
  return page.getByRole('combobox', { name: 'Search conversations' }).inputValue()
}

/** The words of the hit that the cursor stands on. */
async function active(page: Page): Promise<string> {
  await settled(page)
  const id = await page.getByRole('listbox', { name: 'Hits' }).getAttribute('aria-activedescendant')
  const text = await page.locator(`[id="${id}"]`).textContent()
  return (text ?? '').replace(/\s+/g, ' ')
}

async function waitForFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (label) => document.activeElement?.getAttribute('aria-label') === label,
    name,
  )
}

async function focusedTurn(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (words) => document.activeElement?.closest('[data-item]')?.textContent?.includes(words),
    text,
  )
}

/** The text of a check box's label. */
function labelOf(box: Element): string | null | undefined {
  return box.closest('label')?.textContent
}
