import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { allThemes, faultsInThemes } from '../renderer/browser/accessible'
import { claudeRecords, writeClaudeSession } from '../support/claude-sessions'
import { createPerson, launchSkein } from './support/app'
import { partsOf } from './support/scenes'

const session = 'be619569-e1d3-4f67-a3d7-4b650c6c087b'
const { user, call, result } = claudeRecords(session)
const esc = '\u001b'

it('shows the edits of a tool as diffs, a command as one, and its output as a terminal does', async () => {
  const person = createPerson()
  fs.mkdirSync(path.join(person.folder, '.chibi/contexts'), { recursive: true })
  writeClaudeSession(path.join(person.folder, '.claude'), `projects/-a/${session}.jsonl`, [
    user(1, null, 'prune the pear'),
    call(2, 1, 'Edit', 'toolu_1', {
      file_path: '/orchard/trees.txt',
      old_string: 'apple\npear, old\nplum\n',
      new_string: 'apple\npear, cut\nplum\n',
    }),
    result(3, 2, 'toolu_1', 'The file was changed.'),
    call(4, 3, 'Bash', 'toolu_2', {
      command: 'npm test\necho done',
      description: 'Runs the tests',
    }),
    result(
      5,
      4,
      'toolu_2',
      `10 %\r50 %\r${esc}[32m✓ 12 passed${esc}[0m\n${esc}[41m FAIL ${esc}[0m pear\n`,
    ),
    call(6, 5, 'Bash', 'toolu_3', { command: 'git diff' }),
    result(
      7,
      6,
      'toolu_3',
      'diff --git a/trees.txt b/trees.txt\n--- a/trees.txt\n+++ b/trees.txt\n@@ -7,2 +7,2 @@\n apple\n-pear, old\n+pear, cut\n',
    ),
    call(8, 7, 'Bash', 'toolu_4', {
      command: 'echo long',
      environment: { LAND: 'orchard' },
    }),
    result(9, 8, 'toolu_4', 'long'),
  ])
  const { page, problems } = await launchSkein({ person })
  await partsOf(page).conversation('prune the pear').click()

  await page.getByRole('button', { name: /^Edit .*trees/ }).press('Enter')
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByText('/orchard/trees.txt').waitFor()
  await expect.poll(() => changes.locator('del').allTextContents()).toEqual(['old'])
  await expect.poll(() => changes.locator('ins').allTextContents()).toEqual(['cut'])
  // What is drawn as a diff is there as it came, too.
  const all = page.getByRole('button', { name: 'All arguments' })
  await all.press('Enter')
  await page.getByText('"old_string"').waitFor()
  await all.press('Enter')

  await page.getByRole('button', { name: /^Bash.*npm test/ }).press('Enter')
  await page.getByRole('region', { name: 'Command' }).getByText('Runs the tests').waitFor()
  const output = page.getByRole('group', { name: 'Result' }).last()
  await expect.poll(() => output.textContent()).toBe('✓ 12 passed\n FAIL  pear\n')
  await page.getByText('Without 2 overwritten lines, as in a terminal.').waitFor()
  const asItCame = page.getByRole('button', { name: 'As it came' })
  await asItCame.press('Enter')
  await expect.poll(() => output.textContent()).toContain('50 %␍␛[32m✓ 12 passed')
  await asItCame.press('Enter')

  await page.getByRole('button', { name: /^Bash.*git diff/ }).press('Enter')
  const diff = page.getByRole('group', { name: 'Changes' }).last()
  await expect.poll(() => diff.locator('.diff-number').allTextContents()).toContain('8')
  await expect.poll(() => diff.locator('del').allTextContents()).toEqual(['old'])

  // All of a command is shown; what else a call has that is long is below.
  await expect.poll(() => all.count()).toBe(1)
  await page.getByRole('button', { name: /^Bash.*echo long/ }).press('Enter')
  await expect.poll(() => all.count()).toBe(2)
  await all.last().press('Enter')
  await page.getByText('"environment"').waitFor()
  expect(await faultsInThemes(page, allThemes)).toEqual([])

  // A pattern is marked in what is drawn of a call, as a literal is.
  for (const [sought, isPattern, marked] of [
    ['pear', false, ['pear', 'pear']],
    ['pl[u]m', true, ['plum']],
  ] as const) {
    await page.keyboard.press('Control+f')
    await page.getByRole('searchbox', { name: 'Find in conversation' }).fill(sought)
    if (isPattern) await page.getByRole('button', { name: 'Regular expression' }).press('Enter')
    await expect.poll(() => marksInDiff(page)).toEqual(marked)
  }
  expect(problems).toEqual([])
})

