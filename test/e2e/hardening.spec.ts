import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Envelope, Transport } from '../../src/shared/ipc/contract'
import { launchSkein, type Skein } from './support/app'
import { partsOf } from './support/scenes'

// What a page may do that runs foreign words after all: nothing. docs/security.md says which line of Electron's list
// each of these stands for.

/** What comes of each of some attempts in the page: its value, or the name of its error. */
async function attempts(page: Page): Promise<Readonly<Record<string, unknown>>> {
  return page.evaluate(async () => {
    const found: Record<string, unknown> = {}
    const attempt = async (name: string, act: () => unknown) => {
      // Who drives the page may compile texts while the driver's own call is on the stack.
      await new Promise((resolve) => requestAnimationFrame(resolve))
      try {
        found[name] = await act()
      } catch (error) {
        found[name] = error instanceof Error ? error.name : String(error)
      }
    }
    const marks = window as unknown as Record<string, unknown>
    const elementWith = (name: string, text: string) => {
      const element = document.createElement(name)
      element.append(document.createTextNode(text))
      document.body.append(element)
      return element
    }
    await attempt('a script element', () => {
      try {
        elementWith('script', 'window.ranInline = true').remove()
      } catch {
        // It is refused before it is run, or as it is.
      }
      return marks.ranInline ?? 'did not run'
    })
    // biome-ignore lint/security/noGlobalEval: it is what is tried
    await attempt('eval', () => window.eval('1 + 1'))
    await attempt('a function of a text', () => new Function('return 2')())
    await attempt('HTML of a text', () => {
      document.createElement('div').innerHTML = '<b>bold</b>'
      return 'taken'
    })
    await attempt('a document of a text', () =>
      String(new DOMParser().parseFromString('<b>', 'text/html').body.innerHTML),
    )
    await attempt('a worker of a text', () => {
      new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))
      return 'started'
    })
    await attempt('a worker of another address', () => {
      new Worker('https://evil.example/worker.js')
      return 'started'
    })
    await attempt('another policy', () => {
      const { trustedTypes } = window as unknown as {
        readonly trustedTypes: { createPolicy(name: string, rules: object): unknown }
      }
      trustedTypes.createPolicy('mine', { createHTML: (text: string) => text })
      return 'made'
    })
    await attempt('a style element', () => {
      const element = elementWith('style', 'body { outline: 3px solid red }')
      const { outlineStyle } = getComputedStyle(document.body)
      element.remove()
      return outlineStyle
    })
    await attempt('a style attribute', () => {
      const element = document.createElement('p')
      element.setAttribute('style', 'display: flex')
      document.body.append(element)
      const { display } = getComputedStyle(element)
      element.remove()
      return display
    })
    await attempt('a style that a script sets', () => {
      const element = document.createElement('p')
      element.style.display = 'flex'
      document.body.append(element)
      const { display } = getComputedStyle(element)
      element.remove()
      return display
    })
    await attempt('the network', async () => (await fetch('https://evil.example/')).status)
    await attempt('a server of this machine', async () => (await fetch('http://127.0.0.1/')).status)
    await attempt('a frame', async () => {
      const frame = document.createElement('iframe')
      frame.src = 'app://skein/index.html'
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
      try {
        return frame.contentDocument === null ? 'an error page' : frame.contentDocument.title
      } finally {
        frame.remove()
      }
    })
    await attempt('a window', () => String(window.open('https://evil.example/')))
    await attempt('a webview', () => {
      const view = document.createElement('webview')
      view.setAttribute('src', 'https://evil.example/')
      document.body.append(view)
      try {
        return 'getURL' in view ? 'made' : 'an unknown element'
      } finally {
        view.remove()
      }
    })
    await attempt('Node', () =>
      ['require', 'process', 'Buffer', 'global'].filter((name) => name in globalThis),
    )
    return found
  })
}

const permissions = [
  'geolocation',
  'notifications',
  'camera',
  'microphone',
  'midi',
  'clipboard-read',
]

