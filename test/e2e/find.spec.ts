import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

/** The current match, and whether it is in view. */
function current(page: Page) {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('found-now') ?? [])]
    if (!(range instanceof Range)) return undefined
    const { top, bottom } = range.getBoundingClientRect()
    return { word: range.toString(), isSeen: top > 0 && bottom < window.innerHeight }
  })
}

const outcome = async (page: Page) =>
  (await page.getByRole('status', { name: 'Matches' }).textContent()) ?? ''

it('finds words of a long conversation by keyboard alone, those in a folded result too, while the conversation grows', async () => {
  const call = { tool_call_id: 'c1', from: 'garden', to: 'shell' }
  const line = (entry: Readonly<Record<string, unknown>>) =>
    `${JSON.stringify({ timestamp: 1_780_000_000, from: 'user', to: 'garden', entry_type: 'message', ...entry })}\n`
  const output = Array.from({ length: 20_000 }, (_, n) => `bed ${n}`)
  output[15_000] = 'bed of Chrysanthemen'
  const text = [
    line({ id: 'first', content: 'Where are the chrysanthemen?' }),
    line({ ...call, id: 'call', entry_type: 'tool_call', content: '{"command":"cat beds"}' }),
    line({
      id: 'result',
      entry_type: 'tool_result',
      tool_call_id: 'c1',
      from: 'shell',
      to: 'garden',
      content: output.join('\n'),
    }),
    smallTalk('garden', 3000),
  ].join('')
  const home = homeWith({ contexts: { garden: text } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').click()
  await partsOf(page).transcript.getByText('Answer number 2999').waitFor()

  await page.keyboard.press('Control+f')
  await page.waitForFunction(() => document.activeElement?.matches('.find-bar input'))
  await page.keyboard.type('chrysanthemen')
  await expect.poll(() => outcome(page)).toBe('2 of 2')
  // 15,000 lines below the beginning of a result that was folded.
  await expect.poll(() => current(page)).toEqual({ word: 'Chrysanthemen', isSeen: true })
  await page.keyboard.press('Enter')
  await expect.poll(() => outcome(page)).toBe('1 of 2')
  await expect.poll(() => current(page)).toEqual({ word: 'chrysanthemen', isSeen: true })

  fs.appendFileSync(
    path.join(home, 'contexts/garden/transcript/active.jsonl'),
    line({ id: 'last', content: 'More chrysanthemen.' }),
  )
  await expect.poll(() => outcome(page)).toBe('1 of 3')
  await page.keyboard.press('Shift+F3')
  await expect.poll(() => outcome(page)).toBe('3 of 3')
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-item]')?.textContent))
    .toContain('More chrysanthemen.')
  expect(problems).toEqual([])
})
