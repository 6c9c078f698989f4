import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { goToHits, homeWith, partsOf, say, smallTalk } from './support/scenes'

const folder = tempFolders()

/** A cycod conversation with a call whose long result holds the word, and much talk after it. */
function cycodWithTool(word: string): string {
  const call = {
    id: 'call_0',
    type: 'function',
    function: { name: 'shell', arguments: '{"c":"cat beds"}' },
  }
  const talk = Array.from({ length: 120 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `Talk number ${n} about beds and spades.`,
  }))
  const lines = [
    { role: 'user', content: 'Which beds are there?' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_0', content: `bed one\nbed two: ${word}\nbed three` },
    { role: 'assistant', content: 'Three of them.' },
    ...talk,
  ]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

it("goes to a part of a word in a tool's result, inside its fold", async () => {
  const history = path.join(folder(), 'history')
  fs.mkdirSync(history)
  fs.writeFileSync(
    path.join(history, 'chat-history-1754437000000.jsonl'),
    cycodWithTool('Chrysanthemen'),
  )
  const home = homeWith({ contexts: { garden: smallTalk('garden', 40) } })
  const { page, problems } = await launchSkein({ home, args: ['--root', `cycod=${history}`] })
  await partsOf(page).conversation('Which beds are there?').waitFor()

  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search conversations' }).fill('ysanthem')
  const hits = page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
  await hits.first().waitFor()
  await expect.poll(() => hits.count()).toBe(1)
  await expect.poll(() => hits.first().locator('mark').allTextContents()).toEqual(['ysanthem'])
  await goToHits(page)
  await page.keyboard.press('Enter')

  const { transcript } = partsOf(page)
  const found = transcript.getByText('Chrysanthemen')
  await found.waitFor()
  await expect
    .poll(() =>
      found.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return top > 0 && bottom < window.innerHeight
      }),
    )
    .toBe(true)
  // The turn has the focus, and the talk that follows is not what is seen.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('article') !== null))
    .toBe(true)
  await expect.poll(() => transcript.getByText('Talk number 119').count()).toBe(0)
  expect(problems).toEqual([])
})

it('finds what was said a moment ago, and takes query and hits up again', async () => {
  const baseUrl = await endpoint((response) => {
    beginStream(response)
    sendText(response, 'Plant the Fritillaria in autumn.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden', 4) } })
  const { page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').click()
  await say(page, 'When are they planted?')
  await partsOf(page).transcript.getByText('Fritillaria').waitFor()

  await page.keyboard.press('Control+Shift+F')
  const box = page.getByRole('combobox', { name: 'Search conversations' })
  await box.fill('fritillaria -spring')
  const hits = page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
  await hits.first().waitFor()
  await expect.poll(() => hits.count()).toBe(1)
  await page
    .getByText(/segments?, .*complete/)
    .first()
    .waitFor()

  await box.fill('nothing holds this')
  await page.getByRole('heading', { name: /No results/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await partsOf(page).transcript.getByText('Fritillaria').waitFor()
  expect(problems).toEqual([])
})
