import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'

const entries = 100_000
const dayOne = new Date(2026, 2, 9, 14, 0).getTime() / 1000
const file = (home: string) => path.join(home, 'contexts/garden/transcript/active.jsonl')

/** Line of an entry; one in ten is a prompt, and a minute lies between prompts. */
function line(index: number): string {
  const isPrompt = index % 10 === 0
  const entry = {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    timestamp: dayOne + 6 * index,
    from: isPrompt ? 'user' : 'garden',
    to: isPrompt ? 'garden' : 'user',
    content: `${isPrompt ? 'Question' : 'Answer'} number ${index}`,
    entry_type: 'message',
  }
  return `${JSON.stringify(entry)}\n`
}

const focusedTurn = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-item]')?.textContent ?? '')
const selected = (page: Page) =>
  page.getByRole('option', { selected: true }).and(page.locator('.outline-row'))

it('lists the prompts of 100,000 entries, knows where the reader is, and goes to a prompt, a number and a time by keyboard', async () => {
  const failed = JSON.stringify({
    id: 'broken',
    timestamp: dayOne,
    from: 'shell',
    to: 'garden',
    entry_type: 'tool_result',
    content: 'Error: no water <img src=x>',
  })
  const lines = Array.from({ length: entries }, (_, index) => line(index))
  lines.splice(5, 0, `${failed}\n`)
  const home = homeWith({ contexts: { garden: lines.join('') } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText(`Answer number ${entries - 1}`, { exact: true }).waitFor()

  // Marks beside the scroll bar come by themselves; a press goes where the pointer says.
  const ruler = page.locator('.landmark-ruler canvas')
  await ruler.waitFor()
  const { x, y, width, height } = (await ruler.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const middle = [x + width / 2, y + height / 2] as const
  await expect
    .poll(async () => {
      await page.mouse.move(x, y)
      await page.mouse.move(...middle)
      return ruler.getAttribute('title')
    })
    .toMatch(/^Prompt, entry (?:49|50),\d{3}: Question number (?:49|50)\d{3}$/)
  const [, pressed] = /number (\d+)/.exec((await ruler.getAttribute('title')) ?? '') ?? []
  await page.mouse.click(...middle)
  await expect.poll(() => focusedTurn(page)).toContain(`Question number ${pressed}`)
  await page.keyboard.press('End')
  await transcript.getByText(`Answer number ${entries - 1}`, { exact: true }).waitFor()

  await page.keyboard.press('Control+g')
  const field = page.getByRole('combobox', { name: 'Find a prompt, or go to a number or a time' })
  await field.waitFor()
  const status = page.getByRole('status', { name: 'Outline' })
  await expect.poll(() => status.textContent()).toBe('10,000 of 100,001 entries')
  // The reader is at the end, in the last prompt.
  await expect.poll(() => selected(page).textContent()).toContain(`Question number ${entries - 10}`)
  await expect.poll(() => selected(page).textContent()).toContain('You are here')

  await page.keyboard.type('number 40')
  await expect.poll(() => selected(page).textContent()).toContain('Question number 40')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedTurn(page)).toContain('Question number 40')
  await field.waitFor({ state: 'detached' })

  await page.keyboard.press('Control+g')
  await expect.poll(() => selected(page).textContent()).toContain('You are here')
  await expect.poll(() => selected(page).textContent()).toContain('Question number 40')
  await page.keyboard.type('50,002')
  await expect.poll(() => selected(page).textContent()).toBe('Go to entry 50,002 of 100,001')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedTurn(page)).toContain('Question number 50000')

  // A time of day is one of the day where the reader is: 50,000 entries are 83 hours and 20 minutes.
  await page.keyboard.press('Control+g')
  await expect.poll(() => selected(page).textContent()).toContain('Question number 50000')
  await page.keyboard.type('01:30')
  await expect.poll(() => selected(page).textContent()).toMatch(/^Go to Mar 13, 2026, 1:30/)
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedTurn(page)).toContain('Question number 50100')

  await page.keyboard.press('Control+g')
  await field.fill('100,002')
  await field.press('Enter')
  await expect
    .poll(() => status.textContent())
    .toBe('The conversation has no entry of this number.')
  // Errors are off at first; what a tool wrote is text.
  await field.fill('')
  await page.getByRole('button', { name: 'Errors 1' }).press('Enter')
  await field.fill('no water')
  await expect
    .poll(() => selected(page).textContent())
    .toContain('shell: Error: no water <img src=x>')
  await expect.poll(() => page.locator('.outline-sheet img').count()).toBe(0)

  fs.appendFileSync(file(home), line(entries))
  await field.fill('')
  await expect.poll(() => status.textContent()).toBe('10,002 of 100,002 entries')
  await field.press('Escape')
  await field.waitFor({ state: 'detached' })
  await expect.poll(() => focusedTurn(page)).toContain('Question number 50100')
  expect(problems).toEqual([])
})