/** The words that are marked in the diff of the call at the top. */
function marksInDiff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    ['found', 'found-now'].flatMap((name) =>
      [...(CSS.highlights.get(name) ?? [])].flatMap((range) =>
        range instanceof Range &&
        range.startContainer.parentElement?.closest('.tool-edits[data-part="drawn"]') !== null
          ? [range.toString()]
          : [],
      ),
    ),
  )
}

it('shows what tools read, search, keep and find as such, and as it came by a press', async () => {
  const person = createPerson()
  fs.mkdirSync(path.join(person.folder, '.chibi/contexts'), { recursive: true })
  const links = JSON.stringify([{ title: 'Pears <b>', url: 'https://pear.example/<script>' }])
  writeClaudeSession(path.join(person.folder, '.claude'), `projects/-a/${session}.jsonl`, [
    user(1, null, 'look at the pear'),
    call(2, 1, 'Read', 'toolu_1', { file_path: '/orchard/prune.ts', offset: 7, limit: 2 }),
    result(3, 2, 'toolu_1', '     7→export const a = 1\n     8→const b = "<img src=x>"\n'),
    call(4, 3, 'Grep', 'toolu_2', { pattern: 'pear', path: '/orchard' }),
    result(
      5,
      4,
      'toolu_2',
      '/orchard/a.ts:3:old pear\n/orchard/a.ts:9:pear tree\n/orchard/b.md:1:# Pear',
    ),
    call(6, 5, 'TodoWrite', 'toolu_3', {
      todos: [
        { content: 'Cut the pear', status: 'completed', activeForm: 'Cutting' },
        { content: 'Water it', status: 'in_progress', activeForm: 'Watering' },
        { content: 'Rest', status: 'pending', activeForm: 'Resting' },
      ],
    }),
    result(7, 6, 'toolu_3', 'Todos have been modified'),
    call(8, 7, 'WebSearch', 'toolu_4', { query: 'pear pruning' }),
    result(9, 8, 'toolu_4', `Results for "pear pruning"\n\nLinks: ${links}\n\nPrune in winter.`),
  ])
  const { page, problems } = await launchSkein({ person })
  await partsOf(page).conversation('look at the pear').click()
  const feed = partsOf(page).transcript

  await page.getByRole('button', { name: /^Read .*prune/ }).press('Enter')
  await expect
    .poll(() => page.getByRole('region', { name: 'File' }).textContent())
    .toBe('File/orchard/prune.tsLines7 to 8')
  const read = feed.locator('.code-numbers')
  await expect.poll(() => read.textContent()).toBe('7\n8')
  await feed.getByText('const b = "<img src=x>"').waitFor()
  await page.getByRole('button', { name: 'As it came' }).press('Enter')
  await feed.getByText('7→export const a = 1').waitFor()
  await page.getByRole('button', { name: /^Read .*prune/ }).press('Enter')

  await page.getByRole('button', { name: /^Grep/ }).press('Enter')
  await page.getByRole('region', { name: '/orchard/a.ts' }).getByText('tree').waitFor()
  await expect
    .poll(() => feed.locator('.tool-hits mark').allTextContents())
    .toEqual(['pear', 'pear', 'Pear'])
  await page.getByRole('button', { name: /^Grep/ }).press('Enter')

  await page.getByRole('button', { name: /^TodoWrite/ }).press('Enter')
  await expect
    .poll(() => page.getByRole('region', { name: 'Tasks' }).getByRole('listitem').allTextContents())
    .toEqual(['Cut the peardone', 'Water itin progress', 'Restto do'])
  await expect.poll(() => feed.getByRole('checkbox').count()).toBe(0)
  await page.getByRole('button', { name: /^TodoWrite/ }).press('Enter')

  await page.getByRole('button', { name: /^WebSearch/ }).press('Enter')
  await feed.getByText('https://pear.example/<script>').waitFor()
  await feed.getByText('Prune in winter.').waitFor()
  await expect
    .poll(() => feed.locator('a, script, b:not(.fold b):not(.turn-head b), img').count())
    .toBe(0)
  await page.getByRole('button', { name: /^Read .*prune/ }).press('Enter')
  await page.getByRole('button', { name: /^Grep/ }).press('Enter')
  await page.getByRole('button', { name: /^TodoWrite/ }).press('Enter')
  await page.setViewportSize({ width: 800, height: 900 })
  expect(await faultsInThemes(page, allThemes)).toEqual([])
  expect(problems).toEqual([])
})
