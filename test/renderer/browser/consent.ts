import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsentDraft } from '../harness/memory-home'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { openConversation, resize, stopClock, withNewPage, withPage } from './page'

const key = 'import-gap'

const change: ConsentDraft = {
  tool: 'write_file',
  title: 'Write 97 lines to tests/test_importer.py',
  arguments:
    '{\n  "path": "tests/test_importer.py",\n  "content": "def test_import_is_idempotent(db):\\n"\n}',
  diff: [
    '--- a/tests/test_importer.py',
    '+++ b/tests/test_importer.py',
    '@@ -88,3 +88,6 @@',
    ' def test_import_is_idempotent(db):',
    '-    run_import(db, "plain.csv")',
    '+    run_import(db, "plain.csv", since=START)',
    '     assert count(db) == 86_400',
    '+',
    '+def test_both_passes_of_the_clock_change(db):',
    '+    first = run_import(db, "clock-change.csv")',
    '',
  ].join('\n'),
}
const message: ConsentDraft = {
  tool: 'send_message',
  title: 'Send 12 characters to kitchen',
  arguments: '{\n  "to": "kitchen",\n  "content": "Is it ready?"\n}',
}

const card = (page: Page) => page.getByRole('region', { name: 'Approval', exact: true })
const button = (page: Page, name: string | RegExp) => card(page).getByRole('button', { name })
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** Puts a question in a conversation; returns the name of the question. */
function ask(page: Page, draft: ConsentDraft, where = key): Promise<string> {
  return page.evaluate(([context, asked]) => window.home.askConsent(context, asked), [
    where,
    draft,
  ] as const)
}
const decisions = (page: Page) => page.evaluate(() => window.home.decisions)
const hasFocus = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Approval')