/** A page gets no script, style, window, permission or network of its own, and none of Node. */
async function isPowerless({ app, page }: Skein): Promise<void> {
  expect(await attempts(page)).toEqual({
    'a script element': 'did not run',
    eval: 'EvalError',
    'a function of a text': 'EvalError',
    'HTML of a text': 'TypeError',
    'a document of a text': 'TypeError',
    'a worker of a text': 'TypeError',
    'a worker of another address': 'TypeError',
    'another policy': 'TypeError',
    'a style element': 'none',
    'a style attribute': 'block',
    'a style that a script sets': 'flex',
    'the network': 'TypeError',
    'a server of this machine': 'TypeError',
    'a frame': 'an error page',
    'a window': 'null',
    'a webview': 'an unknown element',
    Node: [],
  })

  const states = await page.evaluate(
    (names) =>
      Promise.all(
        names.map(
          async (name) =>
            (await navigator.permissions.query({ name: name as 'geolocation' })).state,
        ),
      ),
    permissions,
  )
  expect(states).toEqual(permissions.map(() => 'denied'))
  const asked = await page.evaluate(async () => [
    await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('found'),
        ({ code, PERMISSION_DENIED }) => resolve(code === PERMISSION_DENIED ? 'denied' : code),
      ),
    ),
    await Notification.requestPermission(),
  ])
  expect(asked).toEqual(['denied', 'denied'])

  // What the page does to its own world does not reach the preload's.
  await page.evaluate(() => {
    Set.prototype.has = () => true
    Array.prototype.includes = () => true
  })
  const refused = await page.evaluate(() =>
    (window as unknown as { api: Transport }).api.invoke('ELECTRON_BROWSER_REQUIRE', 'fs').then(
      () => 'answered',
      ({ message }: Error) => message,
    ),
  )
  expect(refused).toMatch(/no such call/)

  const here = page.url()
  for (const address of ['https://evil.example/', 'app://skein/nothing.html', 'file:///etc/passwd'])
    await page.evaluate((to) => {
      location.href = to
    }, address)
  expect(await page.evaluate(() => location.href)).toBe(here)
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
}

/**
 * Every answer of the page’s protocol has a policy, and that of the page takes no text as script or style.
 */
async function answersWithPolicy({ page }: Skein): Promise<void> {
  const policies = await page.evaluate(async () => {
    const [script] = document.scripts
    const addresses = ['index.html', script?.src ?? '', 'nothing.js', '%', 'audio/a/b', 'image/a/b']
    return Promise.all(
      addresses.map(async (address) => {
        const { headers } = await fetch(new URL(address, 'app://skein/'))
        return [headers.get('content-security-policy'), headers.get('x-content-type-options')]
      }),
    )
  })
  for (const [policy, sniffing] of policies) {
    expect(policy).toMatch(/^default-src 'none'/)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(sniffing).toBe('nosniff')
  }
  expect(policies[0]?.[0]?.split('; ')).toEqual(
    expect.arrayContaining([
      "script-src 'self'",
      "style-src 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types default',
    ]),
  )
}

/** Dialogs and menus lock the page behind them by a sheet that a script made, not by a style element. */
async function locksByScript({ page, problems }: Skein): Promise<void> {
  await page.keyboard.press('Control+p')
  await page.getByRole('dialog').waitFor()
  const [elements, sheets] = await page.evaluate(() => [
    document.querySelectorAll('style').length,
    document.adoptedStyleSheets.map(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)),
  ])
  expect(elements).toBe(0)
  expect(JSON.stringify(sheets)).toContain('data-scroll-locked')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const left = () =>
    page.evaluate(() =>
      document.adoptedStyleSheets.flatMap(({ cssRules }) =>
        [...cssRules].map((rule) => rule.cssText),
      ),
    )
  await expect.poll(async () => (await left()).join('\n')).not.toContain('data-scroll-locked')
  expect(problems).toEqual([])
}

/** A window that shows anything else, or a frame in one, gets no answer from main. */
async function isAnsweredAlone({ app }: Skein): Promise<void> {
  const answers = await app.evaluate(async ({ app: skein, BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()
    const other = new BrowserWindow({
      show: false,
      webPreferences: {
        preload: `${skein.getAppPath()}/out/preload/index.cjs`,
        ...(shown === undefined ? {} : { session: shown.webContents.session }),
      },
    })
    const ask = async (address: string) => {
      await other.loadURL(address)
      return other.webContents.executeJavaScript('window.api.invoke("app.status")')
    }
    try {
      return [await ask('app://skein/nothing.html'), await ask('app://skein/index.html?a#b')]
    } finally {
      other.destroy()
    }
  })
  const [elsewhere, here] = answers as readonly Envelope[]
  expect(elsewhere).toMatchObject({ ok: false, error: { code: 'bad-argument' } })
  expect(here).toMatchObject({ ok: true })
}

/** The window has the preferences that Electron’s list asks for. */
async function hasPreferences({ app }: Skein): Promise<void> {
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const contents = window?.webContents as unknown as { getLastWebPreferences(): object }
    return contents.getLastWebPreferences()
  })
  expect(preferences).toMatchObject({
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    sandbox: true,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    experimentalFeatures: false,
  })
}

it('a page has no power that the contract does not give, and its window is as Electron’s list asks for', async () => {
  const skein = await launchSkein({ args: ['--sample'] })
  await partsOf(skein.page).library.getByRole('option').first().waitFor()
  await hasPreferences(skein)
  await locksByScript(skein)
  await answersWithPolicy(skein)
  await isAnsweredAlone(skein)
  await isPowerless(skein)
})
