import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const entries = 100_000

/** The turns in view, with their numbers and their tops in pixels below that of the transcript. */
function turnsInView(page: Page) {
  return page.evaluate(() => {
    const feed = document.querySelector('[role="feed"]')?.getBoundingClientRect()
    if (feed === undefined) return []
    return [...document.querySelectorAll('[role="feed"] [data-item]')].flatMap((turn) => {
      const { top, bottom } = turn.getBoundingClientRect()
      const number = /number (\d+)/.exec(turn.textContent ?? '')?.[1]
      if (number === undefined || bottom <= feed.top || top >= feed.bottom) return []
      return [{ number: Number(number), top: top - feed.top }]
    })
  })
}

/** Waits until turns are in view and stay where they are. */
async function atRest(page: Page): Promise<void> {
  let last = ''
  await expect
    .poll(
      async () => {
        const now = JSON.stringify(await turnsInView(page))
        const isSame = now === last && now !== '[]'
        last = now
        return isSame
      },
      { interval: 500 },
    )
    .toBe(true)
}

/** The turns whose beginnings are in view. */
const wholeTurns = async (page: Page) => (await turnsInView(page)).filter(({ top }) => top >= 0)

/** Where a turn is, in pixels below the top of the transcript; also beyond its edges, where it is still drawn. */
function topOfTurn(page: Page, wanted: number): Promise<number> {
  return page.getByRole('feed').evaluate((feed, number) => {
    const turn = [...feed.querySelectorAll('[data-item]')].find((one) =>
      new RegExp(`number ${number}\\b`).test(one.textContent ?? ''),
    )
    return turn === undefined
      ? Number.NaN
      : turn.getBoundingClientRect().top - feed.getBoundingClientRect().top
  }, wanted)
}

/** Part of the conversation that the first turn in view is behind, from 0 to 1; undefined while none is in view. */
async function partInView(page: Page): Promise<number | undefined> {
  const [first] = await turnsInView(page)
  return first === undefined ? undefined : first.number / entries
}

/** Drags the thumb of the transcript's scroll bar to a part of its way, by mouse. */
async function dragThumb(page: Page, part: number): Promise<void> {
  const bar = await page.evaluate(() => {
    const feed = document.querySelector('[role="feed"]')
    if (feed === null) throw new Error('no transcript')
    const { top, right, height } = feed.getBoundingClientRect()
    const { scrollTop, scrollHeight, clientHeight, clientWidth } = feed
    const thumb = Math.max(18, (clientHeight / scrollHeight) * clientHeight)
    const way = height - thumb
    const at = (scrollTop / (scrollHeight - clientHeight)) * way + thumb / 2
    return {
      x: right - (right - feed.getBoundingClientRect().left - clientWidth) / 2,
      top,
      way,
      thumb,
      at,
    }
  })
  const { x, top, way, thumb, at } = bar
  const y = part <= 0 ? top - 60 : part >= 1 ? top + way + thumb + 60 : top + part * way + thumb / 2
  await page.mouse.move(x, top + at)
  await page.mouse.down()
  await page.mouse.move(x, (top + at + y) / 2, { steps: 4 })
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}

it('has a scroll bar that stands for all of 100,000 entries, and keeps the place to the pixel while others come above', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden', entries) } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').click()
  await partsOf(page)
    .transcript.getByText(`number ${entries - 1}`)
    .waitFor()

  for (const part of [0.5, 0.25, 0.9, 0.1]) {
    await dragThumb(page, part)
    await expect
      .poll(async () => Math.abs(((await partInView(page)) ?? 9) - part), { message: `${part}` })
      .toBeLessThan(0.02)
  }

  // Up through several pages by small steps: each turn moves by the step and no pixel else.
  await atRest(page)
  const from = (await wholeTurns(page))[0]?.number ?? 0
  for (let number = from; number > from - 150; ) {
    const [turn] = await wholeTurns(page)
    if (turn === undefined) throw new Error('no turn is in view')
    await page.getByRole('feed').evaluate((feed) => feed.scrollBy({ top: -200 }))
    await expect
      .poll(async () => Math.abs((await topOfTurn(page, turn.number)) - turn.top - 200), {
        message: `turn ${turn.number}`,
      })
      .toBeLessThanOrEqual(1)
    number = turn.number
  }

  await dragThumb(page, 0)
  await expect
    .poll(async () => ({
      first: (await turnsInView(page))[0]?.number,
      top: await page.evaluate(() => document.querySelector('[role="feed"]')?.scrollTop),
    }))
    .toEqual({ first: 0, top: 0 })
  await dragThumb(page, 1)
  await expect.poll(async () => (await turnsInView(page)).at(-1)?.number).toBe(entries - 1)

  await partsOf(page).transcript.press('Home')
  await expect.poll(async () => (await turnsInView(page))[0]?.number).toBe(0)
  await partsOf(page).transcript.press('PageDown')
  await expect.poll(async () => (await turnsInView(page))[0]?.number).toBeGreaterThan(0)
  await partsOf(page).transcript.press('End')
  await expect.poll(async () => (await turnsInView(page)).at(-1)?.number).toBe(entries - 1)
  expect(problems).toEqual([])
})
