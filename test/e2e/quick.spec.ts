import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { channels } from '../../src/shared/ipc/channels'
import type { Transport } from '../../src/shared/ipc/contract'
import { allThemes, faultsInThemes } from '../renderer/browser/accessible'
import { activeEntries, createPerson, launchSkein, type Skein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const target = (page: Page) => page.getByRole('combobox', { name: 'Goes to' })

const isVisible = ({ app }: Skein) =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => window.webContents.getURL().includes('quick.html') && window.isVisible(),
    ),
  )

/** Opens the quick entry by its link, as the system does while Skein runs. */
async function openQuick(skein: Skein): Promise<Page> {
  const { app } = skein
  const isQuick = (page: Page) => page.url().includes('quick.html')
  await app.evaluate(({ app: electron }) => {
    electron.emit('second-instance', {}, ['skein', 'skein://new'], '')
  })
  await expect.poll(() => app.windows().some(isQuick)).toBe(true)
  const page = app.windows().find(isQuick)
  if (page === undefined) throw new Error('the quick entry is gone')
  await field(page).and(page.locator(':focus')).waitFor()
  return page
}

it('a message of the quick entry begins a conversation or goes on with the open one, and its draft outlasts hiding and a restart', async () => {
  const baseUrl = await endpoint(async (response) => {
    beginStream(response)
    sendText(response, 'Noted.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const first = await launchSkein({ home, person })
  await partsOf(first.page).conversation('garden').click()
  await expect.poll(() => first.page.title()).toContain('garden')
  const quick = await openQuick(first)
  await quick.getByText('practice').waitFor()
  expect(await faultsInThemes(quick, allThemes)).toEqual([])

  await field(quick).fill('Tulips need lime')
  await quick.keyboard.press('Escape')
  await expect.poll(() => isVisible(first)).toBe(false)
  await openQuick(first)
  await expect.poll(() => field(quick).inputValue()).toBe('Tulips need lime')
  await target(quick).selectOption({ label: 'Go on in “garden”' })
  await field(quick).press('Enter')
  await partsOf(first.page).transcript.getByText('Tulips need lime').waitFor()
  await expect
    .poll(() => activeEntries(home, 'garden').map(({ content }) => content))
    .toEqual(['Question number 0', 'Answer number 1', 'Tulips need lime', 'Noted.'])
  await expect.poll(() => isVisible(first)).toBe(false)

  // What is half written in the window stays there, and does not go with it.
  await first.page.keyboard.press('Control+n')
  await partsOf(first.page).message.fill('Half a question')
  await openQuick(first)
  await field(quick).fill('Buy seeds')
  await target(quick).selectOption({ label: 'New conversation' })
  await field(quick).press('Enter')
  const { transcript, message } = partsOf(first.page)
  await transcript.getByText('Buy seeds').waitFor()
  await transcript.getByText('Noted.').waitFor()
  await first.page.keyboard.press('Control+n')
  await expect.poll(() => message.inputValue()).toBe('Half a question')

  await openQuick(first)
  await field(quick).fill('For tomorrow')
  await quick.keyboard.press('Escape')
  await expect.poll(() => isVisible(first)).toBe(false)
  await first.close()
  expect(first.problems).toEqual([])

  const second = await launchSkein({ home, person })
  await partsOf(second.page).conversation('garden').waitFor()
  const again = await openQuick(second)
  await expect.poll(() => field(again).inputValue()).toBe('For tomorrow')
  // Its window does not keep the program open.
  const ended = new Promise((resolve) => second.app.process().once('exit', resolve))
  await second.page.close()
  await ended
})

it('the quick entry may call its own part of the contract alone, and the window none of that', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const skein = await launchSkein({ home })
  await partsOf(skein.page).conversation('garden').waitFor()
  const quick = await openQuick(skein)
  const answeredOf = (page: Page, names: readonly string[]) =>
    page.evaluate(async (all) => {
      const { api } = window as unknown as { readonly api: Transport }
      const answers = await Promise.all(
        all.map(async (name) => {
          const envelope = await api.invoke(name, undefined).catch(() => undefined)
          const isRefused =
            envelope?.ok === false && envelope.error.message === 'This page may not call Skein.'
          return isRefused ? [] : [name]
        }),
      )
      return answers.flat()
    }, names)
  const isQuick = (name: string) => name.startsWith('quick.')
  const calls = channels('call')
  await expect
    .poll(() =>
      answeredOf(
        quick,
        calls.filter((name) => !isQuick(name)),
      ),
    )
    .toEqual([])
  await expect.poll(() => answeredOf(skein.page, calls.filter(isQuick))).toEqual([])
  // Nor does it hear what main tells the window.
  await quick.evaluate(
    (names) => {
      const { api } = window as unknown as { readonly api: Transport }
      const counter = { count: 0 }
      for (const name of names) api.on(name, () => counter.count++)
      Object.assign(window, { counter })
    },
    channels('event').filter((name) => !isQuick(name)),
  )
  await skein.page.keyboard.press('Control+,')
  await skein.page.getByRole('button', { name: 'Appearance' }).click()
  await skein.page.getByRole('radio', { name: 'Dark' }).click()
  await expect
    .poll(() => skein.page.evaluate(() => document.documentElement.dataset.theme))
    .toBe('dark')
  await openQuick(skein)
  await expect.poll(() => quick.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  await expect
    .poll(() =>
      quick.evaluate(() => (window as unknown as { counter: { count: number } }).counter.count),
    )
    .toBe(0)
})

it('the key of the quick entry is off until it is set, and a key that another program has is said', async () => {
  const person = createPerson()
  const homes = ['one', 'two'].map((name) => homeWith({ contexts: { [name]: smallTalk(name) } }))
  const one = await launchSkein({ person, home: homes[0] ?? '' })
  const keys = 'CmdOrCtrl+Alt+Shift+F9'
  const isTaken = ({ app }: Skein) =>
    app.evaluate(({ globalShortcut }, key) => globalShortcut.isRegistered(key), keys)
  await partsOf(one.page).conversation('one').waitFor()
  await expect.poll(() => isTaken(one)).toBe(false)
  await one.page.keyboard.press('Control+,')
  await one.page.getByRole('button', { name: 'Keyboard' }).click()
  const row = (page: Page) => page.getByRole('group', { name: /^Quick entry/ })
  await row(one.page).getByText('off').waitFor()
  await row(one.page)
    .getByRole('button', { name: /^Change the keys/ })
    .click()
  const recorder = one.page.getByRole('textbox', { name: /^New keys of Quick entry/ })
  await recorder.press('Control+y')
  await one.page
    .getByText('Ctrl+Y would be missing in other programs: two of Ctrl, Alt and Shift are needed.')
    .waitFor()
  await recorder.press('Control+Alt+Shift+F9')
  await row(one.page).getByText('Control Alt Shift F9').waitFor()
  await expect.poll(() => isTaken(one)).toBe(true)

  const two = await launchSkein({ person, home: homes[1] ?? '' })
  await partsOf(two.page).conversation('two').waitFor()
  await two.page.keyboard.press('Control+,')
  await two.page.getByRole('button', { name: 'Keyboard' }).click()
  await two.page.getByText('Another program has this key.').waitFor()
  await row(one.page).getByRole('button', { name: 'Turn off' }).click()
  await row(one.page).getByText('off').waitFor()
  await expect.poll(() => isTaken(one)).toBe(false)
})
