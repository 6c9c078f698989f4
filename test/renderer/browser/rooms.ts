import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { answered, type RowDraft, said } from '../harness/rows'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { openForeign } from './conversations'
import { manySteps, openedAtEnd, topsWhile, withPage } from './page'

const at = 1_764_000_000
const says = (from: string, content: string, id: string, more: object = {}): RowDraft => ({
  from: `${from}@muc`,
  to: 'fluux',
  role: 'user',
  content,
  metadata: { msg_id: id, ...more },
})
const answers = (content: string, id: string): RowDraft => ({
  from: 'fluux',
  to: 'user',
  role: 'agent',
  content,
  metadata: { msg_id: id },
})
const reacts = (from: string, id: string, emojis: readonly string[]): RowDraft =>
  says(from, '', `r-${from}-${id}-${emojis.length}`, { reaction: { message_id: id, emojis } })

/** A room in which all happens that can. */
const roomRows: readonly RowDraft[] = [
  {
    from: 'fluux',
    to: 'user',
    entry_type: 'document',
    timestamp: null,
    content: '# Session 2026-01-01\n\n**alice**: is the slip open?\n\n**agent**: From `08:00` on.',
    metadata: { raw_type: 'markdown archive' },
  },
  says('ines', 'morning all, the board at the slip shows low water at 11:20', 'm1', {
    attachments: [
      { filename: 'board.jpg', mime_type: 'image/jpeg', size: '412KB' },
      { filename: 'unknown', mime_type: 'unknown', size: 'download failed' },
      {
        filename: 'tides for the whole year, as the office has them.pdf',
        mime_type: 'application/pdf',
        size: '1.2MB',
      },
    ],
  }),
  reacts('marta', 'm1', ['👀']),
  reacts('tom', 'm1', ['👀', '😬']),
  says('tom', 'same on channel 12. tidebot: which one is right for today?', 'm2'),
  says('tom', 'my watch says 10:20', 'm3'),
  answers('10:20 is right. The board adds an hour. Low water **10:20**, 0.6 m.', 'o1'),
  reacts('ines', 'o1', ['👍']),
  reacts('tom', 'o1', ['👍']),
  reacts('ines', 'o1', []),
  answers('(reaction removed)', 'o2'),
  reacts('bob the builder', 'gone', ['🎉']),
  says('☂', 'â€œgarbled before it was storedâ€\u009d', 'm4'),
]

const room = (page: Page) => openForeign(page, 'fluux', 'harbour-crew', roomRows)
const turn = (page: Page, name: string) =>
  page.getByRole('article', { name: new RegExp(`^${name}`) })

