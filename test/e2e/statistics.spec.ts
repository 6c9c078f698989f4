import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Statistics } from '../../src/shared/model/statistics/statistics-shape'
import { faultsInThemes } from '../renderer/browser/accessible'
import { hasFocus } from '../renderer/browser/page'
import { tempFolders } from '../support/temp-folder'
import { launchSkein, type Skein } from './support/app'
import { busyContexts } from './support/busy-home'
import { homeWith } from './support/scenes'

const root = path.resolve(import.meta.dirname, '../..')
const fixtures = path.join(root, 'test/fixtures')
const folder = tempFolders()

interface Opened extends Skein {
  /** A copy of a family of cycod. */
  readonly family: string
  /** What `skein stats --json` prints of the same conversations, in the same time zone. */
  readonly all: Statistics
}

async function printed(
  person: Skein['person'],
  home: string,
  roots: readonly string[],
): Promise<Statistics> {
  const program = path.join(root, 'out/main/cli.cjs')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'stats', '--home', home, ...roots, '--json'],
    { env: person.env, maxBuffer: 64 << 20 },
  )
  return JSON.parse(stdout)
}

/** A home with forty contexts, beside a family of cycod and voices, with the view open on all of it. */
async function opened(): Promise<Opened> {
  const family = folder()
  fs.cpSync(path.join(fixtures, 'branches/cycod-family'), family, { recursive: true })
  const voices = path.join(fixtures, 'readers/voicemode/input')
  const roots = ['--root', `cycod=${family}`, '--root', `voicemode=${voices}`]
  const home = homeWith({ contexts: busyContexts(40, Math.floor(Date.now() / 1000)) })
  const skein = await launchSkein({ home, args: roots })
  const { page } = skein
  await rows(page).first().waitFor()
  await page.keyboard.press('Control+Shift+S')
  await hasFocus(page.getByRole('group', { name: 'Numbers' }))
  await page.getByRole('radiogroup', { name: 'Time' }).getByText('All', { exact: true }).click()
  const all = await printed(skein.person, home, roots)
  // Until then the marks are of the weeks before.
  for (const [name, number] of [
    ['conversations', all.conversations],
    ['entries', all.entries.total],
  ] as const)
    await expect.poll(() => total(page, name).first().textContent()).toBe(whole(number))
  return { ...skein, family, all }
}

/** The library: a tree where families are joined, else a list. */
const list = (page: Page) =>
  page
    .getByRole('tree', { name: 'Conversations' })
    .or(page.getByRole('listbox', { name: 'Conversations' }))
const rows = (page: Page) => list(page).getByRole('option').or(list(page).getByRole('treeitem'))
const mark = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const whole = (number: number) => number.toLocaleString('en-US')
const total = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Totals' })
    .getByRole('button')
    .filter({ hasText: name })
    .locator('.total-value')

/** The rows of a table as texts, its heads left out. */
async function rowsOf(page: Page, name: string): Promise<readonly (readonly string[])[]> {
  const rows = page.getByRole('table', { name }).locator('tbody tr')
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
  )
}

it('shows the numbers of “skein stats --json”, in totals, names of marks, and tables', async () => {
  const { page, problems, all } = await opened()
  const calls = all.tools.reduce((sum, tool) => sum + tool.calls, 0)
  await expect.poll(() => total(page, 'tool calls').first().textContent()).toBe(whole(calls))
  await expect.poll(() => total(page, 'cost').textContent()).toBe(`$${(all.cost ?? 0).toFixed(2)}`)
  await page
    .getByText(`${whole(all.entries.total)} entries instead of ${whole(all.entriesWithRepeats)}.`)
    .waitFor()

  const cells = page.getByRole('group', { name: 'Entries by weekday and hour' }).getByRole('button')
  const names = () =>
    cells.evaluateAll((some) =>
      some.map((one) => one.getAttribute('aria-label')?.replace(/^[^:]*:00: /, '')),
    )
  const entries = (number: number) => `${whole(number)} ${number === 1 ? 'entry' : 'entries'}`
  await expect
    .poll(names)
    .toEqual(
      all.hours.map(
        (hour) =>
          `${entries(hour.entries)} in ${hour.conversations} conversation${hour.conversations === 1 ? '' : 's'}`,
      ),
    )

  await page.getByRole('button', { name: 'Lengths: show as a table' }).click()
  expect((await rowsOf(page, 'Conversations by length')).map(([, number]) => number)).toEqual(
    all.lengths.flatMap((step) => (step.conversations > 0 ? [whole(step.conversations)] : [])),
  )
  await page.getByRole('button', { name: 'Branches: show as a table' }).click()
  expect((await rowsOf(page, 'Families by branches')).map(([, number]) => number)).toEqual(
    all.branches.steps.flatMap((step) => (step.families > 0 ? [whole(step.families)] : [])),
  )
  const tools = await rowsOf(page, 'Tools by calls')
  expect(tools.map(([tool, , number]) => [tool, number])).toEqual(
    all.tools.slice(0, tools.length).map(({ tool, calls: number }) => [tool, whole(number)]),
  )
  const models = await rowsOf(page, 'Models by tokens')
  expect(models.map(([model, , number]) => [model, number])).toEqual(
    all.models.slice(0, models.length).map((one) => [one.model, whole(one.entries)]),
  )
  await page.getByRole('button', { name: 'Usage: show as a table' }).click()
  await page
    .getByRole('button', { name: /^Show all \d/ })
    .first()
    .click()
  const read = await page
    .getByRole('table', { name: /^Usage by/ })
    .locator('tbody td:nth-child(3)')
    .allTextContents()
  const sum = read.reduce((so, text) => so + Number(text.replaceAll(',', '')), 0)
  expect(sum).toBe(all.tokens.input)
  expect(problems).toEqual([])
})

