import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { withPage } from './page'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const from = (page: Page, name: string) => page.getByRole('button', { name: `${name} comes from:` })

async function openSettings(page: Page): Promise<void> {
  await button(page, 'Settings').click()
  await page.getByRole('heading', { name: 'Run', exact: true }).waitFor()
}

/** What was asked of main, last. */
const lastChange = (page: Page) =>
  page.evaluate(
    () =>
      window.home.api.calls.filter(({ channel }) => channel === 'settings.setValue').at(-1)?.args,
  )

/** The keys of chibi's files, in Settings. */
export function configuration(harness: () => Harness): void {
  it('About has the versions, and the text of each licence one key away', () =>
    withPage(harness(), { scenario: 'main' }, async (page) => {
      await openSettings(page)
      await button(page, 'About').click()
      await page.getByText('25.1.1', { exact: true }).waitFor()
      const katex = page.getByText(/^katex 0\.19\.1 MIT$/)
      await katex.focus()
      await katex.press('Enter')
      await page.getByText('Permission is granted.').waitFor()
      await page.getByText(/^without-text/).click()
      await page.getByText('The package brings no text of its licence.').waitFor()
    }))

  describe('the keys of chibi’s files', () => {
    it('stand in groups, each with where it comes from, and the places are told beside', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        await expect
          .poll(() => from(page, 'Your name').getAttribute('aria-label'))
          .toContain('config.toml:1')
        await expect.poll(() => from(page, 'Fuel').getAttribute('aria-label')).toContain('default')
        await from(page, 'Temperature').click()
        const pane = page.getByRole('region', { name: 'Where this value comes from' })
        await pane.getByText('models.toml:17').waitFor()
        // What another place sets cannot be changed here, and says where it can.
        await page.getByText('Set in models.toml:17, which overrides config.toml.').waitFor()
        await expect.poll(() => field(page, 'Temperature').isEditable()).toBe(false)
      }))

    it('are changed in place by keyboard, in the file, and taken out again', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        await field(page, 'Fuel').fill('12')
        await field(page, 'Fuel').press('Enter')
        await expect
          .poll(() => from(page, 'Fuel').getAttribute('aria-label'))
          .toContain('config.toml:4')
        await expect
          .poll(() => lastChange(page))
          .toEqual({
            key: 'fuel',
            value: '12',
            file: 'config.toml',
            was: null,
          })
        await button(page, 'Remove Fuel from config.toml').click()
        await expect.poll(() => field(page, 'Fuel').inputValue()).toBe('30')
        await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
        await expect
          .poll(() => lastChange(page))
          .toMatchObject({ key: 'fuel', value: null, was: '12' })
        await page.getByRole('switch', { name: 'Summarize automatically' }).press('Space')
        await expect
          .poll(() => lastChange(page))
          .toMatchObject({ key: 'auto_compact', value: 'true' })
        await page.getByRole('combobox', { name: 'After an answer' }).selectOption('call_agent')
        await expect
          .poll(() => lastChange(page))
          .toMatchObject({ key: 'fallback_tool', value: 'call_agent' })
        await field(page, 'Folders for file tools').fill('~/notes')
        await field(page, 'Fuel').focus()
        await expect
          .poll(() => lastChange(page))
          .toMatchObject({
            key: 'file_tools_allowed_paths',
            value: '~/notes',
            was: '~/notes\n/srv/plans',
          })
      }))

    it('are kept once, and what is written while that goes on stays', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        const changes = () =>
          page.evaluate(() =>
            window.home.api.calls
              .filter(({ channel }) => channel === 'settings.setValue')
              .map(({ args }) => (args as { readonly value: string }).value),
          )
        await field(page, 'Fuel').fill('12')
        // Both in one turn: the answer to the first has not come by then.
        await field(page, 'Fuel').evaluate((input: HTMLInputElement) => {
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
          input.blur()
        })
        await expect
          .poll(() => from(page, 'Fuel').getAttribute('aria-label'))
          .toContain('config.toml:4')
        await expect.poll(() => changes()).toEqual(['12'])
        await expect.poll(() => page.getByRole('alert').count()).toBe(0)
        await field(page, 'Fuel').fill('13')
        await page.evaluate(() => window.home.hold())
        await page.keyboard.press('Enter')
        await page.keyboard.type('4')
        await page.evaluate(() => window.home.release())
        await expect.poll(() => changes()).toContain('13')
        await expect.poll(() => field(page, 'Fuel').inputValue()).toBe('134')
      }))

    it('say what a value must be, and keep what was written until it is taken back', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        await field(page, 'Fuel').fill('many')
        await page.keyboard.press('Enter')
        const alert = page.getByRole('alert')
        await alert.waitFor()
        await expect
          .poll(() => alert.textContent())
          .toContain('fuel must be a whole number of at least 0.')
        await expect.poll(() => field(page, 'Fuel').inputValue()).toBe('many')
        await field(page, 'Fuel').press('Escape')
        await expect.poll(() => field(page, 'Fuel').inputValue()).toBe('30')
      }))

    it('tell a bad line with its place, and what is used instead', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        await page
          .getByText(
            /^config\.toml:18: api\.reasoning\.effort must be one of .* Used instead: medium/,
          )
          .first()
          .waitFor()
        await button(page, 'Remove Reasoning effort from config.toml').click()
        await expect
          .poll(() => lastChange(page))
          .toEqual({
            key: 'api.reasoning.effort',
            value: null,
            file: 'config.toml',
            was: null,
          })
      }))

    it('are of the conversation that is open, where that is chosen', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        await page.getByText('This conversation', { exact: true }).click()
        await expect.poll(() => field(page, 'Fuel').inputValue()).toBe('25')
        await field(page, 'Fuel').fill('7')
        await page.keyboard.press('Enter')
        await expect
          .poll(() => lastChange(page))
          .toMatchObject({ key: 'fuel', value: '7', file: 'local.toml', was: '25' })
        await expect.poll(() => lastChange(page)).toHaveProperty('context')
        await page.getByText('Every conversation', { exact: true }).click()
        await expect.poll(() => field(page, 'Fuel').inputValue()).toBe('30')
      }))

    it('are found by name, key and words', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        const search = page.getByRole('searchbox', { name: 'Find a setting' })
        await search.fill('context window')
        await field(page, 'Fuel').waitFor({ state: 'detached' })
        await expect.poll(() => field(page, 'Context window').inputValue()).toBe('128000')
        await search.fill('api.temp')
        await field(page, 'Temperature').waitFor()
        await search.fill('zebra')
        await page.getByText('No results.').waitFor()
        await search.press('Escape')
        await field(page, 'Fuel').waitFor()
      }))

    it('cannot be changed in a file with a line that is no TOML, and name the line', () =>
      withPage(harness(), { scenario: 'main', 'broken-config': '1' }, async (page) => {
        await openSettings(page)
        await page.getByText('config.toml is ignored and cannot be changed here.').waitFor()
        await page
          .getByText(/^Line 2 is not TOML/)
          .first()
          .waitFor()
        await expect.poll(() => field(page, 'Fuel').isEditable()).toBe(false)
        await expect
          .poll(() => page.getByRole('switch', { name: 'No tools' }).isDisabled())
          .toBe(true)
      }))
  })
}
