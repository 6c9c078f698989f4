import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, settled, withPage } from './page'

const rows = (page: Page) => page.locator('.library-row')
const chips = (page: Page) => page.getByRole('group', { name: 'Filters' })
const listButton = (page: Page) => page.getByRole('button', { name: 'Lists' })

async function choose(page: Page, name: RegExp): Promise<void> {
  await listButton(page).click()
  await page.getByRole('menuitemradio', { name }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** Adds conversations to the list, as main tells them. */
async function add(page: Page, some: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  await page.evaluate((given) => {
    const [first] = window.skein.stores.library.getState().conversations
    if (first === undefined) throw new Error('no conversations')
    const conversations = given.map((one) => ({ ...first, ...one }) as typeof first)
    window.home.changeLibrary({ conversations, gone: [] })
  }, some)
}

/** The smart lists of the library, its filters as chips, and its orders. */
export function smartListsOfLibrary(harness: () => Harness): void {
  describe('the lists of the library', () => {
    it('leave what fits them, each as a chip that takes it away, and last over a restart', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const all = await rows(page).count()
        await add(page, [
          {
            key: 'pi:long',
            source: 'pi',
            title: 'a long one',
            entries: 900,
            project: '/home/mira/ferry/',
          },
          {
            key: 'pi:short',
            source: 'pi',
            title: 'a short one',
            entries: 2,
            project: '/home/mira/ferry',
          },
        ])
        await choose(page, /^Long/)
        await expect.poll(() => rows(page).count()).toBe(1)
        await chips(page).getByText('List: Long').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await page.reload()
        await page.getByRole('feed').waitFor()
        await chips(page).getByText('List: Long').waitFor()
        await page.getByText('Conversations of 500 entries and more: none here.').waitFor()
        await page.getByRole('button', { name: 'Remove the filter List: Long' }).press('Enter')
        await expect.poll(() => rows(page).count()).toBe(all)
        // There was no list to go to.
        await hasFocus(page.getByRole('searchbox', { name: 'Filter conversations' }))
      }))

    it('show the project of the open conversation, together with other filters, one by one', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const project = '/home/mira/ferry'
        await add(page, [
          { key: 'pi:one', source: 'pi', title: 'one', project, tags: ['deck'] },
          { key: 'cycod:two', source: 'cycod', title: 'two', project: `${project}/` },
        ])
        const open = await page.evaluate(() => {
          const { place } = window.skein.stores.app.getState()
          return place.type === 'conversation' ? place.key : ''
        })
        await add(page, [{ key: open, title: 'open', project }])
        await choose(page, /^This project: ferry/)
        await expect.poll(() => rows(page).count()).toBe(3)
        await page.evaluate(() => window.skein.stores.library.getState().setTag('deck'))
        await expect.poll(() => rows(page).count()).toBe(1)
        await page.evaluate(() => window.skein.stores.library.getState().setSource('cycod'))
        await page.getByText('No conversation fits all of these filters.').waitFor()
        await page.getByRole('button', { name: 'Remove the filter Tag: deck' }).click()
        await expect.poll(() => rows(page).count()).toBe(1)
        await page.evaluate(() => window.skein.stores.library.getState().setSource(undefined))
        await expect.poll(() => rows(page).count()).toBe(3)
      }))

    it('read conversations where rows do not tell, and say when that fails', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate(() => {
          const { place } = window.skein.stores.app.getState()
          if (place.type !== 'conversation') throw new Error('none is open')
          window.home.append(place.key, [{ role: 'user', content: 'And then?' }])
        })
        // What follows that entry has been asked for: it is the reading of the list that is refused.
        await page.getByRole('feed').getByText('And then?').waitFor()
        await settled(page)
        await page.evaluate(() => window.refuseNext('unreadable', 'The disk is away.'))
        await choose(page, /^Unfinished/)
        await page.getByText('The conversations could not be read.').waitFor()
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect.poll(() => rows(page).count()).toBe(1)
        await page.evaluate(() => window.skein.stores.readList.setState({ unread: 2 }))
        const words = '2 conversations could not be read whole, and may belong here.'
        await page.getByRole('status').filter({ hasText: words }).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('are sorted by size and by number of entries, which the rows then show', () =>
      withPage(harness(), { scenario: 'systems' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await add(page, [
          { key: 'pi:big', source: 'pi', title: 'big', bytes: 9_000_000, entries: 3 },
          { key: 'pi:many', source: 'pi', title: 'many', bytes: 9, entries: 90_000 },
        ])
        const order = async (name: string) => {
          await page.getByRole('button', { name: /^Group by/ }).click()
          await page.getByRole('menuitemradio', { name }).click()
          await page.getByRole('menu').waitFor({ state: 'detached' })
          await settled(page)
        }
        const first = () => page.getByRole('option', { name: /./ }).first().textContent()
        await order('Nothing')
        await order('Largest first')
        await expect.poll(first).toMatch(/^big8\.6 MB$/)
        await order('Most entries first')
        await expect.poll(first).toBe('many90,000 entries')
        await page.getByRole('button', { name: 'Group by: Nothing, Most entries first' }).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })
}