/** Rooms, with their people, reactions and files. */
export function rooms(harness: () => Harness): void {
  describe('a room', () => {
    it('shows reactions on their messages, who gave them, and what was taken back', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await room(page)
        const first = turn(page, 'ines').getByRole('list', { name: 'Reactions' })
        await expect
          .poll(() => first.getByRole('img').evaluateAll(labels))
          .toEqual(['👀 from marta and tom', '😬 from tom'])
        const second = turn(page, 'fluux-agent').first().getByRole('list', { name: 'Reactions' })
        await expect
          .poll(() => second.getByRole('img').evaluateAll(labels))
          .toEqual(['👍 from tom'])
        await second.getByText(/ines removed 👍/).waitFor({ state: 'attached' })
        await expect.poll(() => page.getByText('(reaction removed)').count()).toBe(1)
      }))

    it('keeps a reaction whose message is not there on the page, and says so', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await room(page)
        const row = turn(page, 'Reaction of bob the builder')
        await expect
          .poll(() => row.textContent())
          .toMatch(/reacted\s*🎉\s*to a message that is not here/)
      }))

    it('shows the lines of reactions with the source of their message', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await room(page)
        const message = turn(page, 'ines')
        await message.press('r')
        await message.getByText('"message_id":"m1"').nth(1).waitFor()
        await expect.poll(() => message.getByText('"message_id":"m1"').count()).toBe(2)
      }))

    it('names people without the ending of rooms, and once for what they say in a row', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await room(page)
        await expect.poll(() => page.getByText('@muc').count()).toBe(0)
        await expect.poll(() => turn(page, 'tom').locator('b').allInnerTexts()).toEqual(['tom'])
        await turn(page, 'tom').first().locator('b').hover()
        await page.getByRole('tooltip').getByText('tom@muc').waitFor({ state: 'attached' })
      }))

    it('shows files with what is known of them, and the one that could not be fetched', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await room(page)
        const files = turn(page, 'ines').getByRole('list', { name: 'Files' }).getByRole('listitem')
        await expect
          .poll(async () => (await files.allInnerTexts()).map((text) => text.replace(/\n/g, ' ')))
          .toEqual([
            'board.jpg image/jpeg, 412KB',
            'A file without a name download failed',
            'tides for the whole year, as the office has them.pdf application/pdf, 1.2MB',
          ])
      }))

    it('shows an archived page as a page, and garbled text as it is', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await room(page)
        const archived = turn(page, 'Archived page')
        await archived.getByRole('heading', { name: 'Session 2026-01-01' }).waitFor()
        await page.getByText('â€œgarbled before it was storedâ€').waitFor()
      }))

    it('has no serious fault of accessibility, light and dark', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await room(page)
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('stays to the pixel when the page with the messages of its reactions arrives', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        const rows = [
          ...Array.from({ length: 150 }, (_, index) =>
            says(`nick${index % 7}`, `message ${index}`, `m${index}`),
          ),
          ...Array.from({ length: 40 }, (_, index) => reacts('ann', `m${index * 3}`, ['👍'])),
          ...Array.from({ length: 30 }, (_, index) => says('zoe', `late ${index}`, `l${index}`)),
        ]
        await openForeign(page, 'fluux', 'long-room', rows)
        await page.getByText('late 29').waitFor()
        await openedAtEnd(page)
        const scrolledUpTo = (place: Locator) =>
          expect
            .poll(async () => {
              const isThere = (await place.count()) > 0
              if (!isThere)
                await page.getByRole('feed').evaluate((element) => element.scrollBy(0, -400))
              return isThere
            }, manySteps)
            .toBe(true)
        const row = turn(page, 'Reaction of ann').first()
        // Up, until a reaction to a message of an earlier page is on the screen.
        await scrolledUpTo(row)
        const key = (await row.getAttribute('data-item')) ?? ''
        await page.getByText('to a message that is not here').first().waitFor()
        const tops = await topsWhile(page, key, () =>
          page.evaluate(() => window.skein.stores.transcript.getState().loadBefore()),
        )
        expect(tops).toHaveLength(1)
        await page.getByText('to a message in another part of this conversation').first().waitFor()
        const chips = turn(page, 'nick0').first().getByRole('list', { name: 'Reactions' })
        await scrolledUpTo(chips)
        await expect.poll(() => chips.getByRole('img').evaluateAll(labels)).toEqual(['👍 from ann'])
      }))
  })

  describe('what chibi writes a second time', () => {
    const copied: readonly RowDraft[] = [
      said('Which hour is missing?', { timestamp: at }),
      answered('The second two o’clock.', { timestamp: at + 10 }),
      {
        from: 'system',
        entry_type: 'compaction',
        timestamp: at + 60,
        content: 'Context compacted',
      },
      { from: 'system', entry_type: 'context_created', timestamp: at + 60 },
      said('Which hour is missing?', { timestamp: at + 60 }),
      answered('The second two o’clock.', { timestamp: at + 60 }),
      said('Bring it in.', { timestamp: at + 90 }),
    ]

    it('is folded into the seam, and opens', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await openForeign(page, 'chibi', 'compacted', copied)
        await expect.poll(() => page.getByText('The second two o’clock.').count()).toBe(1)
        await page.getByRole('button', { name: '2 messages repeated by chibi' }).click()
        await expect.poll(() => page.getByText('The second two o’clock.').count()).toBe(2)
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })
}

function labels(elements: readonly Element[]): readonly string[] {
  return elements.map((element) => element.getAttribute('aria-label') ?? '')
}
