import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { coveringViews, type View } from './covering-views'
import { hasFocus, openConversation, withPage } from './page'
import { openPluginSettings } from './plugins'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function openSearch(page: Page): Promise<void> {
  await button(page, 'Search everything').click()
  await hasFocus(page.getByRole('combobox', { name: 'Search conversations' }))
}

/** Every view of the window, as somebody gets there. */
const views: readonly View[] = [
  {
    name: 'a transcript',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await page.getByRole('region', { name: 'Tasks' }).waitFor()
      await page.getByRole('button', { name: /^read_file/ }).click()
      await page.getByRole('button', { name: 'Show bytes' }).click()
    },
  },
  {
    name: 'odd entries',
    query: { scenario: 'states' },
    arrive: (page) => openConversation(page, 'odd-entries'),
  },
  {
    name: 'an answer that broke off',
    query: { scenario: 'states' },
    arrive: async (page) => {
      await openConversation(page, 'broke-off')
      await button(page, 'Show the response').click()
    },
  },
  {
    name: 'a locked conversation',
    query: { scenario: 'states' },
    arrive: (page) => openConversation(page, 'locked-out'),
  },
  {
    name: 'a conversation that is gone',
    query: { scenario: 'states' },
    arrive: async (page) => {
      await openConversation(page, 'gone')
      await page.getByText('missing from disk').waitFor()
    },
  },
  {
    name: 'a new conversation',
    query: { scenario: 'empty' },
    arrive: (page) => page.getByRole('textbox', { name: 'Message' }).fill('When do tulips bloom?'),
  },
  {
    name: 'an export with what is redacted, and a pattern',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await button(page, 'Export').click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      await dialog.getByRole('checkbox', { name: 'Replace secrets' }).check()
      await dialog.locator('summary', { hasText: 'e-mail address' }).click()
    },
  },
  {
    name: 'an export of all into one zip, written',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await page.keyboard.press('Control+Shift+E')
      const dialog = page.getByRole('dialog', { name: 'Export' })
      await dialog.getByRole('radio', { name: 'One zip' }).check()
      await dialog.getByRole('button', { name: /^Export \d+…$/ }).click()
      await dialog.getByText('in a zip of').waitFor()
    },
  },
  {
    name: 'no model',
    query: { scenario: 'no-model' },
    arrive: (page) => button(page, 'Set up a model').waitFor(),
  },
  {
    name: 'a library that cannot be listed',
    query: { scenario: 'library-failure' },
    arrive: (page) => page.getByText('could not be listed').waitFor(),
  },
  {
    name: 'Settings, Model',
    query: { scenario: 'faults' },
    arrive: async (page) => {
      await button(page, 'Settings').click()
      await page.getByRole('main').getByRole('button', { name: 'Test', exact: true }).click()
      await page.getByText('openrouter.ai answers').waitFor()
      await button(page, 'Enter a key…').click()
    },
  },
  {
    name: 'Settings, Prompts',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await page.evaluate(() => window.skein.stores.app.getState().openSettings('prompts'))
      await page.getByRole('region', { name: '/zoo' }).waitFor()
    },
  },
  {
    name: 'a list of prompts and commands',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await page.getByRole('feed').waitFor()
      await page.getByRole('textbox', { name: 'Message', exact: true }).pressSequentially('/')
      await page.getByRole('option', { name: /^\/zoo/ }).waitFor()
    },
  },
  {
    name: 'Settings, Plugins',
    query: { scenario: 'plugins' },
    arrive: async (page) => {
      await openPluginSettings(page)
      await button(page, 'Show runs').click()
      await button(page, 'Review pack').click()
      await button(page, 'Trust this content').waitFor()
    },
  },
  {
    name: 'Settings, the keys of a home, a bad one and a refused one',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await button(page, 'Settings').click()
      await page.getByRole('textbox', { name: 'Fuel' }).fill('many')
      await page.getByRole('textbox', { name: 'Fuel' }).press('Enter')
      await page.getByText('Not changed.').waitFor()
      await page.getByRole('button', { name: 'Context window comes from:' }).click()
    },
  },
  {
    name: 'Settings, a file that is no TOML',
    query: { scenario: 'main', 'broken-config': '1' },
    arrive: async (page) => {
      await button(page, 'Settings').click()
      await page.getByText('config.toml is ignored').first().waitFor()
    },
  },
  {
    name: 'Settings, Appearance',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await button(page, 'Settings').click()
      await button(page, 'Appearance').click()
      await page.getByText('Text size').waitFor()
    },
  },
  {
    name: 'Settings, Exports, a kept pattern, one that was removed and one that is typed',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await button(page, 'Settings').click()
      await button(page, 'Exports').click()
      const field = page.getByRole('textbox', { name: 'Own patterns' })
      for (const pattern of ['Plum & Sons', '/PLUM-\\d+/']) {
        await field.fill(pattern)
        await field.press('Enter')
        await button(page, `Remove ${pattern}`).waitFor()
      }
      await button(page, 'Remove Plum & Sons').click()
      await button(page, 'Undo').waitFor()
      await field.fill('plum')
      await page.getByText(/^4 places in/).waitFor()
    },
  },
  {
    name: 'Settings, Sources, and a folder whose source is chosen',
    query: { scenario: 'sources' },
    arrive: async (page) => {
      await button(page, 'Settings').click()
      await button(page, 'Sources').click()
      await page.evaluate(() => window.home.sources.pick('/home/mira/chats', []))
      await button(page, 'Add a folder…').click()
      await page.getByRole('group', { name: 'Whose conversations are these?' }).waitFor()
    },
  },
  {
    name: 'branches, the tree and a list of ways',
    query: { scenario: 'branches', counting: '1' },
    arrive: async (page) => {
      await page.getByRole('tree').waitFor()
      await button(page, 'Branch 1 / 3').click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'a message that is edited, and a refusal',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await page.getByRole('article', { name: /^You/ }).last().press('e')
      await page.evaluate(() => window.refuseNext('no-key', 'There is no key.'))
      await button(page, 'Send as a new branch').click()
      await page.getByText('Not sent.').waitFor()
    },
  },
  {
    name: "another system's conversation",
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await openConversation(page, 'Where does the gap start')
      await button(page, 'Continue here').waitFor()
    },
  },
  {
    name: 'a copy of it, with its report',
    query: { scenario: 'branches' },
    arrive: async (page) => {
      await openConversation(page, 'Where does the gap start')
      await button(page, 'Continue here').click()
      await page.getByText('word for word').waitFor()
    },
  },
  {
    name: 'the export',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await button(page, 'Export').click()
      await button(page, 'Export…').click()
      await page.getByText('11 entries').waitFor()
    },
  },
  {
    name: 'the search, its language',
    query: { scenario: 'search' },
    arrive: async (page) => {
      await button(page, 'Search everything').click()
      await page.getByRole('heading', { name: /^Search all/ }).waitFor()
    },
  },
  {
    name: 'the search, its hits and a notice',
    query: { scenario: 'search', notice: '1' },
    arrive: async (page) => {
      await openSearch(page)
      await page.keyboard.type('-source:x "clock change" utc')
      await page.getByText('11 hits in 5 conversations').waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'the search while it goes on, and the index is being built',
    query: { scenario: 'search' },
    arrive: async (page) => {
      await openSearch(page)
      await page.evaluate(() => {
        window.home.search.hold()
        window.home.api.tell.search.index({ bytes: 1e9, bytesDone: 3e8, building: true })
      })
      await page.keyboard.insertText('utc')
      await page.getByText('Searching…').waitFor()
      await page.waitForFunction(() => window.home.search.held() === 'utc')
      await page.evaluate(() => window.home.search.tell(3, 'oldest'))
      await page.keyboard.press('ArrowDown')
      await hasFocus(page.getByRole('listbox', { name: 'Hits' }))
      await page.evaluate(() => window.home.search.tell(3, 'newest'))
      await page.getByRole('button', { name: '3 newer' }).waitFor()
    },
  },
  {
    name: 'a search that finds nothing',
    query: { scenario: 'search' },
    arrive: async (page) => {
      await openSearch(page)
      await page.keyboard.type('tool:bash zebra')
      await page.getByRole('heading', { name: 'No results' }).waitFor()
    },
  },
  {
    name: 'a conversation that was opened from a hit',
    query: { scenario: 'search' },
    arrive: async (page) => {
      await openSearch(page)
      await page.keyboard.type('utc')
      await page.getByText(/hits in/).waitFor()
      await page.keyboard.press('ArrowDown')
      await hasFocus(page.getByRole('listbox', { name: 'Hits' }))
      await page.keyboard.press('Enter')
      await button(page, 'Back to results').waitFor()
    },
  },
  {
    name: 'problems, a damaged line and a question',
    query: { scenario: 'lost' },
    arrive: async (page) => {
      await button(page, 'Problems, 7').click()
      await page.getByRole('button', { name: /^Show 3 lines/ }).click()
      await page.getByRole('button', { name: /^Line 2/ }).click()
      await page
        .getByRole('button', { name: /^Forget/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Cancel' }).waitFor()
    },
  },
  {
    name: 'problems, none',
    query: { scenario: 'main' },
    arrive: async (page) => {
      await button(page, 'Problems').click()
      await page.getByRole('heading', { name: 'No problems' }).waitFor()
    },
  },
  {
    name: 'problems, not checked',
    query: { scenario: 'lost', failure: '1' },
    arrive: async (page) => {
      await button(page, 'Problems').click()
      await page.getByRole('heading', { name: /could not be checked/ }).waitFor()
    },
  },
  {
    name: 'the first start',
    query: { scenario: 'first-run' },
    arrive: (page) => page.getByText('Ollama').waitFor(),
  },
  {
    name: 'the first start, with histories that were found',
    query: { scenario: 'first-run', found: '1' },
    arrive: async (page) => {
      await page.getByText('Found. Counted when it is read.').waitFor()
      await page.getByText('Where else Skein looked').click()
    },
  },
  {
    name: 'a home that cannot be read',
    query: { scenario: 'unreadable-home' },
    arrive: (page) => page.getByRole('heading', { name: /can’t be opened/ }).waitFor(),
  },
  ...coveringViews,
]

/** What everybody can see, hear and use. */
export function accessibility(harness: () => Harness): void {
  it.each(views)(
    '$name has no serious fault of accessibility, light and dark, with high contrast too',
    ({ query, arrive }) =>
      withPage(harness(), query, async (page) => {
        await arrive(page)
        await expect.poll(() => faultsInThemes(page, allThemes)).toEqual([])
      }),
  )
}
