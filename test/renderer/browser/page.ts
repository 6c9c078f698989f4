import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Harness } from '../harness/serve'

const viewport = { width: 1440, height: 900 }

/** What every page begins with: nothing moves by itself, so that what is looked at is at rest. */
const ordinaryMedia = { reducedMotion: 'reduce', colorScheme: 'light' } as const

const looksAtRest = 2

/** For a poll that scrolls or steps each time: as many steps as it takes on a machine that takes a second for each. */
export const manySteps = { timeout: 240_000 }

/** The page of each harness that is used again: a new one takes longer to open than most tests take. */
const pages = new WeakMap<Harness, Page>()

/** A page of the harness as a person finds it who has never been there; faults of the page fail the test. */
export async function withPage(
  harness: Harness,
  query: Readonly<Record<string, string>>,
  test: (page: Page) => Promise<void>,
): Promise<void> {
  const page = pages.get(harness) ?? (await newPage(harness))
  // A test that fails leaves it in no known state; the next one gets a new page.
  pages.delete(harness)
  try {
    await forget(harness, page)
    await watched(harness, page, query, test)
    pages.set(harness, page)
  } finally {
    if (!pages.has(harness)) await page.context().close()
  }
}

/** The same in a page of its own, for what cannot be undone in one, such as another clock. */
export async function withNewPage(
  harness: Harness,
  query: Readonly<Record<string, string>>,
  test: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await newPage(harness)
  try {
    await watched(harness, page, query, test)
  } finally {
    await page.context().close()
  }
}

/** Stops the page's clock; goes on by `page.clock.runFor`. For a page of its own: what passes by itself stays to be looked at. */
export async function stopClock(page: Page): Promise<void> {
  const nowMs = await page.evaluate(() => Date.now())
  await page.clock.install({ time: nowMs })
  // Later than it is there by any machine's speed: what is due by then happens at once.
  await page.clock.pauseAt(nowMs + 600_000)
}

async function newPage(harness: Harness): Promise<Page> {
  const context = await harness.browser.newContext({
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...ordinaryMedia,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  // A busy machine takes its time: what comes late is no fault, and what never comes has time to be looked at.
  page.setDefaultTimeout(240_000)
  return page
}

/** Undoes what a test may leave in a page. */
async function forget(harness: Harness, page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  // First away from the window, which may write what it keeps as it goes.
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(harness.urlOf({}))
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
  await session.detach()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ ...ordinaryMedia, media: null, forcedColors: 'none' })
  await page.mouse.move(-1, -1)
}

async function watched(
  harness: Harness,
  page: Page,
  query: Readonly<Record<string, string>>,
  test: (page: Page) => Promise<void>,
): Promise<void> {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  try {
    await page.goto(harness.urlOf(query))
    await page.waitForSelector('.window > *')
    await test(page)
    expect(faults).toEqual([])
  } finally {
    await page.removeAllListeners(undefined, { behavior: 'wait' })
  }
}

/** Opens a conversation of the library and waits for its transcript. */
export async function openConversation(page: Page, title: string): Promise<void> {
  await page.getByRole('option', { name: new RegExp(`^${title}`) }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Waits until an element has the focus: a key that is pressed before goes elsewhere. */
export async function hasFocus(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor()
}

/** Two frames: what was asked for is drawn, unless it had to be asked for elsewhere. Wait for the thing itself where there is one. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
      }),
  )
}

/**
 * Opens the menu of the row at the list's cursor and chooses an entry of it, by keyboard alone.
 *
 * Each key waits for the focus: the menu takes it a moment after it is there, and moves it a moment after a key.
 */
export async function chooseByKeys(page: Page, entry: string, key = 'Shift+F10'): Promise<void> {
  await page.getByRole('listbox', { name: 'Conversations' }).press(key)
  const item = page.getByRole('menuitem', { name: entry, exact: true })
  await item.waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]'))
  for (let before = await focused(); before !== entry; before = await focused()) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).not.toBe(before)
  }
  await page.keyboard.press('Enter')
}

