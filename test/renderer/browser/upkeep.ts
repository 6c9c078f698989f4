import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

const main = { scenario: 'main' }
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function withDetails(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.evaluate(() => {
    window.home.upkeep.fill()
    window.skein.stores.layout.getState().open('details')
  })
  // What the pane was opened with is older.
  await readAgain(page)
  await part(page, 'Partitions').waitFor()
}

async function readAgain(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { app, details } = window.skein.stores
    const { place } = app.getState()
    if (place.type === 'conversation') await details.getState().load(place.key)
  })
}

/** What is looked at and put right beside a context's transcript, in the right pane. */
export function contextUpkeep(harness: () => Harness): void {
  describe('beside a transcript', () => {
    it('partitions have their times, sizes, seals and thresholds, and are checked on request', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        const partitions = part(page, 'Partitions')
        await partitions
          .getByText('1,000 entries · about 41,234 tokens · 207 KB · sealed · filter')
          .waitFor()
        await partitions
          .getByText(/archived at 1,000 entries, 100,000 tokens or an age of 30 days/)
          .waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.evaluate(() => window.home.upkeep.holdCheck())
        await partitions.getByRole('button', { name: 'Check' }).press('Enter')
        await partitions.getByRole('button', { name: 'Cancel' }).press('Enter')
        await partitions.getByText('Compares archived files with their seals.').waitFor()
        await partitions.getByRole('button', { name: 'Check' }).click()
        await partitions.getByText('2 files, 1,012 lines, 1 damaged. 1 seal holds.').waitFor()
        await page.evaluate(() => window.home.upkeep.breakSeal())
        await partitions.getByRole('button', { name: 'Check' }).click()
        await partitions.getByText('1 file differs from its seal.').waitFor()
        await partitions.getByText(/it differs from byte 4,096 on/).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('the summary is written, refused with words, and taken away', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        const summary = part(page, 'Summary')
        await summary.getByText(/^None yet\. When earlier messages/).waitFor()
        await summary.getByRole('button', { name: 'Edit summary' }).press('Enter')
        const field = summary.getByRole('textbox', { name: 'Summary, in Markdown' })
        await hasFocus(field)
        await page.keyboard.type('They grow *roses*.')
        await page.evaluate(() => window.refuseNext('locked', 'chibi is writing here.'))
        await page.keyboard.press('Control+Enter')
        await summary.getByText('chibi is writing here. Your text is kept here.').waitFor()
        await page.keyboard.press('Control+Enter')
        await field.waitFor({ state: 'detached' })
        await summary.getByText('roses').waitFor()
        await hasFocus(summary.getByRole('button', { name: 'Edit summary' }))
        await summary.getByRole('button', { name: 'Edit summary' }).click()
        await summary.getByRole('button', { name: 'Remove' }).click()
        await summary.getByText(/^None yet\. When earlier messages/).waitFor()
      }))

    it('messages that wait are written anew, taken away, and put back', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        const inbox = part(page, 'Inbox')
        await inbox.getByText('Rain <b>comes</b>.').waitFor()
        await inbox.getByRole('button', { name: 'Edit the message from kitchen' }).press('Enter')
        const field = inbox.getByRole('textbox', { name: 'Message from kitchen' })
        await hasFocus(field)
        expect(await faultsInThemes(page)).toEqual([])
        await field.fill('Bring thyme.')
        await page.keyboard.press('Control+Enter')
        await inbox.getByText('Bring thyme.').waitFor()
        await expect.poll(() => inbox.getByText('Bring basil.').count()).toBe(0)
        await inbox.getByRole('button', { name: 'Remove the message from zoo' }).click()
        await expect.poll(() => inbox.getByText(/Rain/).count()).toBe(0)
        await page
          .getByRole('status', { name: 'Inbox' })
          .getByRole('button', { name: 'Undo' })
          .click()
        await inbox.getByText('Rain <b>comes</b>.').waitFor()
      }))

    it('a message that a prompt took while it was written anew leaves the words in their field', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        await part(page, 'Inbox')
          .getByRole('button', { name: 'Edit the message from kitchen' })
          .click()
        const field = page.getByRole('textbox', { name: 'Message from kitchen' })
        await field.fill('Bring thyme.')
        await page.evaluate(() => window.home.upkeep.deliver())
        await readAgain(page)
        await page.getByText('The message from kitchen is no longer waiting.').waitFor()
        await expect.poll(() => field.inputValue()).toBe('Bring thyme.')
        expect(await faultsInThemes(page)).toEqual([])
        await field.press('Control+Enter')
        await page
          .getByText('This message is no longer waiting: it was delivered or changed.')
          .waitFor()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await field.waitFor({ state: 'detached' })
        await expect.poll(() => part(page, 'Summary').getByRole('button').isEnabled()).toBe(true)
      }))

    it('transcript.md is read in a dialog, and a context is made the current one of chibi', () =>
      withPage(harness(), main, async (page) => {
        await withDetails(page)
        await part(page, 'transcript.md').getByRole('button', { name: 'Read…' }).press('Enter')
        const dialog = page.getByRole('dialog', { name: 'transcript.md' })
        await dialog.getByText('[ASSISTANT]: In March.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await hasFocus(part(page, 'transcript.md').getByRole('button', { name: 'Read…' }))
        const about = part(page, 'About')
        await about.getByText('Not current').waitFor()
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await about.getByRole('button', { name: 'Make current' }).click()
        await about.getByText('Not done: The disk is full.').waitFor()
        await about.getByRole('button', { name: 'Make current' }).click()
        await about.getByText('Current context').waitFor()
      }))
  })
}
