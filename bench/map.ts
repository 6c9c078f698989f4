import type { Page } from 'playwright-core'
import { layOut } from '../src/shared/model/map/layout'
import type { LayoutInput } from '../src/shared/model/map/layout-shape'
import { memoryMb, withApp } from './support/driven-app'
import { withFolder } from './support/folder'
import { type ForkedHome, writeForkedHome } from './support/forked-home'
import { createRandom } from './support/random'
import { atMost, forInformation, median, type Row, report } from './support/report'

/** Which of the figures of a map have a budget. */
interface Sizes {
  readonly opened: typeof atMost
  readonly frames: typeof atMost
}

/** Segments as a layout takes them: each goes on from one of the younger ones. */
function segments(count: number): LayoutInput {
  const random = createRandom(3)
  const parents = Int32Array.from({ length: count }, (_, i) =>
    i === 0 ? -1 : Math.floor(i * random.next() ** 0.3),
  )
  return {
    ids: Array.from(parents, (_, i) => `n${i}`),
    ends: Array.from(parents, (_, i) => `e${i}`),
    parents,
    entries: Float64Array.from(parents, () => 1 + random.below(60)),
    labels: Float32Array.from(parents, () => 40 + random.below(160)),
    aside: new Uint8Array(count),
    open: count - 1,
  }
}

function layoutMs(count: number): number {
  const input = segments(count)
  const times = Array.from({ length: 9 }, () => {
    const startedAt = performance.now()
    layOut(input)
    return performance.now() - startedAt
  })
  return median(times)
}

/** Opens the map by its key, and gives the time from the key to the drawn map in ms, as the page sees it. */
async function openMap(page: Page): Promise<number> {
  await page.evaluate(() => {
    window.addEventListener('keydown', () => performance.mark('map asked'), { once: true })
    const drawn = () => {
      const canvas = document.querySelector<HTMLElement>('.map-canvas[data-drawn]')
      if (canvas === null) requestAnimationFrame(drawn)
      else performance.measure('map', 'map asked')
    }
    drawn()
  })
  await page.keyboard.press('Control+Shift+M')
  await page.waitForFunction(() => performance.getEntriesByName('map').length > 0)
  return page.evaluate(() => performance.getEntriesByName('map')[0]?.duration ?? Number.NaN)
}

/** A turn of the wheel, in px. */
interface Wheel {
  readonly deltaX?: number
  readonly deltaY: number
  readonly ctrlKey?: boolean
}

/** Times from frame to frame, and the longest task, while wheel events come in every frame. In ms. */
function frames(page: Page, wheel: Wheel) {
  return page.evaluate(async (init) => {
    const canvas = document.querySelector('.map-canvas')
    const box = canvas?.getBoundingClientRect()
    let longest = 0
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    })
    observer.observe({ entryTypes: ['longtask'] })
    const gaps: number[] = []
    let before: number | undefined
    await new Promise<void>((resolve) => {
      const step = (now: number) => {
        if (before !== undefined) gaps.push(now - before)
        before = now
        const turn = gaps.length % 40 < 20 ? 1 : -1
        canvas?.dispatchEvent(
          new WheelEvent('wheel', {
            ...init,
            bubbles: true,
            cancelable: true,
            clientX: (box?.left ?? 0) + (box?.width ?? 0) / 2,
            clientY: (box?.top ?? 0) + (box?.height ?? 0) / 2,
            deltaX: (init.deltaX ?? 0) * turn,
            deltaY: (init.deltaY ?? 0) * turn,
          }),
        )
        if (gaps.length < 120) requestAnimationFrame(step)
        else resolve()
      }
      requestAnimationFrame(step)
    })
    observer.disconnect()
    return { gaps, longest }
  }, wheel)
}

/** Pans and zooms over the whole map, at the window's own resolution; in ms. */
async function movement(page: Page): Promise<{ readonly gap: number; readonly longest: number }> {
  const pan = await frames(page, { deltaX: 12, deltaY: 8 })
  const zoom = await frames(page, { deltaY: 8, ctrlKey: true })
  return {
    gap: median([...pan.gaps, ...zoom.gaps]),
    longest: Math.max(pan.longest, zoom.longest),
  }
}

/** Opens the map of a family, shows all of it, and moves it. */
async function inTheApp({ home, context, word, conversations, entries }: ForkedHome, sizes: Sizes) {
  return withApp(home, async ({ page, app }): Promise<Row[]> => {
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill(context)
    await page.locator('.library-row', { hasText: context }).click()
    // The family is known when nothing more is read.
    await page.getByRole('tree', { name: 'Branches' }).waitFor()
    await page.getByText('counting…').waitFor({ state: 'detached' })
    const openedMs = await openMap(page)
    const drawn = await page.locator('.map-canvas').getAttribute('data-drawn')
    await page.keyboard.press('0')
    await page.waitForFunction(
      (before) => document.querySelector<HTMLElement>('.map-canvas')?.dataset.drawn !== before,
      drawn,
    )
    const plain = await movement(page)
    // With a common word searched, and each node as warm as it is old.
    await page.keyboard.press('Control+F')
    await page.keyboard.type(word)
    // All of them are counted.
    await page.locator('.map-found', { hasText: /^[\d,]+ hits?, / }).waitFor()
    await page.getByRole('button', { name: 'Heat:' }).click()
    await page.getByRole('menuitemradio', { name: 'Age' }).click()
    await page.getByRole('region', { name: 'Age on the map' }).waitFor()
    const painted = await movement(page)
    const name = `map of ${conversations} conversations`
    return [
      forInformation(`${name}: entries`, entries, ''),
      forInformation(`${name}: segments`, Number(drawn?.split(' ')[0]), ''),
      sizes.opened(`${name}: opened and drawn`, openedMs, 'ms', 1000),
      ...[plain, painted].flatMap(({ gap, longest }, at) => {
        const how = at === 0 ? 'pan and zoom' : 'pan and zoom with hits and heat'
        return [
          sizes.frames(`${name}: from frame to frame, ${how}`, gap, 'ms', 17.5),
          atMost(`${name}: longest task of ${how}`, longest, 'ms', 50),
        ]
      }),
      forInformation(`${name}: memory of the window`, await memoryMb(app, 'Tab'), 'MB'),
      forInformation(`${name}: memory of main`, await memoryMb(app, 'Browser'), 'MB'),
    ]
  })
}

const rows: Row[] = [
  atMost('map: layout of 5,000 segments', layoutMs(5000), 'ms', 20),
  forInformation('map: layout of 18,000 segments', layoutMs(18_000), 'ms'),
]
await withFolder(async (folder) => {
  const home = writeForkedHome(folder, 2000, 50_000)
  rows.push(...(await inTheApp(home, { opened: atMost, frames: atMost })))
})
await withFolder(async (folder) => {
  const home = writeForkedHome(folder, 18_000, 270_000, 60)
  rows.push(...(await inTheApp(home, { opened: forInformation, frames: forInformation })))
})
report(rows)