/** Waits until the transcript that is open stands at its end, where it opens: who scrolls before is taken back there. */
export async function openedAtEnd(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await expect.poll(() => atRest(page, () => distanceFromEnd(page))).toBeLessThanOrEqual(1)
}

/** Gives the window a size and its text a zoom, and waits until that is drawn; what follows the width may come later. */
export async function resize(
  page: Page,
  size: { readonly width: number; readonly height: number; readonly zoom?: number },
): Promise<void> {
  const { zoom = 1, ...viewport } = size
  await page.setViewportSize(viewport)
  await page.evaluate((value) => {
    document.documentElement.style.setProperty('--text-zoom', String(value))
  }, zoom)
  await settled(page)
}

/** What a look gives once it gives the same over several frames: places and sizes, when the layout has come to rest. */
export async function atRest<T>(page: Page, look: () => Promise<T>): Promise<T> {
  let seen = await look()
  for (let same = 0; same < looksAtRest; same++) {
    await settled(page)
    const now = await look()
    if (JSON.stringify(now) !== JSON.stringify(seen)) same = -1
    seen = now
  }
  return seen
}

/** Pixels from the end of the transcript. */
export function distanceFromEnd(page: Page): Promise<number> {
  return page
    .getByRole('feed')
    .evaluate((feed) => feed.scrollHeight - feed.clientHeight - feed.scrollTop)
}

/** A turn and where it begins on the screen. */
export interface SeenTurn {
  readonly key: string
  readonly top: number
}

/** The first turn that begins below the top of the transcript, once nothing moves any more. */
export async function firstSeenTurn(page: Page): Promise<SeenTurn> {
  const turn = await atRest(page, () => firstTurnNow(page))
  if (turn === undefined) throw new Error('no turn can be seen')
  return turn
}

function firstTurnNow(page: Page): Promise<SeenTurn | undefined> {
  return page.getByRole('feed').evaluate((feed) => {
    const edge = feed.getBoundingClientRect().top + 40
    for (const turn of feed.querySelectorAll('[data-item]')) {
      const { top } = turn.getBoundingClientRect()
      if (top >= edge) return { key: turn.getAttribute('data-item') ?? '', top }
    }
    return undefined
  })
}

/** Where a turn begins on the screen. */
export function topOf(page: Page, key: string): Promise<number> {
  return page
    .getByRole('feed')
    .evaluate(
      (feed, item) =>
        feed.querySelector(`[data-item="${CSS.escape(item)}"]`)?.getBoundingClientRect().top ??
        Number.NaN,
      key,
    )
}

/** Follows a turn over frames while something happens; returns all tops that were drawn. */
export async function topsWhile(
  page: Page,
  key: string,
  act: () => Promise<void>,
  frames = 20,
): Promise<readonly number[]> {
  await watchFrames(
    page,
    (item) => {
      const turn = document.querySelector(`[data-item="${CSS.escape(item)}"]`)
      return turn === null ? Number.NaN : turn.getBoundingClientRect().top
    },
    key,
  )
  await act()
  for (let frame = 0; frame < frames; frame++) await settled(page)
  return [...new Set(await framesSeen(page))]
}

/** Measures something in every frame, right after it was painted: before that, observers of sizes may still mend it. */
export async function watchFrames(
  page: Page,
  measure: (argument: string) => number,
  argument = '',
): Promise<void> {
  // As text: the page's own policy refuses code that is made there.
  await page.evaluate(`{
    const seen = []
    const look = ${measure}
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => seen.push(look(${JSON.stringify(argument)}))
    const next = () => {
      port2.postMessage(undefined)
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    window.seen = seen
  }`)
}

/** What `watchFrames` has measured so far. */
export function framesSeen(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { seen: number[] }).seen)
}
