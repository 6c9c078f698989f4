import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import {
  atRest,
  openConversation,
  openedAtEnd,
  settled,
  stopClock,
  withNewPage,
  withPage,
} from './page'

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** What the window says and does in each state. */
export function behaviour(harness: () => Harness): void {
  describe('the composer', () => {
    it('keeps a draft over a reload, one for each conversation', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await message(page).fill('half a thought')
        await openConversation(page, 'event-bus-types')
        await expect.poll(() => message(page).inputValue()).toBe('')
        await page.reload()
        await openConversation(page, 'import-gap')
        await expect.poll(() => message(page).inputValue()).toBe('half a thought')
      }))

    it('does not send while an input method composes', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await message(page).fill('にほん')
        await message(page).evaluate((field) => {
          for (const more of [{ isComposing: true }, { keyCode: 229 }])
            field.dispatchEvent(
              new KeyboardEvent('keydown', {
                key: 'Enter',
                bubbles: true,
                cancelable: true,
                ...more,
              }),
            )
        })
        await settled(page)
        await expect.poll(() => message(page).inputValue()).toBe('にほん')
        await expect
          .poll(() => page.evaluate(() => window.home.api.calls.map(({ channel }) => channel)))
          .not.toContain('completion.start')
      }))

    it('gives the text back when it is refused, and says why', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await message(page).fill('Write this down.')
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await message(page).press('Enter')
        await page.getByRole('alert').getByText('The disk is full.').waitFor()
        await expect.poll(() => message(page).inputValue()).toBe('Write this down.')
        await message(page).press('Enter')
        await button(page, 'Stop').waitFor()
        await expect.poll(() => message(page).inputValue()).toBe('')
        await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      }))

    it('stops a run by its button and keeps what came', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await message(page).fill('Go on.')
        await message(page).press('Enter')
        await button(page, 'Stop').waitFor()
        await page.evaluate(() => window.home.delta('import-gap', 'A beginning'))
        await page.getByText('A beginning').waitFor()
        await button(page, 'Stop').click()
        await page.getByText('Stopped by you. The partial answer is kept.').waitFor()
        await expect.poll(() => page.getByText('A beginning').count()).toBe(1)
        await button(page, 'Continue').click()
        await expect
          .poll(() =>
            page.evaluate(() =>
              window.home.api.calls.findLast(({ channel }) => channel === 'completion.start'),
            ),
          )
          .toMatchObject({ args: { text: 'Continue exactly where you stopped.' } })
      }))

    it('offers to ask again after a stop before the first word', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await message(page).fill('Go on.')
        await message(page).press('Enter')
        await button(page, 'Stop').click()
        await page.getByText('No answer yet.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await button(page, 'Ask again').click()
        await expect
          .poll(() => page.evaluate(() => window.home.api.calls.map(({ channel }) => channel)))
          .toContain('completion.retry')
      }))

    it('takes a double click for one: it sends and does not stop, it stops and does not send', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const acts = () =>
          page.evaluate(() =>
            window.home.api.calls
              .map(({ channel }) => channel)
              .filter((channel) => channel.startsWith('completion.'))
              .filter((channel) => /start|cancel/.test(channel)),
          )
        const twice = async (name: string, other: string) => {
          const box = await button(page, name).boundingBox()
          const at = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10 }
          await page.mouse.click(at.x, at.y)
          await button(page, other).waitFor()
          await page.mouse.down({ clickCount: 2 })
          await page.mouse.up({ clickCount: 2 })
          await settled(page)
        }
        await message(page).fill('Go on.')
        await twice('Send', 'Stop')
        await expect.poll(() => acts()).toEqual(['completion.start'])
        await message(page).fill('What comes next')
        await twice('Stop', 'Send')
        await expect.poll(() => acts()).toEqual(['completion.start', 'completion.cancel'])
        await expect.poll(() => message(page).inputValue()).toBe('What comes next')
      }))

    it('shows Send as it is after a stop: disabled, though the pointer rests on it', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const colourOf = () =>
          button(page, 'Send').evaluate((element) => getComputedStyle(element).backgroundColor)
        const before = await colourOf()
        await message(page).fill('Go on.')
        await button(page, 'Send').click()
        await button(page, 'Stop').click()
        const send = button(page, 'Send')
        await send.waitFor()
        await send.hover({ force: true })
        await page.waitForFunction(() => document.querySelector('.button.primary:hover') !== null)
        await expect.poll(() => colourOf()).toBe(before)
      }))

    it('counts down to the next attempt, and offers to stop it', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await message(page).fill('Go on.')
        await message(page).press('Enter')
        await button(page, 'Stop').waitFor()
        await page.evaluate(() =>
          window.home.retrying(
            'import-gap',
            { kind: 'server', message: 'The provider answered 502', advice: '', attempts: 1 },
            60_000,
          ),
        )
        await page.getByText(/Trying again in \d+ s, attempt 2/).waitFor()
        await page.getByText('The provider answered 502; retrying.').waitFor()
        await expect.poll(() => button(page, 'Stop').isEnabled()).toBe(true)
      }))

    it('tells how long the first word is waited for, and the next one, and reads no second aloud', () =>
      withNewPage(harness(), { scenario: 'main' }, async (page) => {
        await message(page).fill('Go on.')
        await stopClock(page)
        await message(page).press('Enter')
        await button(page, 'Stop').waitFor()
        await page.clock.runFor(12_000)
        const waiting = page.getByRole('timer')
        await expect.poll(() => waiting.textContent()).toBe('Waiting for the first word, 12 s')
        await expect
          .poll(() => waiting.evaluate((element) => element.closest('[aria-live], [role=status]')))
          .toBe(null)
        await page.evaluate(() => window.home.delta('import-gap', 'The first'))
        await page.clock.runFor(4000)
        await page.getByText('Answering').waitFor()
        await page.clock.runFor(3000)
        await expect
          .poll(() => waiting.textContent())
          .toMatch(/^Waiting for the next word, [67] s$/)
        await button(page, 'Stop').click()
        await waiting.waitFor({ state: 'detached' })
      }))

    it('offers Settings and the practice model while no model can answer', () =>
      withPage(harness(), { scenario: 'no-model' }, async (page) => {
        await page.getByText('There is no key for openrouter.ai.').waitFor()
        await button(page, 'Use the practice model (no AI, works offline)').click()
        await page.getByText('Practice model: no AI').waitFor()
        await button(page, 'Send').waitFor()
      }))

    it('begins a conversation by writing: it asks for no name, and is called by its first words', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.getByRole('button', { name: 'New conversation' }).first().click()
        await expect
          .poll(() => message(page).evaluate((field) => document.activeElement === field))
          .toBe(true)
        await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).count()).toBe(0)
        await page.keyboard.type('When do I plant tulips?')
        await page.keyboard.press('Enter')
        const title = 'When do I plant tulips?'
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await page.getByRole('article', { name: /^You/ }).getByText(title).waitFor()
        await page
          .getByRole('option', { name: new RegExp(`^${title.replace('?', '\\?')}`) })
          .waitFor()
      }))
  })

  describe('a conversation', () => {
    it('that somebody else writes to can be read, not written', () =>
      withPage(harness(), { scenario: 'states' }, async (page) => {
        await openConversation(page, 'locked-out')
        await page.getByText('chibi (process 48213) is writing here.').waitFor()
        await expect.poll(() => message(page).isDisabled()).toBe(true)
        await expect
          .poll(() => message(page).getAttribute('placeholder'))
          .toMatch(/^Unlocks when its heartbeat is 45 s old; last beat \d+ s ago$/)
        await page.evaluate(() => window.home.lock('locked-out', { state: 'free' }))
        await page.getByText('is writing here.').waitFor({ state: 'detached' })
        await expect.poll(() => message(page).isEnabled()).toBe(true)
      }))

    it.each([
      ['gone', 'This conversation is missing from disk', 'no longer exists'],
      ['forbidden', 'This conversation cannot be read', 'permission denied'],
    ])('that is %s says so, with what can be done', (title, words, reason) =>
      withPage(harness(), { scenario: 'states' }, async (page) => {
        await openConversation(page, title)
        await page.getByRole('heading', { name: words }).waitFor()
        await page.getByRole('main').getByText(reason).waitFor()
        await expect.poll(() => button(page, 'Try again').count()).toBeGreaterThan(0)
        await expect.poll(() => message(page).count()).toBe(0)
      }),
    )

    it('without messages asks for the first one', () =>
      withPage(harness(), { scenario: 'states' }, async (page) => {
        await openConversation(page, 'nothing-yet')
        await page.getByText('No messages yet. Write the first one below.').waitFor()
      }))

    it('whose answer broke off offers to try again, once, at its end', () =>
      withPage(harness(), { scenario: 'states' }, async (page) => {
        await openConversation(page, 'broke-off')
        const error = page.getByRole('article', { name: /^Error: openrouter.ai closed the stream/ })
        await error.getByText('Tried 3 times.').waitFor()
        await error.getByRole('button', { name: 'Try again' }).click()
        await button(page, 'Stop').waitFor()
        await expect.poll(() => error.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      }))

    it('whose answer broke off offers to try again once its lock is free, however late that is told', () =>
      withPage(harness(), { scenario: 'states' }, async (page) => {
        await openConversation(page, 'broke-off')
        await message(page).fill('Go on.')
        await message(page).press('Enter')
        await button(page, 'Stop').waitFor()
        await page.evaluate(() => {
          const now = Date.now() / 1000
          const lock = { holder: 'Skein', beatAt: now, staleAt: now + 45 }
          window.home.lock('broke-off', { state: 'held', ...lock })
        })
        await page.getByText('Skein is writing here.').waitFor()
        await page.evaluate(() => {
          const words = { message: 'The key is wrong', advice: '' }
          window.home.fail('broke-off', { kind: 'bad-key', ...words, attempts: 1 })
        })
        const error = page.getByRole('article', { name: /^Error: The key is wrong/ })
        await error.waitFor()
        await button(page, 'Stop').waitFor({ state: 'detached' })
        await expect.poll(() => error.getByRole('button', { name: 'Try again' }).count()).toBe(0)
        await page.evaluate(() => window.home.lock('broke-off', { state: 'free' }))
        await error.getByRole('button', { name: 'Try again' }).waitFor()
      }))

    it('shows every kind of entry, with what is not whole about it', () =>
      withPage(harness(), { scenario: 'states' }, async (page) => {
        await openConversation(page, 'odd-entries')
        for (const words of [
          'weather_report',
          'Found it: see notes/moon.txt',
          'The system prompt changed',
          'Skein closed during this answer.',
          'recovered from a damaged line',
          'some bytes are not text',
          'no result yet',
          'Line 14 is not finished',
        ])
          await page.getByRole('feed').getByText(words).first().waitFor()
      }))

    it('that takes long shows its final layout, then how much is read', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate(() => window.home.hold())
        await page.getByRole('option', { name: /^event-bus-types/ }).click()
        await page.getByRole('status', { name: 'Reading the conversation' }).waitFor()
        await page.getByText('40 KB, read from its end').waitFor()
        await button(page, 'Cancel').click()
        await page.getByText('Nothing is open', { exact: true }).waitFor()
      }))
  })

  describe('the library', () => {
    it('follows what main tells: new, changed and gone conversations', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('option', { name: /^broken-kettle/ }).waitFor()
        await page.evaluate(() => {
          const known = window.home.contexts.get('retry-budget')?.summary
          if (known === undefined) throw new Error('no such conversation')
          window.home.changeLibrary({
            conversations: [{ ...known, running: true, updated: new Date().toISOString() }],
            gone: ['broken-kettle'],
          })
        })
        await page.getByRole('option', { name: /^broken-kettle/ }).waitFor({ state: 'detached' })
        await page.getByRole('option', { name: /^retry-budget live/ }).waitFor()
        await page.getByText('25 conversations').first().waitFor()
      }))

    it('says what its rows are: live, locked, damaged, unreadable', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        for (const name of [
          /^flaky-upload-test live/,
          /^cli-flags-to-subcommands locked by chibi/,
          /^image-cache-out-of-the-repo 1 damaged line/,
          /^interview-questions cannot be read: permission denied/,
        ])
          await page.getByRole('option', { name }).waitFor()
      }))
  })

  describe('a hostile text', () => {
    it('is text: nothing of it runs, loads or takes another place', () =>
      withPage(harness(), { scenario: 'hostile' }, async (page) => {
        const foreign: string[] = []
        page.on('request', (request) => {
          if (!request.url().startsWith(harness().urlOf({}).slice(0, 21)))
            foreign.push(request.url())
        })
        await openedAtEnd(page)
        await page.getByRole('feed').press('Home')
        await page.getByRole('feed').evaluate((feed) => feed.scrollTo(0, 0))
        await page.getByText('<img src=x onerror="window.hacked=1">').waitFor()
        await page.getByText('<iframe src=').waitFor()
        await page.getByText('(javascript:window.hacked=1)').waitFor()
        await page.getByText('A ⟨U+202E⟩right-to-left⟨U+202C⟩ override').waitFor()
        const bad = page.getByRole('feed').locator('script, iframe, img, [onerror]')
        await expect.poll(() => bad.count()).toBe(0)
        await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
        expect(foreign).toEqual([])
        await page.getByRole('link', { name: 'fine' }).click()
        const opened = () =>
          page.evaluate(() =>
            window.home.api.calls
              .filter(({ channel }) => channel === 'app.openLink')
              .map(({ args }) => args),
          )
        await expect.poll(opened).toEqual([{ url: 'https://example.org/a?b=c' }])
      }))

    it('of a megabyte or of 10,000 lines is cut, and shown whole on demand', () =>
      withPage(harness(), { scenario: 'hostile' }, async (page) => {
        await openedAtEnd(page)
        await page.getByRole('feed').press('End')
        await page.getByRole('button', { name: /^run/ }).click()
        const result = page.getByRole('region', { name: 'Result' })
        await expect.poll(() => result.getByText('10000 <i>output</i>').count()).toBe(0)
        await result.getByRole('button', { name: 'Show 150,000 more characters' }).click()
        await result.getByRole('button', { name: 'Show all 10,000 lines' }).click()
        await result.getByText('10000 <i>output</i>').waitFor({ state: 'attached' })
        await expect.poll(() => page.getByRole('article').count()).toBeLessThan(40)
      }))
  })

  describe('the settings', () => {
    it('keep a key only with consent where the keychain is weak, and never show it', () =>
      withPage(harness(), { scenario: 'faults' }, async (page) => {
        await button(page, 'Settings').click()
        await button(page, 'Enter a key…').click()
        const field = page.getByLabel('New key')
        await field.fill('sk-or-a-very-secret-key-7f3c')
        await button(page, 'Save').click()
        await button(page, 'Save anyway').click()
        await page.getByText('sk-or-…7f3c').first().waitFor()
        await expect.poll(() => page.content()).not.toContain('very-secret')
        await page.getByText('config.toml:18').first().waitFor()
      }))

    it('ask about a weak keychain as long as that key is entered, and keep the focus', () =>
      withPage(harness(), { scenario: 'faults' }, async (page) => {
        const anyway = page.getByRole('button', { name: 'Save anyway' })
        const focused = (name: string) =>
          page.waitForFunction((words) => document.activeElement?.textContent === words, name)
        await button(page, 'Settings').click()
        await button(page, 'Enter a key…').click()
        const field = page.getByLabel('New key')
        await field.fill('sk-or-a-mistyped-secret-key-0000')
        await field.press('Enter')
        await anyway.waitFor()
        await field.press('x')
        await anyway.waitFor({ state: 'detached' })
        await field.press('Enter')
        await anyway.waitFor()
        await field.press('Escape')
        await anyway.waitFor({ state: 'detached' })
        await focused('Enter a key…')
        await page.keyboard.press('Enter')
        await field.fill('sk-or-a-very-secret-key-7f3c')
        await field.press('Enter')
        await anyway.click()
        await focused('Replace…')
        await page.getByText('sk-or-…7f3c').first().waitFor()
        await page.keyboard.press('Tab')
        await focused('Remove')
        await page.keyboard.press('Enter')
        await focused('Enter a key…')
      }))

    it('change the look at once', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await button(page, 'Settings').click()
        await button(page, 'Appearance').click()
        await page.getByRole('radio', { name: 'Dark' }).click()
        await page.locator('html[data-theme="dark"]').waitFor()
        await page.getByRole('radio', { name: 'Compact' }).click()
        await page.locator('html[data-density="compact"]').waitFor()
        await button(page, 'Larger text').click()
        await page.getByText('110 %').waitFor()
        await page.emulateMedia({ forcedColors: 'active' })
        const outline = (name: string) =>
          button(page, name).evaluate((link) => getComputedStyle(link).outlineStyle)
        expect([await outline('Appearance'), await outline('Storage')]).toEqual(['solid', 'none'])
        await expect
          .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
          .toBe('17.6px')
      }))
  })

  describe('a narrow window', () => {
    it('lays the library over the transcript, and takes it away with Esc', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.setViewportSize({ width: 800, height: 700 })
        await page.getByRole('region', { name: 'Library' }).waitFor({ state: 'detached' })
        await button(page, 'Show library').click()
        await page.getByRole('listbox', { name: 'Conversations' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('region', { name: 'Library' }).waitFor({ state: 'detached' })
      }))
  })

  describe('the border of a pane', () => {
    it('is dragged between 240 and 480, and a double click gives the usual width back', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const library = page.getByRole('region', { name: 'Library' })
        await library.waitFor()
        const width = async () => Math.round((await library.boundingBox())?.width ?? 0)
        await expect.poll(() => width()).toBe(320)
        const drag = async (to: number) => {
          const box = await atRest(page, () => page.locator('.pane-border').first().boundingBox())
          await page.mouse.move((box?.x ?? 0) + 0.5, 450)
          await page.mouse.down()
          await page.mouse.move(to, 450, { steps: 4 })
          await page.mouse.up()
        }
        await drag(400)
        await expect.poll(() => width()).toBe(400)
        await page.reload()
        await library.waitFor()
        await expect.poll(() => width()).toBe(400)
        await drag(900)
        await expect.poll(() => width()).toBe(480)
        await page.locator('.pane-border').first().dblclick()
        await expect.poll(() => width()).toBe(320)
      }))
  })
}