/** A call that waits for a person's word. */
export function consent(harness: () => Harness): void {
  describe('a call that waits for a word', () => {
    it('says what it would do: the tool, one line, the diff by signs, and the arguments', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await ask(page, change)
        await card(page).getByRole('heading', { name: 'Allow this change?' }).waitFor()
        const lines = card(page).getByRole('group', { name: 'Changes' }).locator('.diff-line')
        await expect
          .poll(async () => (await lines.allTextContents()).slice(0, 5))
          .toEqual([
            '@@ -88,3 +88,6 @@',
            '8888 def test_import_is_idempotent(db):',
            '89-    run_import(db, "plain.csv")',
            '89+    run_import(db, "plain.csv", since=START)',
            '9090     assert count(db) == 86_400',
          ])
        await card(page).getByText('+4 lines added', { exact: true }).waitFor()
        await card(page).getByText('−1 lines removed', { exact: true }).waitFor()
        const raw = card(page).getByRole('group', { name: 'Arguments' })
        await expect.poll(() => raw.count()).toBe(0)
        await button(page, 'Arguments').click()
        await expect.poll(() => raw.textContent()).toBe(change.arguments)
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('shows the arguments at once where there is no diff', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await ask(page, message)
        await card(page).getByRole('heading', { name: 'Allow this call?' }).waitFor()
        await expect
          .poll(() => card(page).getByRole('group', { name: 'Arguments' }).textContent())
          .toBe(message.arguments)
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('takes no focus from whoever writes: it is said aloud, and Ctrl+J goes there', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await composer(page).fill('and then')
        await ask(page, change)
        await card(page).waitFor()
        await page.keyboard.type(' what?')
        await expect.poll(() => composer(page).inputValue()).toBe('and then what?')
        const said = page.getByRole('status', { name: 'Approval needed' })
        await expect
          .poll(() => said.textContent())
          .toBe(
            'write_file needs your approval: Write 97 lines to tests/test_importer.py. Press Ctrl+J to answer.',
          )
        await page.keyboard.press('Control+J')
        await hasFocus(page)
        // What was typed on its way there decides nothing.
        for (const pressed of ['Enter', 'Space', 'Y', 'Escape']) await page.keyboard.press(pressed)
        await composer(page).and(page.locator(':focus')).waitFor()
        await expect
          .poll(async () => [await card(page).count(), await decisions(page)])
          .toEqual([1, []])
      }))

    it('is decided by keyboard alone, and the focus goes on to the next and then to the composer', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await ask(page, change)
        await ask(page, message)
        await card(page).getByText('1 of 2').waitFor()
        await page.keyboard.press('Control+J')
        await hasFocus(page)
        await button(page, 'Allow once').and(page.locator(':enabled')).waitFor()
        const focused = () =>
          page.evaluate(() => {
            const here = document.activeElement
            return here?.getAttribute('aria-label') ?? here?.textContent ?? ''
          })
        for (const name of [
          'Preview',
          'Arguments',
          'Allow once',
          'Always allow write_file here until Skein is closed',
          'Deny',
        ]) {
          await page.keyboard.press('Tab')
          await expect.poll(focused).toBe(name)
        }
        await page.keyboard.press('Enter')
        await card(page).getByText('send_message', { exact: true }).waitFor()
        await expect.poll(() => card(page).getByText('1 of').count()).toBe(0)
        await hasFocus(page)
        await button(page, /^Always allow send_message/)
          .and(page.locator(':enabled'))
          .waitFor()
        await button(page, /^Always allow send_message/).press('Space')
        await card(page).waitFor({ state: 'detached' })
        await composer(page).and(page.locator(':focus')).waitFor()
        await expect
          .poll(() => decisions(page))
          .toEqual([
            { tool: 'write_file', decision: 'denied' },
            { tool: 'send_message', decision: 'always' },
          ])
      }))

    it('cannot be decided by a press that was meant for the one before', () =>
      withNewPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await stopClock(page)
        await ask(page, change)
        await ask(page, { ...change, title: 'Write 1 line to b.md' })
        const allow = button(page, 'Allow once')
        await allow.waitFor()
        await expect.poll(() => allow.isEnabled()).toBe(false)
        await page.clock.runFor(600)
        await allow.dblclick()
        await card(page).getByText('Write 1 line to b.md').waitFor()
        await expect.poll(() => allow.isEnabled()).toBe(false)
        await page.clock.runFor(600)
        await allow.and(page.locator(':enabled')).waitFor()
        expect(await decisions(page)).toEqual([{ tool: 'write_file', decision: 'once' }])
      }))

    it('goes when its run is stopped, and stands again after a reload of what waits', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const asked = await ask(page, change)
        await card(page).waitFor()
        await page.evaluate(() => {
          const { consent: store } = window.skein.stores
          store.getState().reset()
          return store.getState().load()
        })
        await card(page).waitFor()
        await page.evaluate((id) => window.home.withdrawConsent(id), asked)
        await card(page).waitFor({ state: 'detached' })
        await expect.poll(() => decisions(page)).toEqual([])
      }))

    it('says that the word did not arrive, and waits on', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await ask(page, change)
        await page.evaluate(() => window.refuseNext('io', 'The window lost its home.'))
        await button(page, 'Deny').click()
        await card(page).getByText('The window lost its home. The call is still waiting.').waitFor()
        await button(page, 'Deny').click()
        await card(page).waitFor({ state: 'detached' })
        await expect
          .poll(() => decisions(page))
          .toEqual([{ tool: 'write_file', decision: 'denied' }])
      }))

    it('is told of in another conversation, and is reached from there', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const others = page.getByRole('option')
        const other = await page.evaluate(
          () => window.skein.stores.library.getState().conversations[1]?.title ?? '',
        )
        await expect.poll(() => others.count()).toBeGreaterThan(1)
        await ask(page, change)
        await openConversation(page, other)
        await page.getByText('1 call elsewhere needs your approval.').waitFor()
        await expect.poll(() => card(page).count()).toBe(0)
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: `Open ${key}` }).click()
        await card(page).waitFor()
        await expect.poll(() => page.getByText('elsewhere').count()).toBe(0)
      }))

    it('lets nobody be fooled by its text, and keeps its buttons in a small window', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const line = `+${' '.repeat(3000)}hidden`
        await ask(page, {
          tool: 'write_file',
          title: `Write \u202e1 line to <b>a</b>.md ${'x'.repeat(2000)}`,
          arguments: `{"content":"\u001b[31m${'y'.repeat(100_000)}"}`,
          diff: [
            '--- /dev/null',
            '+++ b/a.md',
            '@@ -0,0 +1,5002 @@',
            '+<img src=x onerror="window.hacked=1">\u202e\u2066',
            line,
            ...Array.from({ length: 5000 }, (_, index) => `+line ${index}`),
            '',
          ].join('\n'),
        })
        const changes = card(page).getByRole('group', { name: 'Changes' })
        const text = () => changes.textContent()
        await expect.poll(text).toContain('<img src=x onerror="window.hacked=1">⟨U+202E⟩⟨U+2066⟩')
        await expect.poll(text).toContain('1,006 more characters of this line')
        await expect
          .poll(() => card(page).getByText('⟨U+202E⟩1 line to <b>a</b>.md').count())
          .toBe(1)
        await expect.poll(() => changes.locator('.diff-line').count()).toBe(400)
        await button(page, 'Show 2,000 more lines').click()
        await expect.poll(() => changes.locator('.diff-line').count()).toBe(2400)
        for (const [width, height, zoom] of [
          [1440, 900, 1],
          [800, 600, 1],
          [800, 600, 1.5],
        ] as const) {
          await resize(page, { width, height, zoom })
          const look = () =>
            card(page).evaluate((section) => {
              const outer = section.getBoundingClientRect()
              const acts = [...section.querySelectorAll('.consent-acts > .button')]
              const body = section.querySelector('.consent-body')
              return {
                sideways: section.scrollWidth - section.clientWidth,
                bodySideways: body === null ? -1 : body.scrollWidth - body.clientWidth,
                isInside: acts.every((act) => {
                  const { bottom, right } = act.getBoundingClientRect()
                  return bottom <= Math.min(outer.bottom, innerHeight) && right <= outer.right
                }),
              }
            })
          await expect
            .poll(async () => [width, zoom, await look()])
            .toEqual([width, zoom, { sideways: 0, bodySideways: 0, isInside: true }])
        }
        await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
      }))
  })
}
