import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { HomeTextName } from '../../../src/shared/model/settings/home-texts'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, openedAtEnd, resize, withPage } from './page'

const main = { scenario: 'main' }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** The field is a combo box while it has a list. */
const message = (page: Page) => page.locator('[data-focus="composer"]')
const list = (page: Page) => page.getByRole('listbox', { name: 'Prompts and commands' })
const offered = (page: Page) => list(page).locator('.offer-typed').allTextContents()
const count = (page: Page) => page.getByRole('status', { name: 'Prompts and commands' })
const shown = (page: Page) => message(page).inputValue()
const selected = (page: Page) =>
  message(page).evaluate((field) => {
    const { value, selectionStart, selectionEnd } = field as HTMLTextAreaElement
    return value.slice(selectionStart, selectionEnd)
  })

async function write(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(([file, words]) => window.home.texts.write(file as HomeTextName, words), [
    `prompts/${name}.md`,
    text,
  ] as const)
}

const onDisk = (page: Page, name: string) =>
  page.evaluate(
    async (file) =>
      (await window.home.texts.handlers.readText({ name: file as HomeTextName })).text,
    `prompts/${name}.md`,
  )

async function opened(page: Page): Promise<void> {
  await openedAtEnd(page)
  await message(page).focus()
}

/** Saved prompts: typed with a slash, filled, saved from a draft, kept in Settings. */
export function savedPrompts(harness: () => Harness): void {
  describe('a slash at the start of a message', () => {
    it('lists saved prompts and commands by keyboard, and takes one, which undo takes back', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('/')
        await expect.poll(() => offered(page)).toContain('/zoo')
        await expect.poll(() => offered(page)).toContain('/export')
        await expect.poll(() => count(page).textContent()).toMatch(/^\d+ suggestions$/)
        const field = page.getByRole('combobox', { name: 'Message' })
        await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true')
        const first = await field.getAttribute('aria-activedescendant')
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => field.getAttribute('aria-activedescendant')).not.toBe(first)
        await page.keyboard.press('ArrowUp')
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await page.keyboard.type('zo')
        await expect.poll(() => offered(page)).toEqual(['/zoo'])
        await page.keyboard.press('Enter')
        await expect.poll(() => shown(page)).toBe('Animals')
        await expect.poll(() => list(page).count()).toBe(0)
        await page.getByRole('textbox', { name: 'Message' }).waitFor()
        await page.keyboard.press('Control+Z')
        await expect.poll(() => shown(page)).toBe('/zo')
      }))

    it('runs a command, and keeps what follows it', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('the rest')
        await page.keyboard.press('Home')
        await page.keyboard.type('/exp')
        await expect.poll(() => list(page).count()).toBe(0)
        await page.keyboard.type(' ')
        await page.keyboard.press('ArrowLeft')
        await page.keyboard.type('o')
        await expect.poll(() => offered(page)).toContain('/export')
        await page.keyboard.press('Tab')
        await page.getByRole('dialog', { name: /^Export/ }).waitFor()
        await page.keyboard.press('Escape')
        await hasFocus(message(page))
        await expect.poll(() => shown(page)).toBe('the rest')
      }))

    it('stays text: Esc closes the list, nothing that is no name opens one, Enter sends it as it is', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('/zo')
        await expect.poll(() => list(page).count()).toBe(1)
        await page.keyboard.press('Escape')
        await expect.poll(() => list(page).count()).toBe(0)
        await hasFocus(message(page))
        await page.keyboard.type('o')
        await expect.poll(() => list(page).count()).toBe(0)
        await page.keyboard.press('Control+A')
        await page.keyboard.type('/etc/hosts')
        await expect.poll(() => list(page).count()).toBe(0)
        await page.keyboard.press('Enter')
        await page.getByRole('article', { name: /^You/ }).getByText('/etc/hosts').waitFor()
      }))

    it('opens no list while an input method composes', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        const client = await page.context().newCDPSession(page)
        await client.send('Input.imeSetComposition', {
          text: '/z',
          selectionStart: 2,
          selectionEnd: 2,
        })
        await expect.poll(() => shown(page)).toBe('/z')
        await expect.poll(() => list(page).count()).toBe(0)
        await client.send('Input.insertText', { text: '/z' })
        await expect.poll(() => list(page).count()).toBe(1)
      }))

    it('fits a narrow window', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await resize(page, { width: 800, height: 500 })
        await page.keyboard.type('/')
        await expect.poll(() => offered(page)).toContain('/zoo')
        await expect
          .poll(async () => (await list(page).boundingBox())?.y ?? -1)
          .toBeGreaterThanOrEqual(0)
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })

  describe('a saved prompt with fields', () => {
    const text = 'Say {{what}} in {{language:English}}, and {{what}} again.'

    it('asks for them in place; a field that comes twice is asked for once', () =>
      withPage(harness(), main, async (page) => {
        await write(page, 'say', text)
        await opened(page)
        await page.keyboard.type('/say')
        await expect.poll(() => offered(page)).toEqual(['/say'])
        await page.keyboard.press('Tab')
        await expect.poll(() => selected(page)).toBe('{{what}}')
        await page.getByText('Fill in what, language').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await page.keyboard.type('hello')
        await page.keyboard.press('Tab')
        await expect.poll(() => selected(page)).toBe('{{language:English}}')
        await expect
          .poll(() => shown(page))
          .toBe('Say hello in {{language:English}}, and hello again.')
        await page.keyboard.press('Tab')
        await expect.poll(() => shown(page)).toBe('Say hello in English, and hello again.')
        await page.keyboard.type(' Now.')
        await page.keyboard.press('Enter')
        await page
          .getByRole('article', { name: /^You/ })
          .getByText('Say hello in English, and hello again. Now.')
          .waitFor()
      }))

    it('is not sent with an empty field, unless it is kept as text; defaults are taken', () =>
      withPage(harness(), main, async (page) => {
        await write(page, 'say', text)
        await opened(page)
        await page.keyboard.type('/say')
        await expect.poll(() => offered(page)).toEqual(['/say'])
        await page.keyboard.press('Enter')
        await expect.poll(() => selected(page)).toBe('{{what}}')
        await page.keyboard.press('End')
        await page.keyboard.press('Enter')
        await expect.poll(() => selected(page)).toBe('{{what}}')
        await page.keyboard.press('Shift+Tab')
        await expect.poll(() => selected(page)).toBe('{{what}}')
        await button(page, 'Keep as text').click()
        await hasFocus(message(page))
        await page.keyboard.press('Enter')
        await page.getByRole('article', { name: /^You/ }).getByText(text).waitFor()
      }))

    it('has its fields after the window was closed, and a typed pair of braces is none', () =>
      withPage(harness(), main, async (page) => {
        await write(page, 'say', text)
        await opened(page)
        await page.keyboard.type('/say')
        await expect.poll(() => offered(page)).toEqual(['/say'])
        await page.keyboard.press('Enter')
        await expect.poll(() => selected(page)).toBe('{{what}}')
        await page.reload()
        await openedAtEnd(page)
        await page.getByText('Fill in what, language').waitFor()
        await message(page).fill('My {{what}} is a template')
        await page.getByText('Fill in what').waitFor()
        await message(page).fill('')
        await message(page).fill('My {{what}} is a template')
        await expect.poll(() => page.getByText('Fill in').count()).toBe(0)
      }))
  })

  describe('a message', () => {
    it('is saved as a prompt under a name, replaces one with an undo', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('Count the {{animals}}')
        await button(page, 'Save as prompt…').click()
        const name = page.getByRole('textbox', { name: 'Name' })
        await hasFocus(name)
        await expect.poll(() => name.inputValue()).toBe('count-the')
        await page.getByText('It asks for animals.').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await page.keyboard.type('two words')
        await page.getByText('no spaces').waitFor()
        await name.fill('zoo')
        await button(page, 'Replace').click()
        await page.getByText('Replaced as /zoo.').waitFor()
        expect(await onDisk(page, 'zoo')).toBe('Count the {{animals}}')
        await expect.poll(() => shown(page)).toBe('Count the {{animals}}')
        await button(page, 'Undo').click()
        await expect.poll(() => onDisk(page, 'zoo')).toBe('Animals')
        await hasFocus(message(page))
      }))
  })

  describe('the prompts in Settings', () => {
    const row = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

    it('are written, renamed and deleted, each with an undo', () =>
      withPage(harness(), main, async (page) => {
        await openedAtEnd(page)
        await page.evaluate(() => window.skein.stores.app.getState().openSettings('prompts'))
        await row(page, '/zoo').getByText('Animals').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await button(page, 'New prompt…').click()
        await page.getByRole('textbox', { name: 'Name of the new prompt' }).fill('zoo')
        await page.getByText('There is a prompt “zoo”.').waitFor()
        await page.getByRole('textbox', { name: 'Name of the new prompt' }).fill('plan')
        await page.keyboard.press('Enter')
        const field = page.getByRole('textbox', { name: '/plan, in Markdown' })
        await hasFocus(field)
        await page.keyboard.type('Plan {{what}}')
        await page.keyboard.press('Control+Enter')
        await row(page, '/plan').getByText('Asks for what.').waitFor()
        await row(page, '/plan').getByRole('button', { name: 'Rename…' }).click()
        await page.getByRole('textbox', { name: 'New name of /plan' }).fill('design')
        await page.keyboard.press('Enter')
        await row(page, '/design').waitFor()
        await expect
          .poll(() => page.getByRole('status', { name: 'Prompts', exact: true }).textContent())
          .toBe('/plan is now /design.')
        await button(page, 'Undo').click()
        await row(page, '/plan').waitFor()
        await row(page, '/plan').getByRole('button', { name: 'Delete' }).click()
        await row(page, '/plan').waitFor({ state: 'detached' })
        await hasFocus(button(page, 'Undo'))
        expect(await onDisk(page, 'plan')).toBe(null)
        await page.keyboard.press('Enter')
        await row(page, '/plan').waitFor()
        expect(await onDisk(page, 'plan')).toBe('Plan {{what}}')
      }))
  })
}
