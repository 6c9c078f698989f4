import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { resize, settled, stopClock, withNewPage, withPage } from './page'

const main = (page: Page) => page.getByRole('main', { name: 'Problems' })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Opens the view by its shortcut, once the conversation is there. */
async function openLost(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+L')
  await main(page).waitFor()
}

async function waitForFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const element = document.activeElement
    return (element?.getAttribute('aria-label') ?? element?.textContent) === wanted
  }, name)
}

/** What is not where it belongs, and rows of conversations that are gone or live. */
export function lostAndFound(harness: () => Harness): void {
  describe('problems', () => {
    it('tells its number at the foot of the library, opens from there, and gives the focus back', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        const foot = button(page, 'Problems, 7')
        await foot.click()
        await main(page).waitFor()
        await waitForFocus(page, 'Results')
        await expect.poll(() => page.title()).toBe('Problems - Skein')
        await expect.poll(() => foot.getAttribute('aria-expanded')).toBe('true')
        await expect
          .poll(() => main(page).getByRole('heading', { level: 2 }).allTextContents())
          .toEqual([
            'Cannot be read 1 conversation',
            'Damaged 4 lines in 2 conversations',
            'In no conversation 14 lines in 1 file',
            'Missing from disk 2 conversations',
            'Warnings 1 conversation',
          ])
        await page.keyboard.press('Escape')
        await main(page).waitFor({ state: 'detached' })
        await waitForFocus(page, 'Problems, 7')
        await expect.poll(() => page.title()).toBe('import-gap - Skein')
      }))

    it('is reached by F6 and by its shortcut, and takes turns with the search', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        await page.keyboard.press('F6')
        await waitForFocus(page, 'Conversations')
        await page.keyboard.press('F6')
        await waitForFocus(page, 'Results')
        await page.keyboard.press('Control+Shift+F')
        await page.getByRole('main', { name: 'Search' }).waitFor()
        await expect.poll(() => main(page).count()).toBe(0)
        await page.keyboard.press('Control+Shift+L')
        await waitForFocus(page, 'Results')
        await expect.poll(() => page.getByRole('main', { name: 'Search' }).count()).toBe(0)
      }))

    it('shows damaged lines with their place and bytes, and goes there, by keyboard alone', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        const unfold = button(page, /^Show 3 lines of import-gap/)
        await unfold.press('Enter')
        const lines = page.getByRole('list', { name: 'Damaged lines of import-gap' })
        await lines.waitFor()
        await expect
          .poll(() => lines.getByText(/bytes at offset/).allTextContents())
          .toEqual([
            '59 bytes at offset 161 of',
            '6,826 bytes at offset 221 of',
            '11 bytes at offset 7,048 of',
          ])
        await expect.poll(() => lines.getByText('unfinished, may still be growing').count()).toBe(1)
        const first = button(page, /^Line 2/)
        await first.press('Enter')
        const text = page.getByRole('group', { name: 'Line 2 as text' })
        await expect
          .poll(() => text.textContent())
          .toBe('{"id":"6f1c","from":"import-gap","content":"␛[31mhalf␀ a li')
        await button(page, 'Copy bytes').first().click()
        await expect
          .poll(() => page.evaluate(() => navigator.clipboard.readText()))
          .toContain('"content":"\u001b[31mhalf')
        await page.getByRole('radio', { name: 'Text' }).press('ArrowRight')
        const bytes = page.getByRole('group', { name: 'Line 2 as bytes' })
        await expect
          .poll(async () => (await bytes.textContent())?.split('\n')[0])
          .toBe('0000  7b 22 69 64 22 3a 22 36 66 31 63 22 2c 22 66 72  {"id":"6f1c","fr')
        await button(page, 'Open there at line 2').press('Enter')
        await main(page).waitFor({ state: 'detached' })
        await page.getByRole('heading', { level: 1, name: 'import-gap' }).waitFor()
        await page.getByRole('feed').waitFor()
      }))

    it('says of a line whose end is not here how much of it is shown', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        await button(page, /^Show 3 lines/).click()
        await button(page, /^Line 3/).click()
        await page.getByText('The first 4.0 KB of 6.7 KB.').waitFor()
      }))

    it('unfolds a file to the first of its lines that no conversation has, and tells the others', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        await button(page, 'Show 14 lines of exchanges_2025-11-02.jsonl').press('Enter')
        const list = page.getByRole('list', {
          name: 'Lines of exchanges_2025-11-02.jsonl outside any conversation',
        })
        await list.waitFor()
        await expect
          .poll(() => list.getByRole('button', { name: /^Line/ }).allTextContents())
          .toEqual(['Line 1text ends inside a string', 'Line 2it has no conversation_id'])
        await page.getByText('and 12 more', { exact: true }).waitFor()
        // There is no conversation to go to, and none to ask.
        await expect.poll(() => list.getByRole('button', { name: /^Open there/ }).count()).toBe(0)
        await list.getByRole('button', { name: /^Line 1/ }).click()
        const text = page.getByRole('group', { name: 'Line 1 as text' })
        await expect
          .poll(() => text.textContent())
          .toBe('{"version":3,"text":"What was ⟨U+202E⟩half⟨U+202C⟩␀ said')
        await button(page, 'Check again').click()
        await settled(page)
        await expect.poll(() => text.count()).toBe(1)
        await button(page, 'Hide 14 lines of exchanges_2025-11-02.jsonl').click()
        await list.waitFor({ state: 'detached' })
        const asked = () =>
          page.evaluate(() =>
            window.home.api.calls.filter(({ channel }) => channel === 'lost.lines'),
          )
        await expect.poll(asked).toEqual([])
      }))

    it('says of a file whose lines were not told only how many there are', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate(() =>
          window.home.lost.set({
            items: [
              {
                kind: 'unplaced',
                source: 'fluux',
                title: 'rooms.jsonl',
                lines: 3,
                words: [],
                place: '~/.fluux/rooms.jsonl',
              },
            ],
            counted: 2,
            waiting: 0,
            large: 0,
          }),
        )
        await openLost(page)
        await page.getByText('3 lines belong to none of its conversations.').waitFor()
        await button(page, 'Copy the path of rooms.jsonl').waitFor()
        await expect.poll(() => button(page, /^Show .*lines/).count()).toBe(0)
      }))

    it('lets nobody be fooled by the text of a title or a line', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        const title = page.getByRole('heading', { level: 3, name: /^<b>Where<\/b>/ })
        await expect.poll(() => title.textContent()).toContain('⟨U+202E⟩gap')
        await button(page, /^Show line of <b>/).click()
        // The only one: it is unfolded at once.
        const text = page.getByRole('group', { name: 'Line 1 as text' })
        await expect.poll(() => text.textContent()).toBe('{"role":"user","content":⟨U+202E⟩}')
      }))

    it('forgets what is gone only after it was asked, and goes on to the next', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        const forgets = () =>
          page.evaluate(
            () => window.home.api.calls.filter(({ channel }) => channel === 'lost.forget').length,
          )
        const forget = button(page, 'Forget… Port the parser to streams')
        await forget.press('Enter')
        await waitForFocus(page, 'Cancel')
        await page.getByText('No file is touched').waitFor()
        await page.keyboard.press('Escape')
        await waitForFocus(page, 'Forget… Port the parser to streams')
        await expect.poll(async () => [await forgets(), await main(page).count()]).toEqual([0, 1])
        await page.keyboard.press('Enter')
        await waitForFocus(page, 'Cancel')
        await page.keyboard.press('Tab')
        await waitForFocus(page, 'Forget')
        await page.keyboard.press('Enter')
        await waitForFocus(page, 'Forget… House rules for code review')
        await expect.poll(() => forgets()).toBe(1)
        await expect
          .poll(() => page.getByRole('option', { name: /^Port the parser/ }).count())
          .toBe(0)
        await button(page, 'Problems, 6').waitFor()
      }))

    it('says what is still being looked through, and follows it', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        await page
          .getByText(
            '2 of 28 conversations still to check. 2 large ones are checked when you open them.',
          )
          .waitFor()
        await page.evaluate(() => {
          window.home.lost.set({ items: [], counted: 28, waiting: 0, large: 0 })
          const known = window.skein.stores.library.getState().conversations.slice(0, 1)
          window.home.changeLibrary({
            conversations: known.map((one) => ({ ...one, entries: 3 })),
            gone: [],
          })
        })
        await page.getByText('No problems: 28 conversations checked, 0 damaged lines.').waitFor()
        await page.getByRole('button', { name: 'Problems', exact: true }).waitFor()
      }))

    it('is not sure of large ones that nobody has opened, and waits for none of them', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate(() =>
          window.home.lost.set({ items: [], counted: 26, waiting: 0, large: 1 }),
        )
        await openLost(page)
        await page
          .getByText('26 of 27 conversations checked. 1 large one is checked when you open it.')
          .waitFor()
        await page.getByText('Nothing so far: 26 conversations checked').waitFor()
        await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
      }))

    it('says why nothing could be looked through, and looks again', () =>
      withPage(harness(), { scenario: 'lost', failure: '1' }, async (page) => {
        await openLost(page)
        await page.getByText('~/.chibi/contexts cannot be used: permission denied.').waitFor()
        await page.evaluate(() =>
          window.home.lost.set({ items: [], counted: 3, waiting: 0, large: 0 }),
        )
        await button(page, 'Try again').click()
        await page.getByRole('heading', { name: 'No problems' }).waitFor()
      }))

    it('fits into a narrow window without scrolling sideways', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await openLost(page)
        await button(page, /^Show 3 lines/).click()
        await button(page, /^Line 3/).click()
        for (const [width, zoom] of [
          [800, 1],
          [800, 2],
          [1440, 1],
        ] as const) {
          await resize(page, { width, height: 900, zoom })
          const sideways = () =>
            page
              .getByRole('group', { name: 'Results' })
              .evaluate((scroll) => scroll.scrollWidth - scroll.clientWidth)
          await expect.poll(async () => [width, zoom, await sideways()]).toEqual([width, zoom, 0])
        }
      }))

    it('shows thousands of losses in steps, and reads on at what came', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate(
          (key) =>
            window.home.lost.set({
              items: Array.from({ length: 4318 }, (_, index) => ({
                kind: 'gone',
                source: 'cycod',
                key: `${key}-${index}` as typeof key,
                title: `chat ${index}`,
                lines: 0,
                words: ['Its files are no longer on the disk.'],
                place: '',
              })),
              counted: 0,
              waiting: 0,
              large: 0,
            }),
          LibraryKey.parse('cycod:chat'),
        )
        await openLost(page)
        await page.getByText('100 of 4,318 shown').waitFor()
        await expect.poll(() => main(page).getByRole('listitem').count()).toBe(100)
        await button(page, 'Show 100 more').click()
        await page.getByText('200 of 4,318 shown').waitFor()
        await page.waitForFunction(() =>
          document.activeElement?.textContent?.startsWith('chat 100'),
        )
      }))
  })

  describe('a row of the library', () => {
    it('says that its conversation is gone, and opens to what is known', () =>
      withPage(harness(), { scenario: 'lost' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const row = page.getByRole('option', { name: /^Port the parser.*missing from disk$/ })
        await row.scrollIntoViewIfNeeded()
        expect(await faultsInThemes(page)).toEqual([])
        await row.click()
        await page
          .getByRole('heading', { name: 'This conversation is missing from disk' })
          .waitFor()
      }))

    it('is live while another program writes to its conversation, and for ten seconds after', () =>
      withNewPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await stopClock(page)
        await page.evaluate(() => {
          const { conversations } = window.skein.stores.library.getState()
          window.home.changeLibrary({
            conversations: conversations
              .filter(({ title }) => title === 'release-notes-2-4')
              .map((one) => ({
                ...one,
                bytes: one.bytes + 1,
                updated: new Date(Date.now()).toISOString(),
              })),
            gone: [],
          })
        })
        await page.getByRole('option', { name: /^release-notes-2-4.*live$/ }).waitFor()
        await page.clock.runFor(10_000)
        await page.getByRole('option', { name: /^release-notes-2-4.*\d$/ }).waitFor()
      }))
  })
}
