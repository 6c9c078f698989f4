import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { hasFocus, withPage } from './page'

/** The export dialog, and a part of the window that fails. */
export function exporting(harness: () => Harness): void {
  describe('an export', () => {
    it('is chosen and written by keyboard, and says what was written with numbers', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.getByRole('textbox', { name: 'Message' }).press('Control+e')
        const dialog = page.getByRole('dialog', { name: 'Export' })
        await hasFocus(dialog.getByRole('radio', { name: 'Markdown' }))
        await expect
          .poll(() => dialog.getByRole('radio', { name: 'Markdown' }).isChecked())
          .toBe(true)
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => dialog.getByRole('radio', { name: 'HTML' }).isChecked()).toBe(true)
        const act = dialog.getByRole('button', { name: 'Export…' })
        // Backward from the first: the last one.
        await page.keyboard.press('Shift+Tab')
        await page.keyboard.press('Shift+Tab')
        await hasFocus(act)
        await page.keyboard.press('Enter')
        await dialog.getByText('11 entries, 1 damaged line shown, 6.0 KB').waitFor()
        await dialog.getByTitle('~/Documents/import-gap.html').waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
          .toBe('Message')
      }))

    it('says why it failed, and nothing when it was cancelled', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('button', { name: 'Export' }).click()
        const dialog = page.getByRole('dialog')
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await dialog.getByRole('button', { name: 'Export…' }).click()
        await dialog.getByText('Not written.').waitFor()
        await page.evaluate(() => window.home.cancelNextExport())
        await dialog.getByRole('button', { name: 'Export…' }).click()
        await dialog.getByText('Not written.').waitFor({ state: 'detached' })
        await expect.poll(() => dialog.getByRole('status').count()).toBe(0)
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await dialog.waitFor({ state: 'detached' })
      }))

    it('says what has no place in the format before it is written', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('button', { name: 'Export' }).click()
        const dialog = page.getByRole('dialog', { name: 'Export' })
        await dialog.getByText('Nothing is left out.').waitFor()
        const group = dialog.getByRole('group', { name: 'Other programs' })
        await group.getByRole('radio', { name: 'fluux-agent' }).check()
        await dialog.getByText('1 tool call or result is left out.').waitFor()
        await dialog.getByText('10 of 11 entries are written.').waitFor()
      }))

    it('writes every conversation into a folder, says what that came to, and can be stopped', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('button', { name: 'Export' }).click()
        const dialog = page.getByRole('dialog', { name: 'Export' })
        const losses = dialog.getByText('Nothing is left out.')
        await losses.waitFor()
        await dialog.getByRole('button', { name: /^All \d+…$/ }).focus()
        await page.keyboard.press('Enter')
        await hasFocus(dialog)
        await page.evaluate(() => window.home.hold())
        const all = dialog.getByRole('button', { name: /^Export \d+…$/ })
        await all.focus()
        await page.keyboard.press('Enter')
        await dialog.getByText(/^0 of \d+ conversations written…$/).waitFor()
        await hasFocus(dialog.getByRole('button', { name: 'Stop' }))
        await page.evaluate(() => window.home.release())
        await dialog.getByText(/^\d+ conversations, 40 entries, /).waitFor()
        await dialog.getByTitle('~/Documents/all').waitFor()
        await dialog.getByText('2 damaged lines are left out.').waitFor()
        // What this conversation alone would lose is not told beside it.
        await losses.waitFor({ state: 'detached' })
        await hasFocus(all)
        await dialog.getByText('Close', { exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
      }))

    it('writes every conversation into one zip, by a key, and keeps that for the next time', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.keyboard.press('Control+Shift+E')
        const dialog = page.getByRole('dialog', { name: 'Export' })
        await dialog.getByRole('radio', { name: 'One zip' }).check()
        await dialog.getByRole('button', { name: /^Export \d+…$/ }).press('Enter')
        await dialog.getByText(/^\d+ conversations, 40 entries, .* in a zip of /).waitFor()
        await dialog.getByTitle('~/Documents/conversations.zip').waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await page.keyboard.press('Control+Shift+E')
        await expect
          .poll(() => dialog.getByRole('radio', { name: 'One zip' }).isChecked())
          .toBe(true)
      }))

    it('of all waits for the list, says how much of it is there, and has what came meanwhile', () =>
      withPage(harness(), { scenario: 'listing' }, async (page) => {
        const row = page.getByRole('option', { name: /^conversation-0000/ })
        await row.click()
        await page.getByRole('feed').waitFor()
        await page.keyboard.press('Control+e')
        const dialog = page.getByRole('dialog', { name: 'Export' })
        await dialog.getByRole('button', { name: 'All…', exact: true }).click()
        await expect
          .poll(() => dialog.getByRole('button', { name: '60 so far' }).isDisabled())
          .toBe(true)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await page.keyboard.press('Control+Shift+E')
        await dialog.getByText('60 conversations listed so far…').waitFor()
        await page.evaluate(() => {
          const [first] = window.skein.stores.library.getState().conversations
          if (first === undefined) throw new Error('no conversations')
          const late = { ...first, key: 'pi:late' as typeof first.key, source: 'pi' as const }
          const listing = { state: 'done' } as const
          window.home.changeLibrary({ conversations: [late], gone: [], listing })
        })
        await dialog.getByText('61 conversations', { exact: true }).waitFor()
        await dialog.getByRole('button', { name: 'Export 61…' }).click()
        await dialog.getByText(/^61 conversations, /).waitFor()
      }))

    it('of all is one also where the library has a single conversation', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate(() => {
          const { conversations } = window.skein.stores.library.getState()
          const gone = conversations.slice(1).map(({ key }) => key)
          window.home.changeLibrary({ conversations: [], gone })
        })
        await page.keyboard.press('Control+Shift+E')
        const dialog = page.getByRole('dialog', { name: 'Export' })
        await dialog.getByText('1 conversation', { exact: true }).waitFor()
        await dialog.getByRole('radio', { name: 'One zip' }).check()
        await dialog.getByRole('button', { name: 'Export 1…' }).waitFor()
      }))

    it('shows its beginning with what is redacted marked, lists that, and leaves what is to stay', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('button', { name: 'Export' }).click()
        const dialog = page.getByRole('dialog', { name: 'Export' })
        const preview = dialog.getByRole('region', { name: 'Preview' })
        await preview.getByText('Write to ann@plum.example.').waitFor()
        await dialog.getByRole('checkbox', { name: 'Replace secrets' }).check()
        await preview.locator('mark', { hasText: '[redacted: e-mail address #1]' }).waitFor()
        await dialog.getByText('1 place is replaced.').waitFor()
        await dialog.getByText('1 found').waitFor()
        await dialog.locator('summary', { hasText: 'e-mail address' }).click()
        await dialog.getByRole('checkbox', { name: '#1 ann@plum.example' }).uncheck()
        await preview.getByText('Write to ann@plum.example.').waitFor()
        await dialog.getByText('Nothing is replaced.').waitFor()
        await dialog.getByRole('radio', { name: 'No tools' }).check()
        await preview.getByText('### Call of shell').waitFor({ state: 'detached' })
      }))

    it('keeps its choices for the next time, but not what of this conversation stays', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('button', { name: 'Export' }).click()
        await page.getByRole('checkbox', { name: 'Replace secrets' }).check()
        await page.getByRole('checkbox', { name: 'Reasoning' }).uncheck()
        await page.locator('summary', { hasText: 'e-mail address' }).click()
        await page.getByRole('checkbox', { name: '#1 ann@plum.example' }).uncheck()
        await page.reload()
        await page.getByRole('feed').waitFor()
        await page.getByRole('button', { name: 'Export' }).click()
        await page.locator('mark').waitFor()
        const isReasoning = page.getByRole('checkbox', { name: 'Reasoning' })
        await expect.poll(() => isReasoning.isChecked()).toBe(false)
      }))

    it('keeps its format for the next time', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('button', { name: 'Export' }).click()
        await page.getByRole('radio', { name: 'JSONL' }).check()
        await page.reload()
        await page.getByRole('feed').waitFor()
        await page.getByRole('button', { name: 'Export' }).click()
        await expect.poll(() => page.getByRole('radio', { name: 'JSONL' }).isChecked()).toBe(true)
      }))
  })

  describe('a part of the window that fails', () => {
    it('says so in its place, and is shown again; the others go on', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('region', { name: 'Tasks' }).waitFor()
        await page.evaluate(() => {
          const { details } = window.skein.stores
          const known = details.getState().details
          if (known === undefined) throw new Error('nothing is counted')
          details.setState({
            details: { ...known, summary: undefined as never },
          })
        })
        await page.getByText('The details could not be shown.').waitFor()
        await page.getByRole('button', { name: 'Show details' }).click()
        await page.getByText('TypeError').waitFor()
        await page.getByRole('feed').waitFor()
        await page.evaluate(() => window.skein.stores.details.setState({ details: undefined }))
        await page.getByRole('button', { name: 'Show again' }).click()
        await page.getByRole('region', { name: 'Tasks' }).waitFor()
      }))
  })
}
