import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { arrived } from './landing'
import { atRest, hasFocus, openConversation, topOf, withPage } from './page'

const query = { scenario: 'branches' }
const turn = (page: Page, text: string) =>
  page.getByRole('article').filter({ hasText: text }).first()
const title = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const calls = (page: Page, channel: string) =>
  page.evaluate(
    (name) => window.home.api.calls.filter((call) => call.channel === name).map(({ args }) => args),
    channel,
  )

const inMenu = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.closest('[role="menu"]'))

/** Branches: the tree, the forks in a transcript, and what makes new ones. */
export function branches(harness: () => Harness): void {
  describe('the tree of branches', () => {
    it('shows every node once, the open way first, and whose files they are in', () =>
      withPage(harness(), query, async (page) => {
        await page.getByRole('tree', { name: 'Branches' }).waitFor()
        const rows = page.getByRole('treeitem')
        await expect.poll(() => rows.count()).toBe(6)
        await expect.poll(() => page.getByText('4 branches').count()).toBe(1)
        const name = 'Add a test for the night of the change. 3 entries, open'
        await page.getByRole('treeitem', { selected: true, name, exact: true }).waitFor()
        const foreign = page.getByRole('treeitem', { name: /^Where does the gap start.* cycod/ })
        await expect.poll(() => foreign.locator('.source-mark').count()).toBe(1)
        await expect.poll(() => foreign.getAttribute('aria-level')).toBe('2')
      }))

    it('is walked with the arrows, and Enter goes there', () =>
      withPage(harness(), query, async (page) => {
        const tree = page.getByRole('tree')
        await tree.focus()
        const active = async () => {
          const id = await tree.getAttribute('aria-activedescendant')
          return page.evaluate((name) => document.getElementById(name ?? '')?.textContent, id)
        }
        await expect.poll(() => active()).toMatch(/^Add a test/)
        await page.keyboard.press('ArrowLeft')
        await expect.poll(() => active()).toMatch(/^The 02:30 import/)
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => active()).toMatch(/^Add a test/)
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => active()).toMatch(/^With a check constraint/)
        await page.keyboard.press('Enter')
        await title(page, 'import-gap-2')
        await arrived(page)
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toContain('Store the offset with each row')
        await tree.press('Home')
        await expect.poll(() => active()).toMatch(/^What reads the raw/)
        await page.keyboard.press('Enter')
        await page.waitForFunction(() => document.activeElement?.closest('[data-item]') != null)
        await arrived(page)
        await title(page, 'import-gap-2')
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toContain('What reads the raw files')
      }))

    it('takes the cursor of the list along, so that its keys are about what is open', () =>
      withPage(harness(), query, async (page) => {
        const list = page.getByRole('listbox', { name: 'Conversations' })
        await list.getByRole('option', { selected: true }).click()
        const tree = page.getByRole('tree')
        const cursor = () => tree.getAttribute('aria-activedescendant')
        await tree.focus()
        await expect.poll(cursor).not.toBe(null)
        const before = await cursor()
        await page.keyboard.press('ArrowDown')
        await expect.poll(cursor).not.toBe(before)
        await page.keyboard.press('Enter')
        await title(page, 'import-gap-2')
        await list.getByRole('option', { name: 'import-gap-2', selected: true }).waitFor()
        const active = async () => {
          const id = await list.getAttribute('aria-activedescendant')
          return page.evaluate((name) => document.getElementById(name ?? '')?.textContent, id)
        }
        await expect.poll(active).toContain('import-gap-2')
      }))

    it('says that more is being read, and is absent where nothing branches', () =>
      withPage(harness(), { ...query, counting: '1' }, async (page) => {
        await page.getByText('counting…').waitFor()
        await openConversation(page, 'tide-table')
        await page.getByRole('region', { name: 'About' }).waitFor()
        await page.getByRole('tree').waitFor({ state: 'detached' })
      }))

    it('of 400 conversations has no more rows on the page than can be seen', () =>
      withPage(harness(), { scenario: 'wide-family' }, async (page) => {
        await page.getByText('400 branches').waitFor()
        await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(50)
        await page.getByRole('tree').press('End')
        await page
          .getByRole('treeitem', { name: /^Way \d+/ })
          .last()
          .waitFor()
        await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(60)
      }))
  })

  describe('a fork in a transcript', () => {
    it('is gone through with its arrows and with [ and ], and the message stays where it is', () =>
      withPage(harness(), query, async (page) => {
        const first = turn(page, 'The 02:30 import skipped')
        await first.getByRole('button', { name: 'Branch 1 / 3' }).waitFor()
        const top = Math.round((await atRest(page, () => first.boundingBox()))?.y ?? 0)
        await first.getByRole('button', { name: 'Next branch' }).click()
        await title(page, 'import-gap-3')
        await arrived(page)
        const key = () =>
          page.evaluate(() => document.activeElement?.getAttribute('data-item') ?? '')
        await expect.poll(async () => Math.round(await topOf(page, await key()))).toBe(top)
        await page.getByRole('button', { name: 'Branch 2 / 3' }).waitFor()
        await page.keyboard.press(']')
        await title(page, 'Where does the gap start?')
        await page.getByRole('button', { name: 'Branch 3 / 3' }).waitFor()
        await arrived(page)
        await page.keyboard.press('[')
        await title(page, 'import-gap-3')
      }))

    it('lists all ways with their first words', () =>
      withPage(harness(), query, async (page) => {
        await page.getByRole('button', { name: 'Branch 1 / 3' }).press('Enter')
        await page.waitForFunction(
          () => document.activeElement?.getAttribute('role') === 'menuitemradio',
        )
        const ways = page.getByRole('menuitemradio')
        await expect
          .poll(() => ways.allTextContents())
          .toEqual([
            '1The 02:30 import skipped an hour again. Find out why and fix it.open',
            '2Leave it to the database: ask for a migration.',
            '3Where does the gap start?',
          ])
        // The menu moves the focus a moment after the key.
        for (const words of ['Leave it to the database', 'Where does the gap start?']) {
          await page.keyboard.press('ArrowDown')
          await page.waitForFunction(
            (text) => document.activeElement?.textContent?.includes(text),
            words,
          )
        }
        await page.keyboard.press('Enter')
        await title(page, 'Where does the gap start?')
      }))

    it('appears when somebody makes one', () =>
      withPage(harness(), query, async (page) => {
        await openConversation(page, 'tide-table')
        await turn(page, 'When is high water?').press('b')
        await title(page, 'tide-table-2')
        await page.waitForFunction(
          () => document.activeElement?.getAttribute('aria-label') === 'Message',
        )
        await page.keyboard.type('And low water?')
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: 'Branch 2 / 2' }).waitFor()
      }))
  })

  describe('a message that is edited', () => {
    it('is the last one by the up arrow in an empty field, and in no other', () =>
      withPage(harness(), query, async (page) => {
        const composer = page.getByRole('textbox', { name: 'Message', exact: true })
        await composer.fill('words')
        await composer.press('ArrowUp')
        await composer.fill('')
        await composer.press('Shift+ArrowUp')
        await expect
          .poll(() => page.getByRole('textbox', { name: 'Edit the message' }).count())
          .toBe(0)
        await composer.press('ArrowUp')
        const field = page.getByRole('textbox', { name: 'Edit the message' })
        await hasFocus(field)
        const last = await page.evaluate(() => {
          const { rows } = window.skein.stores.transcript.getState().run
          const row = rows.findLast((one) => one.type === 'entry' && one.entry.role === 'user')
          return row?.type === 'entry' ? row.entry.content : ''
        })
        await expect.poll(() => field.inputValue()).toBe(last)
        await page.keyboard.press('Escape')
        await field.waitFor({ state: 'detached' })
      }))

    it('is sent as a new branch, and the original stays', () =>
      withPage(harness(), query, async (page) => {
        await turn(page, 'Add a test').press('e')
        const field = page.getByRole('textbox', { name: 'Edit the message' })
        await hasFocus(field)
        await page.getByText('The original stays.').waitFor()
        await expect.poll(() => field.inputValue()).toBe('Add a test for the night of the change.')
        await page.keyboard.type(' And')
        await page.keyboard.press('Shift+Enter')
        await page.keyboard.type('one for spring.')
        await page.keyboard.press('Enter')
        await title(page, 'import-gap-4')
        await turn(page, 'one for spring.').waitFor()
        await page.getByRole('button', { name: 'Stop' }).waitFor()
        await expect
          .poll(() => calls(page, 'branches.create'))
          .toMatchObject([
            {
              key: 'import-gap',
              at: { file: 'active.jsonl' },
              action: {
                type: 'edit',
                text: 'Add a test for the night of the change. And\none for spring.',
              },
            },
          ])
        await page.getByRole('option', { name: /^import-gap \d/ }).click()
        await turn(page, 'Add a test').waitFor()
        await expect
          .poll(() => page.getByRole('textbox', { name: 'Edit the message' }).count())
          .toBe(0)
      }))

    it('keeps what was written over Esc, and does not send while an input method composes', () =>
      withPage(harness(), query, async (page) => {
        await turn(page, 'Add a test').press('e')
        const field = page.getByRole('textbox', { name: 'Edit the message' })
        await hasFocus(field)
        await page.keyboard.type(' More')
        await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true })
        await page.keyboard.press('Escape')
        await field.waitFor({ state: 'detached' })
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.tagName))
          .toBe('ARTICLE')
        await page.keyboard.press('e')
        await expect
          .poll(() => page.getByRole('textbox', { name: 'Edit the message' }).inputValue())
          .toBe('Add a test for the night of the change. More')
        await expect.poll(() => calls(page, 'branches.create')).toEqual([])
      }))

    it('says why it was refused, where it was asked, and loses nothing', () =>
      withPage(harness(), query, async (page) => {
        await turn(page, 'Add a test').press('e')
        await hasFocus(page.getByRole('textbox', { name: 'Edit the message' }))
        await page.keyboard.type(' Now')
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await page.getByRole('button', { name: 'Send as a new branch' }).click()
        const alert = turn(page, 'The disk is full.').getByRole('alert')
        await alert.waitFor()
        await expect.poll(() => alert.textContent()).toContain('Your text is kept here.')
        await expect
          .poll(() => page.getByRole('textbox', { name: 'Edit the message' }).inputValue())
          .toContain(' Now')
        await alert.getByRole('button', { name: 'Dismiss' }).click()
        await alert.waitFor({ state: 'detached' })
      }))
  })

  describe('a branch with a summary', () => {
    it('keeps the focus in its dialog while the model writes it', () =>
      withPage(harness(), query, async (page) => {
        await turn(page, 'Add a test').press('e')
        await hasFocus(page.getByRole('textbox', { name: 'Edit the message' }))
        await page.keyboard.type(' Now')
        await page.getByRole('button', { name: 'With a summary…' }).press('Enter')
        const dialog = page.getByRole('dialog', { name: 'Send as a new branch' })
        await hasFocus(dialog.getByRole('radio', { name: 'Summary', exact: true }))
        // Enter sends the form, whose choices are disabled then.
        await page.evaluate(() => window.home.hold())
        await page.keyboard.press('Enter')
        await dialog.getByRole('button', { name: 'Skip summary' }).waitFor()
        await hasFocus(dialog)
        await page.evaluate(() => window.home.release())
        await dialog.waitFor({ state: 'detached' })
        await hasFocus(page.getByRole('textbox', { name: 'Message' }))
      }))

    it('is asked for by keyboard, skips it, and says so above the composer', () =>
      withPage(harness(), query, async (page) => {
        await turn(page, 'Add a test').press('e')
        await hasFocus(page.getByRole('textbox', { name: 'Edit the message' }))
        await page.keyboard.type(' Now')
        const offer = page.getByRole('button', { name: 'With a summary…' })
        await offer.press('Enter')
        const dialog = page.getByRole('dialog', { name: 'Send as a new branch' })
        await hasFocus(dialog.getByRole('radio', { name: 'Summary', exact: true }))
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await hasFocus(offer)
        await page.keyboard.press('Enter')
        await hasFocus(dialog.getByRole('radio', { name: 'Summary', exact: true }))
        await page.keyboard.press('ArrowDown')
        const words = dialog.getByRole('textbox', { name: 'What the branch needs to know' })
        await words.waitFor()
        await expect
          .poll(() => dialog.getByRole('button', { name: 'Send' }).isDisabled())
          .toBe(true)
        await page.keyboard.press('Tab')
        await hasFocus(words)
        await page.keyboard.type('everything')
        expect(await faultsInThemes(page)).toEqual([])
        await dialog.getByRole('button', { name: 'Send' }).press('Enter')
        const skip = dialog.getByRole('button', { name: 'Skip summary' })
        await skip.waitFor()
        await page.keyboard.press('Escape')
        await skip.press('Enter')
        await title(page, 'import-gap-4')
        await page.getByText('This branch has no summary. You skipped it.').waitFor()
        await hasFocus(page.getByRole('textbox', { name: 'Message' }))
        await turn(page, 'Now').waitFor()
        await expect
          .poll(() => calls(page, 'branches.create'))
          .toMatchObject([{ action: { type: 'edit' }, summary: { words: 'everything' } }])
      }))

    it('without one can be closed while it is made, and is there afterwards', () =>
      withPage(harness(), query, async (page) => {
        await turn(page, 'Add a test').click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Branch with a summary…' }).click()
        const dialog = page.getByRole('dialog', { name: 'Branch here' })
        await dialog.getByRole('radio', { name: 'No summary' }).check()
        await page.evaluate(() => window.home.hold())
        await dialog.getByRole('button', { name: 'Make branch' }).press('Enter')
        await dialog.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await page.evaluate(() => window.home.release())
        await title(page, 'import-gap-4')
        await expect.poll(async () => (await calls(page, 'branches.create')).length).toBe(1)
      }))

    it('begins with it, as a border that shows it', () =>
      withPage(harness(), query, async (page) => {
        await turn(page, 'Add a test').click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Branch with a summary…' }).click()
        await page.getByRole('button', { name: 'Make branch' }).click()
        await title(page, 'import-gap-4')
        const border = turn(page, 'Another branch was left')
        await border.getByRole('button', { name: 'Summary' }).click()
        await border.getByText('Gravel was not tried.').waitFor()
      }))
  })

  describe('a turn', () => {
    it('offers Settings where an answer cannot be asked for again', () =>
      withPage(harness(), query, async (page) => {
        const answer = turn(page, 'It is in')
        await answer.hover()
        await page.evaluate(() => window.refuseNext('no-key', 'There is no key.'))
        await answer.getByRole('button', { name: 'Regenerate' }).click()
        await answer.getByText('Not regenerated.').waitFor()
        await answer.getByRole('button', { name: 'Settings' }).click()
        await page.getByRole('heading', { name: 'Settings' }).waitFor()
      }))

    it('is busy once, however often it is asked', () =>
      withPage(harness(), query, async (page) => {
        const answer = turn(page, 'It is in')
        await answer.focus()
        await page.evaluate(() => window.home.hold())
        await page.keyboard.press('b')
        await page.keyboard.press('b')
        await page.getByText('Copying earlier entries').waitFor()
        await page.evaluate(() => window.home.release())
        await title(page, 'import-gap-4')
        await expect.poll(async () => (await calls(page, 'branches.create')).length).toBe(1)
      }))

    it('has all that can be done to it in a menu, by mouse and by keyboard', () =>
      withPage(harness(), query, async (page) => {
        const items = page.getByRole('menuitem')
        await turn(page, 'Add a test').click({ button: 'right' })
        await expect
          .poll(() => items.allTextContents())
          .toEqual([
            'CopyC',
            'Copy link',
            'Branch hereB',
            'Branch with a summary…',
            'EditE',
            'Label…L',
            'Source lineR',
          ])
        await inMenu(page)
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.tagName))
          .toBe('ARTICLE')
        await turn(page, 'It is in').click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Regenerate' }).waitFor()
        await inMenu(page)
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await turn(page, 'Add a test').click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Edit' }).click()
        await page.getByRole('textbox', { name: 'Edit the message' }).waitFor()
        await page.waitForFunction(
          () => document.activeElement?.getAttribute('aria-label') === 'Edit the message',
        )
      }))
  })

  describe("another system's conversation", () => {
    it('is read, and continued in a copy that says how faithful it is', () =>
      withPage(harness(), query, async (page) => {
        await openConversation(page, 'Where does the gap start')
        await page
          .getByText('This conversation belongs to cycod. Skein never changes it.')
          .waitFor()
        await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).count()).toBe(0)
        await page.getByRole('button', { name: 'Continue here' }).click()
        await title(page, 'chat-history-1762034-2')
        await page.getByText('6 entries copied from cycod, 5 word for word.').waitFor()
        await page.waitForFunction(
          () => document.activeElement?.getAttribute('aria-label') === 'Message',
        )
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await page.getByText('word for word').waitFor({ state: 'detached' })
      }))

    it('is branched with a summary of what is left, and its border names the system', () =>
      withPage(harness(), query, async (page) => {
        await openConversation(page, 'Where does the gap start')
        await turn(page, 'Where does the gap start').click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Branch with a summary…' }).click()
        const dialog = page.getByRole('dialog', { name: 'Branch here' })
        await dialog.getByText('are copied into a conversation of yours').waitFor()
        await hasFocus(dialog.getByRole('radio', { name: 'Summary', exact: true }))
        await dialog.getByRole('button', { name: 'Make branch' }).click()
        await turn(page, 'of a conversation of cycod summarized').waitFor()
        await expect.poll(() => calls(page, 'branches.create')).toMatchObject([{ summary: {} }])
      }))

    it('that cannot be copied says why, and stays open', () =>
      withPage(harness(), query, async (page) => {
        await openConversation(page, 'Where does the gap start')
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await page.getByRole('button', { name: 'Continue here' }).click()
        await page.getByText('Not copied.').waitFor()
        await title(page, 'Where does the gap start?')
      }))

    it('is found in the library by its source', () =>
      withPage(harness(), query, async (page) => {
        await page.getByRole('radio', { name: 'cycod 1' }).check()
        await page.getByText('1 of 5 conversations').waitFor()
        await expect.poll(() => page.getByRole('option').count()).toBe(1)
        await page.getByRole('radio', { name: 'All' }).check()
        await expect.poll(() => page.getByRole('option').count()).toBe(5)
      }))
  })
}
