import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { channels } from '../../src/shared/ipc/channels'
import type { Transport } from '../../src/shared/ipc/contract'
import { allThemes, faultsInThemes } from '../renderer/browser/accessible'
import { tempFolders } from '../support/temp-folder'
import { activeEntries, createPerson, launchSkein, type Person, type Skein } from './support/app'
import { beginStream, callTool, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

const temp = tempFolders()
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const target = (page: Page) => page.getByRole('combobox', { name: 'Goes to' })
const pageName = 'quick.html'

const isVisible = ({ app }: Skein) =>
  app.evaluate(
    ({ BrowserWindow }, name) =>
      BrowserWindow.getAllWindows().some(
        (window) => window.webContents.getURL().includes(name) && window.isVisible(),
      ),
    pageName,
  )

/** Asks for the quick entry by its link, as the system does while Skein runs. */
const ask = ({ app }: Skein) =>
  app.evaluate(({ app: electron }) => {
    electron.emit('second-instance', {}, ['skein', 'skein://new'], '')
  })

/** Opens the quick entry, and waits until the words in it can be told. */
async function openQuick(skein: Skein): Promise<Page> {
  const { app } = skein
  const isQuick = (page: Page) => page.url().includes(pageName)
  await ask(skein)
  await expect.poll(() => app.windows().some(isQuick)).toBe(true)
  const page = app.windows().find(isQuick)
  if (page === undefined) throw new Error('the quick entry is gone')
  await field(page).and(page.locator(':focus')).waitFor()
  await target(page).locator('option').first().waitFor({ state: 'attached' })
  return page
}

/** Presses Ctrl+N and Ctrl+W in the quick entry as the system hands them over, which the menu of a window hears as well. */
const pressMenuKeys = ({ app }: Skein) =>
  app.evaluate(({ BrowserWindow }, name) => {
    const all = BrowserWindow.getAllWindows()
    const quick = all.find(({ webContents }) => webContents.getURL().includes(name))
    for (const keyCode of ['N', 'W'])
      for (const type of ['keyDown', 'keyUp'] as const)
        quick?.webContents.sendInputEvent({ type, keyCode, modifiers: ['control'] })
  }, pageName)

async function goOnIn(quick: Page, title: string): Promise<void> {
  await target(quick).selectOption({ label: `Go on in “${title}”` })
}

const contentsOf = (home: string, context: string) =>
  activeEntries(home, context).map(({ content }) => content)

/** How often a person said something, in all conversations of a home. */
const timesSaid = (home: string, text: string) =>
  fs
    .readdirSync(path.join(home, 'contexts'))
    .filter((name) => fs.statSync(path.join(home, 'contexts', name)).isDirectory())
    .flatMap((name) => contentsOf(home, name))
    .filter((content) => content === text).length

/** The drafts that are on the disk, of all homes. */
function draftsOf({ folder }: Person): string[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => path.basename(name) === 'quick-entry.json')
    .map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')).text)
}

async function kill({ app }: Skein): Promise<void> {
  const child = app.process()
  const dead = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await dead
}

const notedBy = () =>
  endpoint(async (response) => {
    beginStream(response)
    sendText(response, 'Noted.')
    endStream(response)
  })

