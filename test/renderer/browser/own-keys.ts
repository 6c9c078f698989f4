import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fixedKeys } from '../../../src/shared/model/keys/fixed-keys'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

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
        await page.keyboard.press('Control+p')
        await page.keyboard.press('Control+Shift+y')
        const palette = page.getByRole('dialog', { name: 'Command palette' })
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
