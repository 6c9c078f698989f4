import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsInThemes } from '../renderer/browser/accessible'
import { hasFocus } from '../renderer/browser/page'
import { activeEntries, launchSkein } from './support/app'
import { branchingHome } from './support/branching-home'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { partsOf } from './support/scenes'

const map = (page: Page) => page.getByRole('main', { name: 'Map of branches' })
const tree = (page: Page) => map(page).getByRole('tree', { name: 'Branches' })
const row = (page: Page, name: RegExp) => tree(page).getByRole('treeitem', { name })
const comparison = (page: Page) => page.getByRole('main', { name: 'Comparison' })
const filter = (page: Page) => map(page).getByRole('group', { name: 'Filter' })
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
const editor = (page: Page) => page.getByRole('textbox', { name: 'Edit the message' })

/** Launches a home with a family of seven branches, whose model summarizes and answers. */
async function launchFamily() {
  const asked: string[] = []
  const baseUrl = await endpoint((response, { messages }) => {
    const isSummary = /summarize/i.test(messages[0]?.content ?? '')
    asked.push(isSummary ? 'summary' : (messages.at(-1)?.content ?? ''))
    beginStream(response)
    sendText(response, isSummary ? 'UTC was tried and **worked**.' : 'A new answer.')
    endStream(response)
  })
  const home = branchingHome(baseUrl)
  const launched = await launchSkein({ home })
  await partsOf(launched.page).conversation('import-gap').waitFor()
  return { ...launched, asked, home }
}

async function mapIsDrawn(page: Page): Promise<void> {
  await page.locator('.map-canvas[data-drawn]').waitFor()
  await map(page).getByText('7 branches, 201 entries').waitFor()
  await hasFocus(tree(page))
}

