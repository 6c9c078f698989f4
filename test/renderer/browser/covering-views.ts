import type { Page } from 'playwright-core'
import { hasFocus, openConversation } from './page'

/** A view of the window, as somebody gets there. */
export interface View {
  readonly name: string
  readonly query: Readonly<Record<string, string>>
  readonly arrive: (page: Page) => Promise<void>
}

const main = (page: Page, name: string) => page.getByRole('main', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Opens the map of the open conversation, and waits until it is drawn. */
async function openMap(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+M')
  await page.locator('.map-canvas[data-drawn]').waitFor()
  await hasFocus(main(page, 'Map of branches').getByRole('tree'))
}

/** Compares the open conversation with the first branch of its family. */
async function compare(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+D')
  const field = page.getByRole('combobox', { name: 'Compare with' })
  await hasFocus(field)
  await field.press('Enter')
  await main(page, 'Comparison').getByRole('article').first().waitFor()
}

async function openStatistics(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('Control+Shift+S')
  await hasFocus(page.getByRole('group', { name: 'Numbers' }))
}

/** Answers wait, so that a view is seen while it reads. */
async function hold(page: Page): Promise<void> {
  await page.evaluate(() => window.home.hold())
}

/** The next answer is a failure. */
async function refuse(page: Page): Promise<void> {
  await page.evaluate(() => window.refuseNext('unreadable', 'The folder is gone.'))
}

/** The views over the conversation that branches and numbers have, each with its other states. */
export const coveringViews: readonly View[] = [
  {
    name: 'the map, a card with all its buttons, and the compared',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await openMap(page)
      await page.keyboard.type('with a c')
      const card = page.locator('.map-card.selected', { hasText: 'With a check' })
      await card.getByRole('button', { name: 'Mark as B' }).click()
      await button(page, 'Compare A with B').waitFor()
    },
  },
  {
    name: 'the map, filtered',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await openMap(page)
      await button(page, 'Mine only').click()
      await button(page, 'Show all').waitFor()
      await button(page, /^Source/).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'the map while it is read',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await hold(page)
      await page.keyboard.press('Control+Shift+M')
      await page.getByText('Reading the conversations of this family…').waitFor()
    },
  },
  {
    name: 'the map, failed',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await refuse(page)
      await page.keyboard.press('Control+Shift+M')
      await main(page, 'Map of branches').getByText('The folder is gone.').waitFor()
    },
  },
  {
    name: 'the map of a conversation without entries',
    query: { scenario: 'bare' },
    arrive: async (page) => {
      await openConversation(page, 'bare')
      await page.keyboard.press('Control+Shift+M')
      await page.getByText('This conversation has no entries yet.').waitFor()
    },
  },
  {
    name: 'a comparison, side by side',
    query: { scenario: 'branches' },
    arrive: compare,
  },
  {
    name: 'a comparison, unified, with its numbers',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await compare(page)
      await page.getByText('Unified').click()
      await button(page, 'Numbers').click()
      await page.getByRole('region', { name: 'Numbers' }).waitFor()
    },
  },
  {
    name: 'the choice of what to compare with',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await page.keyboard.press('Control+Shift+D')
      await hasFocus(page.getByRole('combobox', { name: 'Compare with' }))
    },
  },
  {
    name: 'a comparison while both are read',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await page.keyboard.press('Control+Shift+D')
      const field = page.getByRole('combobox', { name: 'Compare with' })
      await hasFocus(field)
      await hold(page)
      await field.press('Enter')
      await page.getByText('Reading and comparing both conversations…').waitFor()
    },
  },
  {
    name: 'a comparison, failed',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await page.keyboard.press('Control+Shift+D')
      const field = page.getByRole('combobox', { name: 'Compare with' })
      await hasFocus(field)
      await refuse(page)
      await field.press('Enter')
      await page.getByText('Not compared.').waitFor()
    },
  },
  {
    name: 'a comparison of two conversations that say the same',
    query: { scenario: 'bare' },
    arrive: async (page) => {
      await openConversation(page, 'once')
      await page.keyboard.press('Control+Shift+D')
      const field = page.getByRole('combobox', { name: 'Compare with' })
      await hasFocus(field)
      await field.fill('again')
      await field.press('Enter')
      await page.getByText(/^Both end at their fork/).waitFor()
    },
  },
  {
    name: 'statistics, pictures',
    query: { scenario: 'statistics' },
    arrive: async (page) => {
      await openStatistics(page)
      await page.getByRole('table', { name: 'Tools by calls' }).waitFor()
    },
  },
  {
    name: 'statistics, tables',
    query: { scenario: 'statistics' },
    arrive: async (page) => {
      await openStatistics(page)
      const pictures = page.getByRole('button', { name: /: show as a table$/ })
      await pictures.first().waitFor()
      for (let left = await pictures.count(); left > 0; left--) await pictures.first().click()
      await pictures.first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'statistics while conversations are read',
    query: { scenario: 'statistics', uncounted: '3' },
    arrive: async (page) => {
      await openStatistics(page)
      await page.getByText(/^Still reading: 18 of 21 conversations/).waitFor()
    },
  },
  {
    name: 'statistics, empty',
    query: { scenario: 'empty' },
    arrive: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      await page.keyboard.press('Control+Shift+S')
      await page.getByText('No conversations yet. There is nothing to count.').waitFor()
    },
  },
  {
    name: 'statistics, failed',
    query: { scenario: 'statistics' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await refuse(page)
      await page.keyboard.press('Control+Shift+S')
      await page.getByText('The statistics could not be read.').waitFor()
    },
  },
  {
    name: 'the dialog of a label',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await page.getByRole('article').last().press('l')
      await page.getByRole('dialog', { name: 'Label' }).waitFor()
    },
  },
  {
    name: 'reasoning that a source keeps apart',
    query: { scenario: 'bare' },
    arrive: async (page) => {
      await openConversation(page, 'reasoned')
      await button(page, /^Reasoning/).click()
      await page.getByText('The tide is late by an hour.').waitFor()
    },
  },
]