it('a message of the quick entry begins a conversation or goes on with the open one, and its draft outlasts hiding and a restart', async () => {
  const home = homeWith({ baseUrl: await notedBy(), contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const first = await launchSkein({ home, person })
  const { conversation, transcript, message } = partsOf(first.page)
  await conversation('garden').click()
  await expect.poll(() => first.page.title()).toContain('garden')
  await first.page.keyboard.press('Control+n')
  await expect.poll(() => first.page.title()).not.toContain('garden')
  await message.fill('Half a question')
  await conversation('garden').click()
  await expect.poll(() => first.page.title()).toContain('garden')
  const quick = await openQuick(first)
  await quick.getByText('practice').waitFor()
  expect(await faultsInThemes(quick, allThemes)).toEqual([])

  await field(quick).fill('Tulips need lime')
  await quick.keyboard.press('Escape')
  await expect.poll(() => isVisible(first)).toBe(false)
  await openQuick(first)
  await expect.poll(() => field(quick).inputValue()).toBe('Tulips need lime')
  await goOnIn(quick, 'garden')
  await field(quick).press('Enter')
  await transcript.getByText('Tulips need lime').waitFor()
  await expect
    .poll(() => contentsOf(home, 'garden'))
    .toEqual(['Question number 0', 'Answer number 1', 'Tulips need lime', 'Noted.'])
  await expect.poll(() => isVisible(first)).toBe(false)

  // What is half written in the window stays there, and does not go with it.
  await openQuick(first)
  await field(quick).fill('Buy seeds')
  await target(quick).selectOption({ label: 'New conversation' })
  await field(quick).press('Enter')
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

it('a message is sent once: with a held Enter, a held queue, an app window that reloads or crashes, and kill -9', async () => {
  let isSlow = true
  const baseUrl = await endpoint(async (response) => {
    beginStream(response)
    sendText(response, isSlow ? 'Begun.' : 'Noted.')
    if (!isSlow) endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const first = await launchSkein({ home, person })
  const { page } = first
  const { conversation, transcript, message, stop } = partsOf(page)
  await conversation('garden').click()
  await say(page, 'Tell me')
  await transcript.getByText('Begun.').waitFor()
  await message.fill('And later')
  await message.press('Enter')
  const queue = page.getByRole('region', { name: 'Queued messages' })
  await queue.getByText('And later', { exact: true }).waitFor()
  const quick = await openQuick(first)
  await goOnIn(quick, 'garden')

  // While an answer comes the words stay, with the reason.
  await field(quick).fill('Tulips')
  await field(quick).press('Enter')
  await quick.getByRole('alert').getByText('An answer is being written in "garden".').waitFor()
  await expect.poll(() => field(quick).inputValue()).toBe('Tulips')
  await stop.click()
  await queue.getByText('Not sent: the answer was stopped.').waitFor()
  isSlow = false
  await field(quick).focus()
  for (let n = 0; n < 4; n++) await quick.keyboard.down('Enter')
  await quick.keyboard.up('Enter')
  await transcript.getByText('Noted.').waitFor()
  await expect.poll(() => isVisible(first)).toBe(false)
  // The queue is held as before, and has its own message alone.
  await queue.getByText('Not sent: the answer was stopped.').waitFor()
  await queue.getByText('And later', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect
    .poll(() => contentsOf(home, 'garden').slice(3))
    .toEqual(['Begun.', 'Tulips', 'Noted.', 'And later', 'Noted.'])

  // The page of the app window is on its way when the message is.
  await openQuick(first)
  await target(quick).selectOption({ label: 'New conversation' })
  await field(quick).fill('Roses')
  await Promise.all([page.reload(), field(quick).press('Enter')])
  await expect.poll(() => timesSaid(home, 'Roses')).toBe(1)
  await expect.poll(() => draftsOf(person)).toEqual([''])
  await expect.poll(() => isVisible(first)).toBe(false)
  await first.app.evaluate(({ BrowserWindow }) => {
    for (const { webContents } of BrowserWindow.getAllWindows())
      if (webContents.getURL().includes('index.html')) webContents.forcefullyCrashRenderer()
  })
  await ask(first)
  await expect.poll(() => isVisible(first)).toBe(true)
  await field(quick).fill('Lilies')
  await field(quick).press('Enter')
  await expect.poll(() => timesSaid(home, 'Lilies')).toBe(1)
  await expect.poll(() => draftsOf(person)).toEqual([''])
  await expect.poll(() => isVisible(first)).toBe(false)

  // Words are on the disk when a person pauses.
  await ask(first)
  await expect.poll(() => isVisible(first)).toBe(true)
  await field(quick).fill('Ferns')
  await expect.poll(() => draftsOf(person)).toEqual(['Ferns'])
  await kill(first)
  const second = await launchSkein({ home, person })
  await partsOf(second.page).conversation('garden').waitFor()
  const again = await openQuick(second)
  await expect.poll(() => field(again).inputValue()).toBe('Ferns')
  // Wherever the kill comes: in the draft, or in a conversation.
  await Promise.allSettled([field(again).press('Enter'), kill(second)])
  const third = await launchSkein({ home, person })
  await partsOf(third.page).conversation('garden').waitFor()
  const last = await openQuick(third)
  const times = timesSaid(home, 'Ferns')
  expect(times).toBeLessThan(2)
  await expect.poll(() => field(last).inputValue()).toBe(times === 1 ? '' : 'Ferns')
  for (const text of ['Tulips', 'And later', 'Roses', 'Lilies'])
    expect(timesSaid(home, text)).toBe(1)
})

it('the quick entry may call its own part of the contract alone, and the window none of that, whatever address a page gives itself', async () => {
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
  const ofWindow = calls.filter((name) => !isQuick(name))
  const ofQuick = calls.filter(isQuick)
  expect(ofQuick).toHaveLength(4)
  const goTo = (page: Page, address: string) =>
    page.evaluate((to) => history.pushState(null, '', to), address)
  expect(await answeredOf(quick, ofWindow)).toEqual([])
  expect(await answeredOf(skein.page, ofQuick)).toEqual([])
  // With the other's address a page gets nothing more.
  await goTo(quick, '/index.html')
  expect(await answeredOf(quick, ofWindow)).toEqual([])
  await goTo(quick, '/quick.html')
  await goTo(skein.page, '/quick.html')
  expect(await answeredOf(skein.page, ofQuick)).toEqual([])
  await goTo(skein.page, '/index.html')

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

  // Its session has no other page, and a window that went elsewhere is made anew.
  await goTo(quick, '/index.html')
  await quick.reload()
  await quick.getByText('not found', { exact: true }).waitFor()
  const fresh = await openQuick(skein)
  expect(fresh === quick).toBe(false)
})

it('what is typed without a pause is kept, and neither closing its window nor a key of the menu loses a word or acts on the window behind', async () => {
  const skein = await launchSkein({ home: homeWith({ contexts: { garden: smallTalk('garden') } }) })
  await partsOf(skein.page).conversation('garden').click()
  await expect.poll(() => skein.page.title()).toContain('garden')
  const quick = await openQuick(skein)
  const hasWords = () => draftsOf(skein.person).some((text) => text !== '')
  const type = async () => {
    await field(quick).press('x')
    return hasWords()
  }
  await expect.poll(type, { interval: 20 }).toBe(true)

  await field(quick).fill('Tulips ')
  for (const key of ['Control+a', 'Control+c', 'ArrowRight', 'Control+v'])
    await quick.keyboard.press(key)
  await expect.poll(() => field(quick).inputValue()).toBe('Tulips Tulips ')
  // The menu is set again when a key changes, for the windows that there are.
  await skein.page.evaluate(() => {
    const { api } = globalThis as unknown as { readonly api: Transport }
    return api.invoke('settings.setPreferences', { keys: { map: ['F9'] } })
  })
  await pressMenuKeys(skein)
  await field(quick).pressSequentially('need lime')
  await skein.app.evaluate(({ BrowserWindow }, name) => {
    const all = BrowserWindow.getAllWindows()
    all.find(({ webContents }) => webContents.getURL().includes(name))?.close()
  }, pageName)
  await expect.poll(() => isVisible(skein)).toBe(false)
  expect(draftsOf(skein.person)).toEqual(['Tulips Tulips need lime'])
  expect(skein.app.windows()).toHaveLength(2)
  await expect.poll(() => skein.page.title()).toContain('garden')
  await openQuick(skein)
  await expect.poll(() => field(quick).inputValue()).toBe('Tulips Tulips need lime')
})

it('typing before the kept draft has come loses neither, a crashed page is made anew, and each home has its own draft', async () => {
  const home = homeWith({ baseUrl: await notedBy(), contexts: { garden: smallTalk('garden') } })
  const skein = await launchSkein({ home })
  await partsOf(skein.page).conversation('garden').click()
  await expect.poll(() => skein.page.title()).toContain('garden')
  const quick = await openQuick(skein)
  await field(quick).fill('Tulips')
  await expect.poll(() => draftsOf(skein.person)).toEqual(['Tulips'])
  const crash = () =>
    skein.app.evaluate(({ BrowserWindow }, name) => {
      const all = BrowserWindow.getAllWindows()
      all
        .find(({ webContents }) => webContents.getURL().includes(name))
        ?.webContents.forcefullyCrashRenderer()
    }, pageName)
  await crash()
  await expect.poll(() => skein.app.windows().length).toBe(1)

  // The draft comes when it is let go.
  await skein.app.evaluate(({ app, ipcMain }) => {
    type Handler = (...all: unknown[]) => unknown
    const { _invokeHandlers: handlers } = ipcMain as unknown as {
      readonly _invokeHandlers: Map<string, Handler>
    }
    const view = handlers.get('quick.view')
    let isLetGo = false
    const held = new Promise<void>((resolve) => {
      const letGo = () => {
        isLetGo = true
        resolve()
      }
      Object.assign(globalThis, { letGo })
    })
    // What main tells by itself would come before it.
    app.once('web-contents-created', (_event, contents) => {
      const send = contents.send.bind(contents)
      contents.send = (channel, ...all) => {
        if (channel !== 'quick.shown' || isLetGo) send(channel, ...all)
      }
    })
    handlers.set('quick.view', async (...all) => {
      await held
      return view?.(...all)
    })
  })
  await ask(skein)
  await expect.poll(() => skein.app.windows().length).toBe(2)
  const second = skein.app.windows().find((page) => page.url().includes(pageName))
  if (second === undefined) throw new Error('the quick entry is gone')
  await field(second).pressSequentially('and lime')
  await skein.app.evaluate(() => (globalThis as unknown as { letGo: () => void }).letGo())
  await expect.poll(() => field(second).inputValue()).toBe('Tulips\n\nand lime')
  await expect.poll(() => draftsOf(skein.person)).toEqual(['Tulips\n\nand lime'])

  await goOnIn(second, 'garden')
  // Keys that are pressed while the draft of the home before is kept are that one's.
  await second.evaluate(() => {
    const { api } = window as unknown as { readonly api: Transport }
    const shown = { count: 0 }
    api.on('quick.shown', () => shown.count++)
    Object.assign(window, { shown })
  })
  await skein.app.evaluate(({ ipcMain }) => {
    type Handler = (...all: unknown[]) => unknown
    const { _invokeHandlers: handlers } = ipcMain as unknown as {
      readonly _invokeHandlers: Map<string, Handler>
    }
    const keep = handlers.get('quick.keep')
    const held = new Promise<void>((resolve) => Object.assign(globalThis, { letKeep: resolve }))
    handlers.set('quick.keep', async (...all) => {
      await held
      return keep?.(...all)
    })
  })
  await field(second).pressSequentially(' now')
  await skein.page
    .evaluate(() => {
      const { api } = globalThis as unknown as { readonly api: Transport }
      return api.invoke('app.openHome', { type: 'sample' }).then(() => undefined)
    })
    .catch(() => undefined) // Its window closes.
  const isOther = (page: Page) => page !== skein.page && page.url().includes('index.html')
  await expect.poll(() => skein.app.windows().some(isOther)).toBe(true)
  const other = skein.app.windows().find(isOther)
  if (other === undefined) throw new Error('the window is gone')
  await partsOf(other).library.getByRole('option').first().waitFor()
  await expect
    .poll(() =>
      second.evaluate(() => (window as unknown as { shown: { count: number } }).shown.count),
    )
    .toBeGreaterThan(0)
  await field(second).evaluate((element) => {
    if (element instanceof HTMLTextAreaElement) element.value += ' and then'
  })
  await skein.app.evaluate(() => (globalThis as unknown as { letKeep: () => void }).letKeep())
  await expect.poll(() => field(second).inputValue()).toBe('')
  await expect.poll(() => target(second).inputValue()).toBe('')
  const first = 'Tulips\n\nand lime now and then'
  expect(draftsOf(skein.person).filter((text) => text !== '')).toEqual([first])
  await field(second).fill('For the sample')
  await expect.poll(() => draftsOf(skein.person).sort()).toEqual(['For the sample', first])
})

it('the quick entry is no app window: a notification comes while it is in front', async () => {
  const place = temp()
  const baseUrl = await endpoint((response, { messages }) => {
    beginStream(response)
    if (messages.at(-1)?.role !== 'tool')
      return callTool(response, 'write_file', { path: path.join(place, 'plan.md'), content: 'x' })
    sendText(response, 'Done.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  fs.appendFileSync(
    path.join(home, 'config.toml'),
    `file_tools_allowed_paths = [${JSON.stringify(place)}]\n`,
  )
  const skein = await launchSkein({ home })
  await partsOf(skein.page).conversation('garden').click()
  await expect.poll(() => skein.page.title()).toContain('garden')
  await openQuick(skein)
  await skein.app.evaluate(({ BrowserWindow, Notification }, name) => {
    const all: string[] = []
    Object.assign(globalThis, { notices: all })
    Object.assign(Notification, { isSupported: () => true })
    Notification.prototype.show = function show() {
      all.push(this.body)
    }
    const quick = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().includes(name),
    )
    BrowserWindow.getFocusedWindow = () => quick ?? null
  }, pageName)
  await say(skein.page, 'Write the plan.')
  await skein.page.getByRole('region', { name: 'Approval' }).waitFor()
  await expect
    .poll(() => skein.app.evaluate(() => (globalThis as unknown as { notices: string[] }).notices))
    .toEqual(['A tool waits for your approval.'])
})

it('the key of the quick entry is off until it is set, and a key that another program has is told and tried again', async () => {
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
  const told = two.page.getByText('Another program has this key.')
  await told.waitFor()
  // The other one gives it back, and the key is tried again by a person.
  const giveBack = () => one.app.evaluate(({ globalShortcut }) => globalShortcut.unregisterAll())
  await giveBack()
  await two.page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => isTaken(two)).toBe(true)
  await expect.poll(() => told.count()).toBe(0)

  await row(two.page).getByRole('button', { name: 'Turn off' }).click()
  await row(two.page).getByText('off').waitFor()
  await expect.poll(() => isTaken(two)).toBe(false)
  await one.app.evaluate(
    ({ globalShortcut }, key) => void globalShortcut.register(key, () => undefined),
    keys,
  )
  await two.page.getByRole('button', { name: 'Undo' }).click()
  await told.waitFor()
  // It is tried again whenever Settings opens.
  await giveBack()
  await two.page.keyboard.press('Escape')
  await two.page.keyboard.press('Control+,')
  await expect.poll(() => isTaken(two)).toBe(true)

  // A quick entry that opens while the window closes does not keep the program open.
  const ended = new Promise((resolve) => two.app.process().once('exit', resolve))
  await two.app
    .evaluate(({ app, BrowserWindow }) => {
      app.emit('second-instance', {}, ['skein', 'skein://new'], '')
      for (const window of BrowserWindow.getAllWindows()) window.close()
    })
    .catch(() => undefined) // It ends.
  await ended
})
