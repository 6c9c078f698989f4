import type { Page } from 'playwright-core'
import { memoryMb, withApp } from './support/driven-app'
import { withFolder } from './support/folder'
import { type LongTalk, markdown, writeLongTalk } from './support/long-talk'
import { createRandom } from './support/random'
import { type RendererTasks, tasksDuring } from './support/renderer-tasks'
import { atMost, forInformation, type Row, report } from './support/report'
import { openStreamingModel } from './support/streaming-model'
import { createWriter } from './support/text'

const entries = 100_000
/** Deltas of an answer, and how many come in a second. */
const deltas = 2000
const deltasPerSecond = 200
const longTaskMs = 50

/** Turns the wheel over the transcript. */
async function turnWheel(page: Page, pixels: number, times: number): Promise<void> {
  const box = await page.getByRole('feed').boundingBox()
  await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 300)
  for (let turn = 0; turn < times; turn++) {
    await page.mouse.wheel(0, pixels)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
}

/** Drags the thumb of the scroll bar to a part of its way, in small steps. */
async function dragThumb(page: Page, part: number): Promise<void> {
  const { x, from, to } = await page.getByRole('feed').evaluate((feed, wanted) => {
    const { top, right, left, height } = feed.getBoundingClientRect()
    const { scrollTop, scrollHeight, clientHeight, clientWidth } = feed
    const thumb = Math.max(18, (clientHeight / scrollHeight) * clientHeight)
    const at = (way: number) => top + thumb / 2 + way * (height - thumb)
    return {
      x: right - (right - left - clientWidth) / 2,
      from: at(scrollTop / (scrollHeight - clientHeight)),
      to: at(wanted),
    }
  }, part)
  await page.mouse.move(x, from)
  await page.mouse.down()
  await page.mouse.move(x, to, { steps: 30 })
  await page.mouse.up()
  await page.waitForFunction(
    () =>
      document.querySelector('.transcript-beyond') === null &&
      document.querySelector('[role="feed"]')?.getAttribute('aria-busy') === 'false',
  )
}

/** The first turn in view, and its top in pixels below that of the transcript. */
function placeOf(page: Page) {
  return page.getByRole('feed').evaluate((feed) => {
    const { top, bottom } = feed.getBoundingClientRect()
    for (const turn of feed.querySelectorAll<HTMLElement>('[data-item]')) {
      const box = turn.getBoundingClientRect()
      if (box.bottom > top && box.top < bottom)
        return { item: turn.dataset.item ?? '', top: box.top - top }
    }
    throw new Error('no turn is in view')
  })
}

/** The place once the wheel has run out. */
async function placeAtRest(page: Page) {
  for (let last = ''; ; ) {
    const place = await placeOf(page)
    const now = JSON.stringify(place)
    if (now === last) return place
    last = now
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
  }
}

async function movedBy(page: Page, before: { readonly item: string; readonly top: number }) {
  const now = await page.getByRole('feed').evaluate((feed, item) => {
    const turn = feed.querySelector(`[data-item="${CSS.escape(item)}"]`)
    return (turn?.getBoundingClientRect().top ?? Number.NaN) - feed.getBoundingClientRect().top
  }, before.item)
  return Math.abs(now - before.top)
}

/** Sends a message, and waits until its answer is complete. */
async function ask(page: Page, message: string, meanwhile?: () => Promise<void>): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.keyboard.press('Enter')
  await page.getByText('The answer is being written').waitFor({ state: 'attached' })
  await meanwhile?.()
  await page.getByText('The answer is complete').waitFor({ state: 'attached' })
}

async function measure(talk: LongTalk): Promise<Row[]> {
  return withApp(talk.home, async ({ page, app }) => {
    const rows: Row[] = []
    const during = async (what: string, work: () => Promise<unknown>) => {
      const tasks: RendererTasks = await tasksDuring(app, work)
      rows.push(
        atMost(`stream: ${what}, longest task`, tasks.longestMs, 'ms', longTaskMs),
        forInformation(
          `stream: ${what}, longest task by its processor time`,
          tasks.longestCpuMs,
          'ms',
        ),
        forInformation(`stream: ${what}, tasks over ${longTaskMs} ms`, tasks.long, ''),
      )
    }
    const row = page.locator('.library-row', { hasText: talk.context })
    await row.waitFor()
    await page.getByRole('button', { name: 'New conversation' }).click()
    await during(`${talk.entries} entries opened`, async () => {
      await row.click()
      await page.getByText('The last answer.').waitFor()
    })
    const openedMb = await memoryMb(app, 'Tab')
    const tool = page.getByRole('button', { name: new RegExp(`^${talk.longTool}`) })
    await during('a result of 5 MB expanded', async () => {
      await tool.click()
      const more = page.getByRole('button', { name: /^Show (all|[\d,]+ more)/ })
      while ((await more.count()) > 0) await more.last().click()
      await tool.click()
    })
    await during('wheel', () => turnWheel(page, -1200, 120))
    await page.getByRole('feed').press('End')
    await page.getByText('The last answer.').waitFor()
    await during(`${deltasPerSecond} deltas a second`, () => ask(page, 'Say something long.'))
    let moved = 0
    await during(`${deltasPerSecond} deltas a second, read further up`, async () => {
      let before: Awaited<ReturnType<typeof placeOf>> | undefined
      // Sending goes to the end.
      await ask(page, 'And again.', async () => {
        await turnWheel(page, -1200, 3)
        before = await placeAtRest(page)
      })
      if (before !== undefined) moved = await movedBy(page, before)
    })
    rows.push(atMost('stream: a reader further up is moved by', moved, 'px', 0))
    await during('thumb dragged', async () => {
      for (const part of [0.5, 0.2, 0.9, 0, 1]) await dragThumb(page, part)
    })
    rows.push(
      forInformation('stream: memory of the window, opened', openedMb, 'MB'),
      forInformation(
        'stream: memory of the window, after all this',
        await memoryMb(app, 'Tab'),
        'MB',
      ),
    )
    return rows
  })
}

const random = createRandom(31)
const writer = createWriter(random)
let answer = ''
while (answer.length < deltas * 12) answer += markdown(answer.length, () => writer.text(200))
const model = await openStreamingModel(answer, deltasPerSecond)
try {
  await withFolder(async (folder) =>
    report(await measure(writeLongTalk(folder, entries, model.baseUrl))),
  )
} finally {
  model.close()
}
