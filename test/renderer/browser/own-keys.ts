import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fixedKeys } from '../../../src/shared/model/keys/fixed-keys'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { chooseByKeys, hasFocus, settled, withPage } from './page'

const sheet = (page: Page) => page.getByRole('region', { name: 'Everywhere', exact: true })
const row = (page: Page, name: string) => sheet(page).getByRole('group', { name, exact: true })
const recorder = (page: Page, name: string) =>
  page.getByRole('textbox', { name: `New keys of ${name}` })

async function openSheet(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'Keyboard' }).click()
  await sheet(page).waitFor()
}

async function record(page: Page, name: string, act = 'Change the keys of'): Promise<void> {
  const button = page.getByRole('button', { name: `${act} ${name}`, exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await hasFocus(recorder(page, name))
}

const isShown = (part: Locator) => part.waitFor()

const pencil = (page: Page, name: string) =>
  page.getByRole('button', { name: `Change the keys of ${name}`, exact: true })

/** Presses a button by keyboard. */
async function press(button: Locator): Promise<void> {
  await button.focus()
  await button.press('Enter')
}

/** Gives a command a key, from anywhere, and closes Settings. */
async function give(page: Page, name: string, key: string): Promise<void> {
  await openSheet(page)
  await record(page, name)
  await page.keyboard.press(key)
  await hasFocus(pencil(page, name))
  await page.keyboard.press('Escape')
  await sheet(page).waitFor({ state: 'detached' })
}

/** Keys of a person's own. */
export function ownKeys(harness: () => Harness): void {
  describe('the sheet of shortcuts', () => {
    it('gives a command another key by pressing it, which the key, the palette and tooltips follow', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        await record(page, 'Command palette')
        await page.keyboard.press('Control+Shift+Y')
        await isShown(row(page, 'Command palette').getByText('Control Shift Y'))
        await isShown(page.getByText('“Command palette” has Control Shift Y now.'))
        await hasFocus(
          page.getByRole('button', { name: 'Change the keys of Command palette', exact: true }),
        )
        await record(page, 'New conversation')
        await page.keyboard.press('F9')
        await isShown(row(page, 'New conversation').getByText('F9').first())
        await page.keyboard.press('Escape')
        await sheet(page).waitFor({ state: 'detached' })
        await isShown(
          page.locator('[aria-label="New conversation"][aria-keyshortcuts="F9"]').first(),
        )
        const palette = page.getByRole('dialog', { name: 'Command palette' })
        // The old keys are nobody's now.
        for (const old of ['Control+p', 'Control+Shift+p']) {
          await page.keyboard.press(old)
          await settled(page)
          await expect.poll(() => palette.count()).toBe(0)
        }
        await page.keyboard.press('Control+Shift+y')
        await isShown(palette.getByRole('option', { name: 'New conversation F9' }))
        await page.keyboard.press('Escape')
        await palette.waitFor({ state: 'detached' })
        await page.keyboard.press('F9')
        await isShown(page.getByRole('heading', { level: 1, name: 'New conversation' }))
      }))

    it('tells whose key it is before it takes it, and undoes that', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        await record(page, 'Statistics')
        // Nothing but the field hears the key.
        await page.keyboard.press('Control+k')
        await isShown(page.getByText('Ctrl+K is of “Filter conversations”.'))
        await isShown(row(page, 'Filter conversations').getByText('Control K'))
        await hasFocus(recorder(page, 'Statistics'))
        await page.keyboard.press('Enter')
        await isShown(row(page, 'Statistics').getByText('Control K'))
        await isShown(row(page, 'Filter conversations').getByText('no key'))
        await page.getByRole('button', { name: 'Undo' }).click()
        await isShown(row(page, 'Filter conversations').getByText('Control K'))
        await isShown(row(page, 'Statistics').getByText('Control Shift S'))
      }))

    it('refuses reserved keys with words, and Esc leaves everything as it was', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        await record(page, 'Statistics')
        for (const [key, words] of [
          ['Control+c', 'Ctrl+C copies.'],
          ['k', 'K types text; a command needs Ctrl, Alt or a function key.'],
          ['F7', 'F7 has a meaning of its own: Comparison, “Next difference”.'],
          ['Control+ArrowLeft', 'Ctrl+← moves in texts and lists.'],
        ] as const) {
          await page.keyboard.press(key)
          await isShown(page.getByText(words))
        }
        await page.keyboard.press('Escape')
        await isShown(row(page, 'Statistics').getByText('Control Shift S'))
        await isShown(sheet(page))
        await hasFocus(
          page.getByRole('button', { name: 'Change the keys of Statistics', exact: true }),
        )
        await record(page, 'Statistics')
        await page.keyboard.press('Tab')
        await hasFocus(page.getByRole('button', { name: 'No key' }))
        await page.keyboard.press('Enter')
        await isShown(row(page, 'Statistics').getByText('no key'))
      }))

    it('adds a second key, and goes back to the standard for one command and for all', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        const all = page.getByRole('button', { name: 'All back to the standard' })
        const isStandard = page.getByRole('button', {
          name: 'All back to the standard',
          disabled: true,
        })
        await isShown(isStandard)
        await record(page, 'Statistics', 'Add keys to')
        await page.keyboard.press('Control+f')
        await page.getByRole('button', { name: 'Give it to “Statistics”' }).click()
        await isShown(row(page, 'Statistics').getByText('Control F'))
        await isShown(row(page, 'Statistics').getByText('Control Shift S'))
        await page
          .getByRole('button', { name: 'Back to the standard: Find in conversation' })
          .click()
        await isShown(page.getByText('Ctrl+F is of “Statistics”.'))
        await page.getByRole('button', { name: 'Give it to “Find in conversation”' }).click()
        await isShown(row(page, 'Find in conversation').getByText('Control F'))
        await row(page, 'Statistics').getByText('Control F').waitFor({ state: 'detached' })
        await record(page, 'Statistics')
        await page.keyboard.press('F9')
        await isShown(row(page, 'Statistics').getByText('F9').first())
        await all.click()
        await isShown(page.getByText('All commands have their standard keys.'))
        await isShown(row(page, 'Statistics').getByText('Control Shift S'))
        await isShown(isStandard)
      }))

    it('keeps the focus at the row, whichever button goes with what it has done', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        const undo = page.getByRole('button', { name: 'Undo', exact: true })
        const back = page.getByRole('button', { name: 'Back to the standard: Statistics' })
        const all = page.getByRole('button', { name: 'All back to the standard' })
        const giveF9 = async () => {
          await record(page, 'Statistics')
          await page.keyboard.press('F9')
          await isShown(back)
        }
        await giveF9()
        await press(undo)
        await undo.waitFor({ state: 'detached' })
        await hasFocus(pencil(page, 'Statistics'))
        await giveF9()
        await press(back)
        await back.waitFor({ state: 'detached' })
        await hasFocus(pencil(page, 'Statistics'))
        await giveF9()
        await press(all)
        await isShown(page.getByText('All commands have their standard keys.'))
        await hasFocus(
          page.getByRole('button', { name: 'All back to the standard', disabled: true }),
        )
        await press(undo)
        await undo.waitFor({ state: 'detached' })
        await hasFocus(all)
        await isShown(back)
      }))

    it('ends a recording by Esc from each of its buttons, and stays open while Esc is held', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        for (const name of ['No key', 'Cancel', 'Give it to “Statistics”']) {
          await record(page, 'Statistics')
          await page.keyboard.press('Control+k')
          await page.getByRole('button', { name, exact: true }).focus()
          await page.keyboard.down('Escape')
          await hasFocus(pencil(page, 'Statistics'))
          await page.keyboard.down('Escape')
          await page.keyboard.up('Escape')
          await settled(page)
          await isShown(row(page, 'Statistics').getByText('Control Shift S'))
        }
        await record(page, 'Statistics')
        await page.keyboard.down('Escape')
        await hasFocus(pencil(page, 'Statistics'))
        await page.keyboard.down('Escape')
        await page.keyboard.up('Escape')
        await settled(page)
        await expect.poll(() => sheet(page).count()).toBe(1)
        await page.keyboard.press('Escape')
        await sheet(page).waitFor({ state: 'detached' })
      }))

    it('takes Esc and F3 before the map that lies under Settings', () =>
      withPage(harness(), { scenario: 'branches' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.keyboard.press('Control+Shift+M')
        await page.locator('.map-canvas[data-drawn]').waitFor()
        const map = page.locator('[data-pane="map"]')
        const field = map.getByLabel('Search this family')
        const steps = map.getByRole('search').getByRole('status')
        await page.keyboard.press('Control+F')
        await hasFocus(field)
        await page.keyboard.type('constraint')
        await expect.poll(() => steps.textContent()).toMatch(/hit/i)
        await page.keyboard.press('Enter')
        await expect.poll(() => steps.textContent()).toMatch(/^1 of /)
        await page.keyboard.press('Control+F3')
        await settled(page)
        await expect.poll(() => steps.textContent()).toMatch(/^1 of /)
        await page.keyboard.press('Control+,')
        await page.getByRole('button', { name: 'Keyboard' }).click()
        await record(page, 'Statistics')
        await page.keyboard.press('F3')
        await isShown(page.getByText('F3 has a meaning of its own: Everywhere, always'))
        await page.keyboard.press('Escape')
        await hasFocus(pencil(page, 'Statistics'))
        await page.keyboard.press('F3')
        await page.keyboard.press('Escape')
        await sheet(page).waitFor({ state: 'detached' })
        await expect.poll(() => field.inputValue()).toBe('constraint')
        await expect.poll(() => steps.textContent()).toMatch(/^1 of /)
      }))

    it('does not run a command by the key that it was given, while that is held', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        const palette = page.getByRole('dialog', { name: 'Command palette' })
        await record(page, 'Command palette')
        await page.keyboard.down('F9')
        await isShown(row(page, 'Command palette').getByText('F9').first())
        await hasFocus(pencil(page, 'Command palette'))
        await page.keyboard.down('F9')
        await settled(page)
        await expect.poll(() => palette.count()).toBe(0)
        await page.keyboard.up('F9')
        await page.keyboard.press('F9')
        await isShown(palette)
      }))

    it('offers no undo of what was not saved, and says why it was not', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        await page.evaluate(() => window.refusePreferences('disk-full', 'The disk is full.'))
        await record(page, 'Statistics')
        await page.keyboard.press('F9')
        await isShown(page.getByRole('alert').getByText('The disk is full.'))
        await hasFocus(pencil(page, 'Statistics'))
        await expect
          .poll(() => page.getByRole('button', { name: 'Undo', exact: true }).count())
          .toBe(0)
        await isShown(row(page, 'Statistics').getByText('Control Shift S'))
        await record(page, 'Statistics')
        await page.keyboard.press('F9')
        await isShown(page.getByText('“Statistics” has F9 now.'))
      }))

    it('lists faults of settings.json that read alike one by one, and none that is mended', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        const tell = (messages: readonly string[]) =>
          page.evaluate((all) => {
            const { settings } = window.skein.stores
            const { view } = settings.getState()
            if (view === undefined) throw new Error('the settings are not read')
            const faults = all.map((message) => ({
              file: 'settings.json',
              key: 'keys.map',
              message,
            }))
            settings.setState({ view: { ...view, faults } })
          }, messages)
        const listed = () =>
          page
            .getByRole('list', { name: 'Invalid settings' })
            .getByRole('listitem')
            .allTextContents()
        const twice = 'keys.map has 7, which is no key.'
        await tell([twice, twice])
        await expect.poll(async () => (await listed()).length).toBe(2)
        await tell(['keys.map has 8, which is no key.'])
        await expect.poll(listed).toEqual(['settings.jsonkeys.map has 8, which is no key.'])
      }))

    it('gives keys beside fixed ones, which do one thing alone', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await give(page, 'Filter conversations', 'Shift+F2')
        const list = page.getByRole('listbox', { name: 'Conversations' })
        const filter = page.getByRole('searchbox', { name: 'Filter conversations' })
        await list.press('Shift+F2')
        await hasFocus(filter)
        await list.press('Control+F2')
        await settled(page)
        await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
        await list.getByRole('option', { name: /^broken-kettle/ }).click()
        await chooseByKeys(page, 'Pin')
        await isShown(page.getByText('Pinned: broken-kettle', { exact: true }))
        await list.focus()
        await page.keyboard.press('Control+F8')
        await page.keyboard.press('Shift+F8')
        await settled(page)
        await hasFocus(list)
        await page.keyboard.press('F8')
        await hasFocus(page.getByRole('button', { name: 'Undo', exact: true }))
      }))

    it('leaves Alt+Shift and arrows to commands in the hits of a search', () =>
      withPage(harness(), { scenario: 'search' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.keyboard.press('Control+Shift+F')
        const field = page.getByRole('combobox', { name: 'Search conversations' })
        await hasFocus(field)
        await page.keyboard.type('"clock change" utc')
        await page.getByText('11 hits in 5 conversations').waitFor()
        const hits = page.getByRole('listbox', { name: 'Hits' })
        await page.keyboard.press('ArrowDown')
        await hasFocus(hits)
        const cursor = () => hits.getAttribute('aria-activedescendant')
        const before = await cursor()
        await page.keyboard.press('Alt+Shift+ArrowDown')
        await settled(page)
        await expect.poll(() => cursor()).toBe(before)
        await page.keyboard.press('Alt+ArrowDown')
        await expect.poll(cursor).not.toBe(before)
      }))

    it('has a section for each part of the window, and is accessible while a key is asked for', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSheet(page)
        for (const title of Object.keys(fixedKeys))
          await isShown(
            page
              .getByRole('main', { name: 'Keyboard' })
              .getByRole('region', { name: title, exact: true }),
          )
        await record(page, 'Statistics')
        await page.keyboard.press('Control+k')
        await isShown(page.getByText('Ctrl+K is of “Filter conversations”.'))
        expect(await faultsInThemes(page, allThemes)).toEqual([])
      }))
  })
}
