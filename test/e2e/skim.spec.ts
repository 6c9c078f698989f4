import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'

const rounds = 150
const now = Math.floor(Date.now() / 1000) - 3600

/** A prompt, a first answer, four calls with results, and the last answer, again and again. */
function agentTalk(): string {
  const lines: string[] = []
  const add = (entry: Readonly<Record<string, unknown>>) => {
    const id = `00000000-0000-4000-8000-${String(lines.length).padStart(12, '0')}`
    const base = { id, timestamp: now, from: 'garden', to: 'user', entry_type: 'message' }
    lines.push(`${JSON.stringify({ ...base, ...entry })}\n`)
  }
  for (let round = 0; round < rounds; round++) {
    add({ from: 'user', to: 'garden', content: `Question number ${round}` })
    add({ content: `First I look, number ${round}` })
    for (let call = 0; call < 4; call++) {
      const id = `c${round}-${call}`
      add({ to: 'look', entry_type: 'tool_call', tool_call_id: id, content: `{"bed":${call}}` })
      const result = `Bed ${call} of ${round} is dry`
      add({
        from: 'look',
        to: 'garden',
        entry_type: 'tool_result',
        tool_call_id: id,
        content: result,
      })
    }
    add({ content: `Last answer number ${round}` })
  }
  return lines.join('')
}

/** Top of the turn with a text, in pixels below the top of the transcript; undefined while it is not drawn. */
function topOf(page: Page, text: string): Promise<number | undefined> {
  return page.getByRole('feed').evaluate((feed, wanted) => {
    const turn = [...feed.querySelectorAll('[data-item]')].find((one) =>
      one.textContent?.includes(wanted),
    )
    if (turn === undefined) return undefined
    return turn.getBoundingClientRect().top - feed.getBoundingClientRect().top
  }, text)
}

it('leaves prompts and last answers by a key, says what is hidden, and keeps the reader where they are to the pixel', async () => {
  const home = homeWith({ contexts: { garden: agentTalk() } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, turns } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText(`Last answer number ${rounds - 1}`, { exact: true }).waitFor()

  await transcript.press('s')
  const bar = page.getByRole('status').filter({ hasText: 'Only prompts and last answers' })
  await bar.waitFor()
  await expect
    .poll(() => bar.textContent())
    .toMatch(/Of what is loaded, [\d,]+ tool calls and \d+ earlier answers are hidden\./)
  await expect.poll(() => transcript.getByText('First I look').count()).toBe(0)
  await expect.poll(() => transcript.getByText('is dry').count()).toBe(0)
  // The end stays the end.
  await transcript.getByText(`Last answer number ${rounds - 1}`, { exact: true }).waitFor()

  // Somewhere in the middle, and not at the end of any page.
  await page.keyboard.press('Control+g')
  await page.getByRole('combobox', { name: /^Find a prompt/ }).fill('number 77')
  // Pressed before the conversation was read, Enter waits for the first that is listed.
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('Question number 77')
  await expect.poll(() => topOf(page, 'Question number 77')).toBeGreaterThan(100)
  const before = await topOf(page, 'Question number 77')
  await page.keyboard.press('s')
  await bar.waitFor({ state: 'detached' })
  await transcript.getByText('First I look, number 77').waitFor()
  await expect.poll(() => topOf(page, 'Question number 77')).toBe(before)
  await page.keyboard.press('Control+Shift+k')
  await bar.waitFor()
  await expect.poll(() => topOf(page, 'Question number 77')).toBe(before)

  // What a reader goes to is shown, though it is hidden otherwise.
  await page.keyboard.press('Control+f')
  await page.getByRole('searchbox', { name: 'Find in conversation' }).fill('Bed 2 of 40 is dry')
  await expect.poll(() => transcript.getByText('Bed 2 of 40 is dry').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show everything' }).press('Enter')
  await bar.waitFor({ state: 'detached' })
  await expect.poll(() => turns.count()).toBeGreaterThan(8)

  // All tools at a time, and one by itself.
  const opened = () => transcript.getByRole('button', { name: /^look/, expanded: true }).count()
  await transcript.press('Shift+O')
  await expect.poll(opened).toBeGreaterThan(2)
  await expect
    .poll(() => transcript.getByRole('button', { name: /^look/, expanded: false }).count())
    .toBe(0)
  await transcript.press('Shift+O')
  await expect.poll(opened).toBe(0)
  await transcript.getByRole('button', { name: /^look/ }).first().press('Enter')
  await expect.poll(opened).toBe(1)
  expect(problems).toEqual([])
})
