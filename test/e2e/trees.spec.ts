import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'

const folder = tempFolders()
const fixture = path.resolve(import.meta.dirname, '../fixtures/readers/claude-code/input')
const session = '5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e2f'

/** A copy of the fixture, which the test may go on writing. */
function ownRoot() {
  const root = folder()
  fs.cpSync(fixture, root, { recursive: true })
  const file = path.join(root, `projects/-home-ann-garden/${session}.jsonl`)
  const append = (n: number, parent: number, content: string) => {
    const id = (k: number) => `00000000-0000-4000-8000-${k.toString(16).padStart(12, '0')}`
    const line = {
      type: 'user',
      uuid: id(n),
      parentUuid: id(parent),
      sessionId: session,
      timestamp: `2026-09-10T10:${n}:00.000Z`,
      message: { role: 'user', content },
    }
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  return { args: ['--root', `claude-code=${root}`], append }
}

it('shows a session along the way to where it is now, and its rewind, its parallel tools, its subagent and what is written to it', async () => {
  const root = ownRoot()
  const { page, problems } = await launchSkein({ home: homeWith({}), args: root.args })
  const { conversation, transcript, turns } = partsOf(page)
  await conversation('Water for the beds').click()
  await transcript.getByText('water them in the evening').waitFor()
  await expect.poll(() => transcript.getByText('water them at noon').count()).toBe(0)
  const branches = page.getByRole('region', { name: 'Branches' })
  await branches.getByText('2 entries on other branches of this conversation').waitFor()

  // Two tools that ran side by side have two parents, and are no branches.
  const tools = turns.filter({ hasText: /tail (?:north|south)\.log/ })
  await expect.poll(() => tools.count()).toBe(2)
  await expect.poll(() => tools.getByRole('group', { name: 'Branches here' }).count()).toBe(0)

  // The fork leads to the other branch in the same conversation, and back.
  await transcript.getByRole('button', { name: 'Branch 2 / 2' }).first().waitFor()
  await transcript.getByRole('button', { name: 'Previous branch' }).first().click()
  await transcript.getByText('Noon is too hot.').waitFor()
  await expect.poll(() => transcript.getByText('water them in the evening').count()).toBe(0)
  await page.getByText('This is another branch.').waitFor()
  await page.getByRole('button', { name: 'Current branch' }).click()
  await transcript.getByText('thanks').waitFor()

  // What is written to the way that is shown appears; a rewind is another branch.
  root.append(21, 20, 'and the pots?')
  await transcript.getByText('and the pots?').waitFor()
  root.append(22, 12, 'do not water at all')
  await transcript.getByText('do not water at all').waitFor()
  await expect.poll(() => transcript.getByText('and the pots?').count()).toBe(0)
  await transcript.getByRole('button', { name: 'Branch 3 / 3' }).waitFor()

  const call = turns.filter({ has: page.getByText('Task', { exact: true }) })
  await call.getByRole('button', { name: 'Subagent: Look at the pots' }).click()
  await transcript.getByText('read pots.md', { exact: true }).waitFor()

  // Hits on branches that were left are counted, chosen, and open there.
  await page.keyboard.press('Control+Shift+F')
  const box = page.getByRole('combobox', { name: 'Search conversations' })
  await box.fill('noon')
  const filters = page.getByRole('region', { name: 'Filters' })
  const branch = filters.getByRole('group', { name: 'Branch, all hits counted' })
  await branch.getByRole('checkbox', { name: 'Current branch, 0 hits' }).waitFor()
  await branch.getByRole('checkbox', { name: 'Branches that were left, 2 hits' }).click()
  await expect.poll(() => box.inputValue()).toBe('noon branch:left')
  const hits = page.getByRole('listbox', { name: 'Hits' })
  await expect.poll(() => hits.getByRole('option').count()).toBe(2)
  await hits.getByRole('option').first().click()
  await page.getByRole('region', { name: 'Preview' }).getByText('branch that was left').waitFor()
  expect(problems).toEqual([])
})