it('opens the conversations of a mark in the library, by the mouse', async () => {
  const { page, problems } = await opened()
  const name = await mark(page, /^[A-Z][a-z]+, \d\d:00: /)
    .first()
    .getAttribute('aria-label')
  const number = Number(/ in (\d+) conversation/.exec(name ?? '')?.[1])
  await mark(page, name ?? '').click()
  await expect.poll(() => rows(page).count()).toBe(number)
  await page.getByText(`Only: ${name?.split(':00: ')[0]}:00`).waitFor()
  await hasFocus(list(page))
  await page.getByRole('button', { name: 'Show all conversations' }).click()
  await expect.poll(() => rows(page).count()).toBeGreaterThan(number)
  // A conversation that is opened takes the place of the view.
  await rows(page).filter({ hasText: 'work-' }).first().click()
  await page.getByRole('main', { name: 'Statistics' }).waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

it('is used by the keyboard alone, and has no serious fault of accessibility', async () => {
  const { page, problems } = await opened()
  expect(await faultsInThemes(page)).toEqual([])
  const cells = page.getByRole('group', { name: 'Entries by weekday and hour' }).getByRole('button')
  await cells.first().waitFor()
  // Of a picture's marks Tab reaches one; arrow keys go on from there.
  await expect.poll(() => cells.and(page.locator('[tabindex="0"]')).count()).toBe(1)
  await page.getByRole('button', { name: 'When: show as a table' }).focus()
  await page.keyboard.press('Tab')
  await hasFocus(cells.first())
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  const focused = page.locator(':focus')
  const name = (await focused.getAttribute('aria-label')) ?? ''
  expect(name).not.toBe(await cells.first().getAttribute('aria-label'))
  const number = Number(/ in (\d+) conversation/.exec(name)?.[1])
  await page.keyboard.press('Enter')
  await hasFocus(list(page))
  await expect.poll(() => rows(page).count()).toBe(number)

  await page.getByRole('button', { name: 'When: show as a table' }).press('Enter')
  await page.getByRole('table', { name: 'Entries by weekday and hour' }).waitFor()
  await page.getByRole('button', { name: 'When: show as a picture' }).press('Enter')
  await page
    .getByRole('radiogroup', { name: 'Measure' })
    .getByRole('radio', { checked: true })
    .focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('group', { name: 'Cost over time' }).waitFor()
  await page.getByRole('button', { name: /^Source/ }).press('Enter')
  await page.getByRole('menuitemradio', { name: /^cycod/ }).press('Enter')
  await expect.poll(() => total(page, 'conversations').first().textContent()).toBe('9')
  await page.keyboard.press('Escape')
  await page.getByRole('main', { name: 'Statistics' }).waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

it('follows what other programs write while it is open', async () => {
  const { page, family, problems, all } = await opened()
  const [name = ''] = fs.readdirSync(path.join(family, 'history')).slice(-1)
  fs.appendFileSync(
    path.join(family, 'history', name),
    '\n{"role":"user","content":"And one more thing."}',
  )
  await expect
    .poll(() => total(page, 'entries').first().textContent())
    .toBe(whole(all.entries.total + 1))
  expect(problems).toEqual([])
})
