import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { atRest, withPage } from './page'

const rows = (page: Page) => page.locator('.settings-page').getByRole('group')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const status = (page: Page) => page.locator('.settings-page').getByRole('status').last()

async function openSources(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Sources', exact: true }).click()
  await page.getByRole('main', { name: 'Sources' }).waitFor()
}

/** The accessible name of what has the focus. */
function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? element?.textContent ?? undefined
  })
}

/** Where other systems' histories are read from, in Settings. */
export function sourceRoots(harness: () => Harness): void {
  describe('the sources', () => {
    it('stand in rows by name, each with its state in words', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        await rows(page).first().waitFor()
        await expect.poll(() => rows(page).count()).toBe(7)
        const words = async (name: string) =>
          (await page.getByRole('group', { name, exact: true }).textContent()) ?? ''
        await expect
          .poll(() => words('cycod ~/.cycod'))
          .toMatch(/4,318 conversations, 1\.2 GB, the newest of 10 Sep\w* 2026\./)
        await expect.poll(() => words('fluux-agent ~/.fluux/memory')).toContain('Not found.')
        await expect.poll(() => words('voicemode ~/.voicemode')).toContain('Off.')
        await expect
          .poll(() => words('cycod ~/⟨U+202E⟩txt.lanruoj'))
          .toContain('Stopped: 7 conversations, 977 KB so far')
        await page.getByText('Cannot be read: /home/mira/archive').waitFor()
        await page.getByText('sources.added[2] has an unknown value.').waitFor()
        await expect.poll(() => page.getByRole('switch').count()).toBe(5)
        await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(2)
      }))

    it('offer a backup, say what one has, and turn it on and off by keyboard, with the focus kept there', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        const offered = page.getByRole('group', { name: 'Backup of cycod ~/.cycod', exact: true })
        await expect
          .poll(() => offered.textContent())
          .toContain('cycod deletes conversations after 30 days. A backup keeps them.')
        const made = page.getByRole('group', { name: 'Backup of cycod ~/⟨U+202E⟩txt.lanruoj' })
        await expect
          .poll(() => made.textContent())
          .toContain(
            '1,204 files, 812 MB (286 MB shared with the originals). 2 earlier versions. 31 files gone from cycod.',
          )
        await expect
          .poll(() => made.textContent())
          .toContain('Not everything is backed up: The disk is full')
        await expect.poll(() => offered.getByRole('button').count()).toBe(0)
        const toggle = page.getByRole('switch', { name: 'Back up cycod ~/.cycod', exact: true })
        await toggle.press('Space')
        await expect.poll(() => offered.textContent()).toContain('4,320 files, 1.2 GB.')
        await expect.poll(() => focused(page)).toBe('Back up cycod ~/.cycod')
        await toggle.press('Space')
        await expect.poll(() => offered.textContent()).toContain('Nothing new is copied.')
        await offered.getByRole('button', { name: 'Delete backup… cycod ~/.cycod' }).press('Enter')
        await expect.poll(() => offered.textContent()).toContain('A backup keeps them.')
        await expect.poll(() => focused(page)).toBe('Back up cycod ~/.cycod')
      }))

    it('say what is new in their histories, name by name on demand, and open a line that has it', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        const row = page.getByRole('group', { name: 'cycod ~/.cycod', exact: true })
        await expect
          .poll(() => row.textContent())
          .toContain('1 new type, 1 new field and more in 12 conversations, nothing lost.')
        const show = row.getByRole('button', { name: 'Show what is new in cycod' })
        await show.press('Enter')
        const list = page.getByRole('list', { name: 'New in cycod' })
        await expect.poll(() => list.getByRole('listitem').count()).toBe(3)
        await expect.poll(() => list.textContent()).toContain('evil⟨U+202E⟩nap')
        await expect
          .poll(() => row.getByRole('button', { name: 'Hide what is new in cycod' }).count())
          .toBe(1)
        await list
          .getByRole('button', { name: 'Open line 7 with field payload/message.glow' })
          .click()
        await page.getByRole('main', { name: 'Sources' }).waitFor({ state: 'detached' })
      }))

    it('turn a default on and off by keyboard, and keep the focus there', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        const toggle = page.getByRole('switch', { name: 'Read voicemode ~/.voicemode' })
        await toggle.press('Space')
        await expect.poll(() => toggle.isChecked()).toBe(true)
        await expect.poll(() => focused(page)).toBe('Read voicemode ~/.voicemode')
        const lists = () =>
          page.evaluate(
            () => window.home.api.calls.filter(({ channel }) => channel === 'library.list').length,
          )
        await expect.poll(lists).toBe(2)
      }))

    it('remove one by name, tell it, and send the focus to the row that stands there now', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        const remove = page.getByRole('button', { name: /^Remove cycod ~\/archive/ })
        await remove.press('Enter')
        await remove.waitFor({ state: 'detached' })
        await expect.poll(() => focused(page)).toBe('Remove cycod ~/⟨U+202E⟩txt.lanruoj')
        await expect.poll(() => status(page).textContent()).toContain('history-2024 was removed.')
        await page.keyboard.press('Enter')
        await expect.poll(() => focused(page)).toBe('Read voicemode ~/.voicemode')
      }))

    it('add a folder whose source the files tell', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        await page.evaluate(() => window.home.sources.pick('/home/mira/voices', ['voicemode']))
        await button(page, 'Add a folder…').click()
        await page.getByRole('group', { name: 'voicemode ~/voices' }).waitFor()
        await expect
          .poll(() => status(page).textContent())
          .toContain('voicemode ~/voices was added.')
      }))

    it('ask whose a file is where several systems find something, and go back where one was', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        await page.evaluate(() =>
          window.home.sources.pick('/home/mira/a.jsonl', ['cycod', 'fluux']),
        )
        await button(page, 'Add a file…').click()
        const choice = page.getByRole('group', { name: 'Whose conversations are these?' })
        await choice.waitFor()
        await expect
          .poll(() => choice.getByRole('button').allInnerTexts())
          .toEqual(['cycod', 'fluux-agent', 'Cancel'])
        await expect.poll(() => focused(page)).toBe('cycod')
        await page.keyboard.press('Escape')
        await choice.waitFor({ state: 'detached' })
        await expect.poll(() => focused(page)).toBe('Add a folder…')
        await button(page, 'Add a file…').click()
        await expect.poll(() => focused(page)).toBe('cycod')
        await page.keyboard.press('Tab')
        await expect.poll(() => focused(page)).toBe('fluux-agent')
        await page.keyboard.press('Enter')
        await page.getByRole('group', { name: 'fluux-agent ~/a.jsonl' }).waitFor()
        await expect.poll(() => focused(page)).toBe('Add a folder…')
      }))

    it('show how far looking has come, stop it by the same button that looks again, and say so', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        await button(page, 'Scan again').waitFor()
        const foot = () => page.locator('.sources-foot').boundingBox()
        const before = await atRest(page, foot)
        await page.evaluate(() => window.home.sources.look(2314))
        await page.getByText('Scanning: 2,314 files', { exact: true }).waitFor()
        await expect.poll(() => status(page).textContent()).toBe('Scanning for files.')
        await expect.poll(async () => (await foot())?.height).toBe(before?.height)
        await button(page, 'Stop').press('Enter')
        await page
          .getByText(/^Stopped\. Found so far: 28 conversations/)
          .first()
          .waitFor()
        await expect.poll(() => focused(page)).toBe('Scan again')
        await page.keyboard.press('Enter')
        await page.getByText('48 conversations, 13 MB, in 4 places.').first().waitFor()
        await expect.poll(() => status(page).textContent()).toContain('48 conversations')
      }))

    it('that were given at the start cannot be changed, and say why', () =>
      withPage(harness(), { scenario: 'sources', given: '1' }, async (page) => {
        await openSources(page)
        await page.getByText('Skein was started with --root').waitFor()
        await expect.poll(() => page.getByRole('switch').count()).toBe(0)
        await expect
          .poll(() => page.getByRole('button', { name: /^Remove|^Add a/ }).count())
          .toBe(0)
        await expect.poll(() => page.getByText('--root', { exact: true }).count()).toBe(5)
      }))

    it('say why a change was refused', () =>
      withPage(harness(), { scenario: 'sources' }, async (page) => {
        await openSources(page)
        await button(page, 'Scan again').waitFor()
        await page.evaluate(() => window.refuseSources('disk-full', 'The settings were not saved.'))
        await page.getByRole('switch', { name: 'Read cycod ~/.cycod' }).click()
        const alert = page.getByRole('alert')
        await alert.waitFor()
        await expect.poll(() => alert.textContent()).toContain('Nothing was changed.')
        await expect
          .poll(() => page.getByRole('switch', { name: 'Read cycod ~/.cycod' }).isChecked())
          .toBe(true)
      }))
  })
}