/** Goes on by a key until an element has the focus. */
async function goBy(page: Page, key: string, to: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await to.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead there`)
}

/** Moves the cursor of the tree to a row by the first letters of its title. */
async function goToRow(page: Page, letters: string, name: RegExp): Promise<void> {
  await page.keyboard.type(letters)
  await row(page, name).and(page.locator('[aria-selected="true"]')).waitFor()
}

const failedOnly = /^[1-9]\d* of 201 entries shown$/
const filterIsOn = (page: Page) =>
  expect.poll(() => filter(page).getByRole('status').textContent()).toMatch(failedOnly)

it('by keyboard alone: a family, its map, a filter, a comparison, an edit into a branch, and back', async () => {
  const { page, asked, home, problems } = await launchFamily()
  const { transcript, library } = partsOf(page)
  const before = activeEntries(home, 'import-gap')
  await page.keyboard.press('Control+k')
  await hasFocus(page.getByRole('searchbox', { name: 'Filter conversations' }))
  await page.keyboard.type('import-gap')
  await page.keyboard.press('ArrowDown')
  await hasFocus(library)
  await page.keyboard.press('Enter')
  await heading(page, 'import-gap').waitFor()
  await transcript.waitFor()

  await page.keyboard.press('Control+Shift+m')
  await mapIsDrawn(page)
  await goBy(page, 'Shift+Tab', filter(page).getByRole('button', { name: 'Failed tools' }))
  await page.keyboard.press('Enter')
  await filterIsOn(page)
  await goBy(page, 'Tab', tree(page))
  await goToRow(page, 'with a', /^With a check constraint/)
  expect(await faultsInThemes(page)).toEqual([])

  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+Enter')
  await comparison(page).waitFor()
  await comparison(page).getByRole('region', { name: 'Side B' }).waitFor()
  await comparison(page).getByText('constraint', { exact: true }).first().waitFor()
  expect(await faultsInThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await mapIsDrawn(page)
  await filterIsOn(page)

  await goToRow(page, 'fix: c', /^Fix: compare in UTC/)
  await page.keyboard.press('Shift+F10')
  const edit = page.getByRole('menuitem', { name: 'Edit', exact: true })
  await edit.waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]'))
  await goBy(page, 'ArrowDown', edit)
  await page.keyboard.press('Enter')
  await hasFocus(editor(page))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Fix: compare in local time')
  await page.keyboard.press('Enter')
  await heading(page, 'import-gap-2').waitFor()
  await transcript.getByText('A new answer.').waitFor()
  expect(asked).toEqual(['Fix: compare in local time'])
  expect(activeEntries(home, 'import-gap')).toEqual(before)

  await page.keyboard.press('Alt+ArrowLeft')
  await heading(page, 'import-gap').waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await map(page).waitFor()
  await row(page, /^Fix: compare in UTC/)
    .and(page.locator('[aria-selected="true"]'))
    .waitFor()
  await expect
    .poll(() => filter(page).getByRole('status').textContent())
    .toMatch(/^[1-9]\d* of 2\d\d entries shown$/)
  await hasFocus(tree(page))
  await page.keyboard.press('Alt+ArrowRight')
  await map(page).waitFor({ state: 'detached' })
  await heading(page, 'import-gap').waitFor()
  await page.keyboard.press('Alt+ArrowRight')
  await heading(page, 'import-gap-2').waitFor()
  expect(problems).toEqual([])
})

it('by mouse: a name, a comparison, an edit with a summary of what is left, and back', async () => {
  const { page, asked, home, problems } = await launchFamily()
  const { conversation, transcript } = partsOf(page)
  await conversation('import-gap').click()
  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await mapIsDrawn(page)
  await filter(page).getByRole('button', { name: 'Failed tools' }).click()
  await filterIsOn(page)
  const constraint = row(page, /^With a check constraint/)
  await constraint.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Name…' }).click()
  const question = page.getByRole('dialog', { name: 'Name of the branch' })
  await question.getByRole('textbox', { name: 'Name' }).fill('strict')
  await question.getByText('green').click()
  await question.getByRole('button', { name: 'Save', exact: true }).click()
  await question.waitFor({ state: 'detached' })
  await hasFocus(tree(page))
  await row(page, /^With a check constraint.*strict/).waitFor()

  const card = page.locator('.map-card.selected')
  await card.getByRole('button', { name: 'Mark as B' }).click()
  await card.getByRole('button', { name: 'Compare A with B' }).click()
  const side = comparison(page).getByRole('region', { name: 'Side B' })
  await side.getByText('strict').waitFor()
  await page.getByRole('button', { name: 'Close comparison' }).click()
  await mapIsDrawn(page)

  await row(page, /^Fix: compare in UTC/).click()
  await card.getByRole('button', { name: 'Edit' }).click()
  await editor(page).fill('Fix: compare in local time')
  await page.getByRole('button', { name: 'With a summary…' }).click()
  const branch = page.getByRole('dialog', { name: 'Send as a new branch' })
  await branch.getByRole('radio', { name: 'Summary', exact: true }).waitFor()
  expect(await faultsInThemes(page)).toEqual([])
  await branch.getByRole('button', { name: 'Send' }).click()
  await heading(page, 'import-gap-2').waitFor()
  await transcript.getByText('A new answer.').waitFor()
  await transcript.getByText(/Another branch was left/).waitFor()
  await transcript.getByRole('button', { name: 'Summary', exact: true }).click()
  await transcript.getByText('worked', { exact: true }).waitFor()
  expect(asked[0]).toBe('summary')
  expect(asked[1]?.endsWith('Fix: compare in local time')).toBe(true)
  const own = activeEntries(home, 'import-gap-2').slice(-3)
  expect(
    own.map(({ metadata }) => (metadata as { injected?: true } | undefined)?.injected),
  ).toEqual([true, undefined, undefined])

  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await heading(page, 'import-gap').waitFor()
  await pressSideButton(page, 'back')
  await map(page).waitFor()
  await row(page, /^Fix: compare in UTC/)
    .and(page.locator('[aria-selected="true"]'))
    .waitFor()
  await pressSideButton(page, 'forward')
  await map(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Forward', exact: true }).click()
  await heading(page, 'import-gap-2').waitFor()
  expect(problems).toEqual([])
})

/** Presses a button at the side of the mouse, which the library of the tests has no name for. */
async function pressSideButton(page: Page, button: 'back' | 'forward'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const type of ['mousePressed', 'mouseReleased'] as const)
    await session.send('Input.dispatchMouseEvent', { type, button, x: 600, y: 300, clickCount: 1 })
  await session.detach()
}
