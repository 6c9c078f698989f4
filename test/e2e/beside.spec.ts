import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { claudeRecords, writeClaudeSession } from '../support/claude-sessions'
import { onePoint } from '../support/images'
import { createPerson, launchSkein } from './support/app'
import { goToHits, partsOf } from './support/scenes'

const session = 'ae619569-e1d3-4f67-a3d7-4b650c6c087a'
const { user, call, result, stub } = claudeRecords(session)

it('shows an image and an output that lie in and beside a session of Claude Code, reads on, and opens a word of the output', async () => {
  const person = createPerson()
  fs.mkdirSync(path.join(person.folder, '.chibi/contexts'), { recursive: true })
  const root = path.join(person.folder, '.claude')
  const data = Buffer.from(onePoint).toString('base64')
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
  writeClaudeSession(root, `projects/-a/${session}.jsonl`, [
    user(1, null, [{ type: 'text', text: 'what is on this picture?' }, image]),
    call(2, 1, 'Bash', 'toolu_1'),
    result(3, 2, 'toolu_1', stub('toolu_1.txt')),
  ])
  const folder = path.join(root, 'projects/-a', session, 'tool-results')
  fs.mkdirSync(folder, { recursive: true })
  const text = `the first quince\n${'pear\n'.repeat(29_000)}the last quince\n`
  fs.writeFileSync(path.join(folder, 'toolu_1.txt'), text)
  const { page, problems } = await launchSkein({ person })
  await partsOf(page).conversation('what is on this picture?').click()
  const picture = page.getByRole('button', { name: 'Show image larger' }).getByRole('img')
  await expect
    .poll(() => picture.evaluate((shown) => (shown as HTMLImageElement).naturalWidth))
    .toBe(1)
  await page.getByRole('button', { name: /^Bash/ }).click()
  await page.getByText('the first quince').waitFor()
  await page.getByText(/^Shows the first/).waitFor()
  await page.getByRole('button', { name: 'Show more', exact: true }).click()
  await page.getByText(/^Shows the first/).waitFor({ state: 'detached' })
  // All of it is there, and its end is one press away.
  await page.getByRole('button', { name: /^Show all/ }).click()
  await page.getByText('the last quince').waitFor()
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search conversations' }).fill('"last quince"')
  await goToHits(page)
  const hits = page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
  await expect.poll(() => hits.count()).toBe(1)
  expect(problems).toEqual([])
})
