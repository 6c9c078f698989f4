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

async function write(page: Page, name: string, text: string | null): Promise<void> {
  await page.evaluate(([file, words]) => window.home.texts.write(file as HomeTextName, words), [
    `prompts/${name}.md`,
    text,
  ] as const)
}

const hold = (page: Page, call: 'readText' | 'prompts') =>
  page.evaluate((held) => window.home.texts.hold(held), call)
const release = (page: Page, refusal?: string) =>
  page.evaluate((words) => window.home.texts.release(words), refusal)
const sent = (page: Page, text: string) =>
  page.getByRole('article', { name: /^You/ }).getByText(text, { exact: true })
/** Names of the options under the cursor: none, or one. */
const chosen = (page: Page) =>
  list(page).locator('[aria-selected="true"] .offer-typed').allTextContents()

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

    it('takes by Enter only what it names; what other words find waits for an arrow', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('/upload')
        await expect.poll(() => offered(page)).toEqual(['/attach'])
        expect(await chosen(page)).toEqual([])
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => chosen(page)).toEqual(['/attach'])
        await page.keyboard.type('s')
        await page.keyboard.press('Backspace')
        await expect.poll(() => offered(page)).toEqual(['/attach'])
        await page.keyboard.press('Enter')
        await sent(page, '/upload').waitFor()
        await expect.poll(() => list(page).count()).toBe(0)
      }))

    it('takes the conversation away by its whole name alone, or where an arrow went to it', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        const archived = () =>
          page.evaluate(() => window.skein.stores.contexts.getState().archived.size)
        const before = await archived()
        const undo = page.getByRole('button', { name: 'Undo', exact: true })
        await page.keyboard.type('/ar')
        await expect.poll(() => chosen(page)).toEqual(['/archive'])
        await page.keyboard.press('Enter')
        await expect.poll(() => shown(page)).toBe('/archive')
        await expect.poll(() => chosen(page)).toEqual(['/archive'])
        expect(await archived()).toBe(before)
        await page.keyboard.press('Enter')
        await expect.poll(archived).toBe(before + 1)
        await undo.click()
        await expect.poll(archived).toBe(before)
        await message(page).focus()
        await page.keyboard.type('/hid')
        await expect.poll(() => chosen(page)).toEqual(['/hide'])
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowUp')
        await expect.poll(() => chosen(page)).toEqual(['/hide'])
        await page.keyboard.press('Enter')
        await page.getByText(/^Hidden: /).waitFor()
        await undo.click()
      }))

    it('keeps the cursor on its offer when others come', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('/')
        await expect.poll(() => chosen(page)).toEqual(['/zoo'])
        await write(page, 'aaa', 'First')
        await page.evaluate(() => window.skein.stores.prompts.getState().load())
        await expect.poll(() => offered(page)).toContain('/aaa')
        expect(await chosen(page)).toEqual(['/zoo'])
      }))

    it('waits for the list with Enter, and says when it cannot be read', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await write(page, 'fresh', 'Just written')
        await hold(page, 'prompts')
        await page.keyboard.type('/fresh')
        await page.keyboard.press('Enter')
        await expect.poll(() => shown(page)).toBe('/fresh')
        await release(page)
        await expect.poll(() => shown(page)).toBe('Just written')
        await message(page).fill('')
        await hold(page, 'prompts')
        await page.keyboard.type('/exp')
        await release(page, 'The disk is gone.')
        await list(page)
          .getByText('The saved prompts could not be listed: The disk is gone.')
          .waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await expect.poll(() => offered(page)).toContain('/export')
      }))

    it('puts a prompt that comes late only where its name still stands, and sends nothing before', () =>
      withPage(harness(), main, async (page) => {
        await opened(page)
        await page.keyboard.type('/zo')
        await expect.poll(() => offered(page)).toEqual(['/zoo'])
        await hold(page, 'readText')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
        await release(page)
        await expect.poll(() => shown(page)).toBe('Animals')
        await message(page).fill('')
        await page.keyboard.type('/zo')
        await expect.poll(() => offered(page)).toEqual(['/zoo'])
        await hold(page, 'readText')
        await page.keyboard.press('Enter')
        await page.keyboard.type('ne')
        await release(page)
        await page.getByText('The message changed before /zoo was read.').waitFor()
        expect(await shown(page)).toBe('/zone')
        await button(page, 'Dismiss').click()
        await message(page).fill('')
        await page.keyboard.type('/zo')
        await expect.poll(() => offered(page)).toEqual(['/zoo'])
        await write(page, 'zoo', null)
        await page.keyboard.press('Enter')
        await page.getByText('/zoo is not there any more.').waitFor()
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

    it('leaves Esc and Tab alone once its fields are filled, kept as text or deleted', () =>
      withPage(harness(), main, async (page) => {
        await write(page, 'one', 'Say {{what}}')
        await opened(page)
        await page.evaluate(() => {
          window.addEventListener('keydown', ({ key }) => {
            if (key === 'Escape')
              document.body.dataset.heard = `${document.body.dataset.heard ?? ''}Esc`
          })
        })
        const heard = () => page.evaluate(() => document.body.dataset.heard ?? '')
        const begin = async () => {
          await message(page).fill('')
          await page.keyboard.type('/one')
          await expect.poll(() => offered(page)).toEqual(['/one'])
          await page.keyboard.press('Enter')
          await expect.poll(() => selected(page)).toBe('{{what}}')
        }
        const tabLeaves = async () => {
          await page.keyboard.press('Tab')
          await expect
            .poll(() => message(page).evaluate((field) => field === document.activeElement))
            .toBe(false)
        }
        await begin()
        await page.keyboard.type('this')
        await page.keyboard.press('Escape')
        await expect.poll(heard).toBe('Esc')
        await tabLeaves()
        await begin()
        await page.keyboard.press('Escape')
        await expect.poll(() => page.getByText('Fill in').count()).toBe(0)
        await page.keyboard.press('Escape')
        await expect.poll(heard).toBe('EscEsc')
        await tabLeaves()
        await begin()
        await button(page, 'Keep as text').click()
        await hasFocus(message(page))
        await tabLeaves()
        await begin()
        await page.keyboard.press('Control+A')
        await page.keyboard.press('Delete')
        await tabLeaves()
      }))

    it('is filled in all places by one edit', () =>
      withPage(harness(), main, async (page) => {
        await write(page, 'thrice', '{{a}}, {{a}}, {{a}} and {{b}}')
        await opened(page)
        await page.keyboard.type('/thrice')
        await expect.poll(() => offered(page)).toEqual(['/thrice'])
        await page.keyboard.press('Enter')
        await expect.poll(() => selected(page)).toBe('{{a}}')
        await page.keyboard.type('x')
        await page.keyboard.press('Tab')
        await expect.poll(() => shown(page)).toBe('x, x, x and {{b}}')
        await expect.poll(() => selected(page)).toBe('{{b}}')
        await page.keyboard.press('Control+Z')
        await expect.poll(() => shown(page)).toBe('x, {{a}}, {{a}} and {{b}}')
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

  describe('the question for a name', () => {
    async function asked(page: Page, name: string): Promise<void> {
      await opened(page)
      await page.keyboard.type('Mine')
      await button(page, 'Save as prompt…').click()
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
    }

    it('replaces no prompt that it did not name, and takes none of another case', () =>
      withPage(harness(), main, async (page) => {
        await asked(page, 'ZOO')
        await page.getByText('There is a prompt /zoo').waitFor()
        await page.getByRole('textbox', { name: 'Name' }).fill('late')
        await write(page, 'late', 'Theirs')
        await button(page, 'Save').click()
        await page.getByText('There is a prompt /late by now.').waitFor()
        expect(await onDisk(page, 'late')).toBe('Theirs')
        await button(page, 'Replace').click()
        await page.getByText('Replaced as /late.').waitFor()
        expect(await onDisk(page, 'late')).toBe('Mine')
      }))

    it('stays when its conversation is closed, and says when its undo fails', () =>
      withPage(harness(), main, async (page) => {
        await asked(page, 'fresh')
        await button(page, 'Save').click()
        await page.getByText('Saved as /fresh.').waitFor()
        await write(page, 'fresh', 'Theirs')
        await button(page, 'Undo').click()
        await page.getByText('Not undone.').waitFor()
        expect(await onDisk(page, 'fresh')).toBe('Theirs')
        await button(page, 'Save as prompt…').click()
        const dialog = page.getByRole('dialog', { name: 'Save as prompt' })
        await dialog.waitFor()
        await page.evaluate(() => window.skein.stores.app.setState({ place: { type: 'none' } }))
        await expect.poll(() => message(page).count()).toBe(0)
        await dialog.waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
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

    it('are kept when they are deleted: each comes back, or goes for good; what cannot be typed is listed', () =>
      withPage(harness(), main, async (page) => {
        await openedAtEnd(page)
        await write(page, 'plan', 'A plan')
        await write(page, 'con', 'A device')
        await page.evaluate(() => window.skein.stores.app.getState().openSettings('prompts'))
        await row(page, 'con.md').getByText('is the name of a device on Windows').waitFor()
        for (const name of ['/zoo', '/plan'])
          await row(page, name).getByRole('button', { name: 'Delete', exact: true }).click()
        await row(page, '/zoo, deleted').waitFor()
        await row(page, '/plan, deleted').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await row(page, '/zoo, deleted').getByRole('button', { name: 'Restore' }).click()
        await row(page, '/zoo').getByText('Animals').waitFor()
        expect(await onDisk(page, 'zoo')).toBe('Animals')
        await row(page, '/plan, deleted').getByRole('button', { name: 'Delete for good' }).click()
        await row(page, '/plan, deleted').waitFor({ state: 'detached' })
        await hasFocus(button(page, 'Undo'))
        await page.keyboard.press('Enter')
        await row(page, '/plan, deleted').waitFor()
      }))

    it('say when an undo fails', () =>
      withPage(harness(), main, async (page) => {
        await openedAtEnd(page)
        await page.evaluate(() => window.skein.stores.app.getState().openSettings('prompts'))
        await row(page, '/zoo').getByRole('button', { name: 'Delete', exact: true }).click()
        await row(page, '/zoo').waitFor({ state: 'detached' })
        await write(page, 'zoo', 'Theirs')
        await button(page, 'Undo').click()
        await page.getByText('Nothing was changed.').waitFor()
        expect(await onDisk(page, 'zoo')).toBe('Theirs')
      }))
  })
}
