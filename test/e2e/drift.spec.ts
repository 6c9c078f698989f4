import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'

const folder = tempFolders()
const fixture = path.resolve(import.meta.dirname, '../fixtures/readers/claude-code/input')

it('says in Settings what is new in a history, and opens the line that has it', async () => {
  const root = folder()
  fs.cpSync(fixture, root, { recursive: true })
  const { page, problems } = await launchSkein({
    home: homeWith({}),
    args: ['--root', `claude-code=${root}`],
  })
  const { transcript } = partsOf(page)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Sources', exact: true }).click()
  await page.getByText('1 new type in 1 conversation, nothing lost.').waitFor()
  await page.getByRole('button', { name: 'Show what is new in Claude Code' }).click()
  await page.getByRole('button', { name: 'Open line 19 with type moon-phase' }).click()
  await transcript.getByText('waxing gibbous').first().waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
    .toContain('waxing gibbous')
  expect(problems).toEqual([])
})
