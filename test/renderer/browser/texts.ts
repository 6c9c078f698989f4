import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { HomeTextName } from '../../../src/shared/model/settings/home-texts'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, withPage } from './page'

const main = { scenario: 'main' }
const row = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function opened(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.evaluate(() => window.skein.stores.app.getState().openSettings('texts'))
  await row(page, 'Reflection').waitFor()
}

/** Somebody else writes a text of the home. */
async function write(page: Page, name: string, text: string | null): Promise<void> {
  await page.evaluate(([file, words]) => window.home.texts.write(file as HomeTextName, words), [
    name,
    text,
  ] as const)
}

const onDisk = (page: Page, name: string) =>
  page.evaluate(
    async (file) =>
      (await window.home.texts.handlers.readText({ name: file as HomeTextName })).text,
    name,
  )

/** Prompts, the reflection, AGENTS.md and models.toml in Settings. */
export function homeTexts(harness: () => Harness): void {
  describe('the texts of the home', () => {
    it('say what they do and whether they are there, and are written by keyboard and taken back', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await row(page, 'System prompt').getByText('None.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await row(page, 'Reflection').getByRole('button', { name: 'Edit…' }).press('Enter')
        const field = page.getByRole('textbox', { name: 'Reflection, in Markdown' })
        await hasFocus(field)
        await expect.poll(() => field.inputValue()).toBe('Rain is measured in millimetres.')
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('Control+A')
        await page.keyboard.type('Be brief.')
        await page.keyboard.press('Control+Enter')
        await field.waitFor({ state: 'detached' })
        await hasFocus(row(page, 'Reflection').getByRole('button', { name: 'Edit…' }))
        expect(await onDisk(page, 'prompts/reflection.md')).toBe('Be brief.')
        await expect
          .poll(() => page.getByRole('status', { name: 'Texts' }).textContent())
          .toBe('Reflection: saved.')
        await row(page, 'Reflection').getByRole('button', { name: 'Undo' }).click()
        await row(page, 'Reflection').getByText('32 bytes').waitFor()
        expect(await onDisk(page, 'prompts/reflection.md')).toBe('Rain is measured in millimetres.')
      }))

    it('are not written over what changed meanwhile, and a removed file comes back', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await row(page, 'Reflection').getByRole('button', { name: 'Edit…' }).click()
        const field = page.getByRole('textbox', { name: 'Reflection, in Markdown' })
        await field.fill('Mine.')
        await page.keyboard.press('Escape')
        await expect.poll(() => field.inputValue()).toBe('Mine.')
        await write(page, 'prompts/reflection.md', 'Theirs.')
        await page.keyboard.press('Control+Enter')
        await row(page, 'Reflection').getByText('It was changed meanwhile.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        expect(await onDisk(page, 'prompts/reflection.md')).toBe('Theirs.')
        await page.getByRole('button', { name: 'Take theirs' }).click()
        await expect.poll(() => field.inputValue()).toBe('Theirs.')
        await page.getByRole('button', { name: 'Remove file' }).click()
        await row(page, 'Reflection').getByText('None yet.').waitFor()
        expect(await onDisk(page, 'prompts/reflection.md')).toBe(null)
        await row(page, 'Reflection').getByRole('button', { name: 'Undo' }).click()
        await expect.poll(() => onDisk(page, 'prompts/reflection.md')).toBe('Theirs.')
      }))

    it('that are refused stay in the field, with the reason', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await row(page, 'Single models').getByRole('button', { name: 'Write…' }).click()
        const field = page.getByRole('textbox', { name: 'Single models' })
        await field.fill('[models\n')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('alert').getByText('Line 1 is not TOML.').waitFor()
        await expect.poll(() => field.inputValue()).toBe('[models\n')
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: 'Cancel' }).click()
        await hasFocus(row(page, 'Single models').getByRole('button', { name: 'Write…' }))
      }))
  })
}
