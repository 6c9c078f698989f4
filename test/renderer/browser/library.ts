import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { SourceId } from '../../../src/shared/model/conversation/sources'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { chooseByKeys, hasFocus, settled, withPage } from './page'

const systems = { scenario: 'systems' }
const systemCount = SourceId.options.length
const menuButton = (page: Page) => page.getByRole('button', { name: /^Group by/ })
const list = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })

/** Heads with their counts that are drawn, in the order of the screen. */
function groupsOf(page: Page): Promise<readonly string[]> {
  return list(page).evaluate((box) => {
    const rows = [...box.querySelectorAll('.library-head, .library-row')].sort(
      (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
    )
    const groups: string[] = []
    for (const row of rows)
      if (row.matches('.library-head'))
        groups.push(
          [...row.children]
            .map(({ textContent }) => textContent)
            .join(' ')
            .trim(),
        )
    return groups
  })
}

async function groupBy(page: Page, name: string): Promise<void> {
  await menuButton(page).click()
  await page.getByRole('menuitemradio', { name }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await settled(page)
}

/** Returns true where the element that a list names as its row with the cursor is there. */
function isCursorThere(box: Element): boolean {
  const name = box.getAttribute('aria-activedescendant')
  return name !== null && document.getElementById(name) !== null
}

/** What the library is grouped by, and whose conversations it shows. */
export function library(harness: () => Harness): void {
  it('names a row that is drawn as the one with the cursor, wherever the list is scrolled', () =>
    withPage(harness(), { scenario: 'many' }, async (page) => {
      const box = list(page)
      await box.focus()
      await box.press('Home')
      await expect.poll(() => box.evaluate(isCursorThere)).toBe(true)
      const first = await box.getByRole('option').first().getAttribute('id')
      await box.evaluate((scrolled) => scrolled.scrollTo(0, scrolled.scrollHeight))
      await expect.poll(() => box.getByRole('option').count()).toBeGreaterThan(2)
      await expect
        .poll(() => box.getByRole('option').last().getAttribute('aria-posinset'))
        .toBe(await box.getByRole('option').last().getAttribute('aria-setsize'))
      await expect.poll(() => box.getAttribute('aria-activedescendant')).toBe(first)
      await expect.poll(() => box.evaluate(isCursorThere)).toBe(true)
    }))

  describe('a list that comes in parts', () => {
    const row = (page: Page, title: string) =>
      list(page).getByRole('option', { name: new RegExp(`^${title}`) })
    const topOf = async (page: Page, title: string) =>
      Math.round((await row(page, title).boundingBox())?.y ?? Number.NaN)
    /** Adds rows that are newer than all others, as main tells what it finds. */
    const find = (page: Page, count: number, name: string) =>
      page.evaluate(
        ([number, of]) => {
          const [first] = window.skein.stores.library.getState().conversations
          if (first === undefined) throw new Error('no conversations')
          const conversations = Array.from({ length: number }, (_, n) => ({
            ...first,
            key: `pi:${of}-${n}` as typeof first.key,
            source: 'pi' as const,
            title: `${of} ${n}`,
            updated: new Date(Date.now() + n).toISOString(),
            provisional: true as const,
          }))
          const listing = { state: 'finding' } as const
          window.home.changeLibrary({ conversations, gone: [], listing })
        },
        [count, name] as const,
      )

    it('keeps the row that the pointer is on at its place, also when its time turns out to be another', () =>
      withPage(harness(), { scenario: 'listing' }, async (page) => {
        const held = 'conversation-0004'
        await row(page, held).hover()
        const top = await topOf(page, held)
        await find(page, 7, 'late')
        await page.getByText('60 of 67 read, looking for more').waitFor()
        await expect.poll(() => topOf(page, held)).toBe(top)

        await page.evaluate((title) => {
          const { conversations } = window.skein.stores.library.getState()
          const found = conversations.find((one) => one.title === title)
          if (found === undefined) throw new Error('not there')
          const read = { ...found, title: `${title} read`, updated: '2020-01-01T00:00:00.000Z' }
          const listing = { state: 'reading' } as const
          window.home.changeLibrary({ conversations: [read], gone: [], listing })
        }, held)
        await row(page, `${held} read`).waitFor()
        await expect.poll(() => topOf(page, held)).toBe(top)

        await row(page, 'conversation-0006').hover()
        await row(page, held).waitFor({ state: 'detached' })
        await expect
          .poll(() =>
            page.evaluate(() => window.skein.stores.library.getState().conversations.at(-1)?.title),
          )
          .toBe(`${held} read`)
      }))

    it('keeps the place of a reader who has scrolled, marks what is not read, and is announced once', () =>
      withPage(harness(), { scenario: 'listing' }, async (page) => {
        await row(page, 'conversation-0000').waitFor()
        await list(page).evaluate((box) => box.scrollTo(0, 400))
        await page.mouse.move(0, 0)
        await settled(page)
        const shown = await list(page).evaluate((box) => {
          const top = box.getBoundingClientRect().top + 40
          const inSight = [...box.querySelectorAll('.library-row')].find(
            (one) => one.getBoundingClientRect().top > top,
          )
          return inSight?.querySelector('.library-title')?.textContent ?? ''
        })
        const top = await topOf(page, shown)
        await find(page, 30, 'late')
        await page.getByText('60 of 90 read, looking for more').waitFor()
        await expect.poll(() => topOf(page, shown)).toBe(top)
        const status = page.locator('.library-foot [role=status]')
        await expect.poll(() => status.textContent()).toBe('')

        await list(page).evaluate((box) => box.scrollTo(0, 0))
        await expect
          .poll(() => row(page, 'late 29').getAttribute('aria-description'))
          .toMatch(/Not read yet/)
        expect(await faultsInThemes(page)).toEqual([])
        await page.evaluate(() =>
          window.home.changeLibrary({ conversations: [], gone: [], listing: { state: 'done' } }),
        )
        await expect.poll(() => status.textContent()).toBe('90 conversations listed')
        await find(page, 1, 'later')
        await page.getByText('91 conversations', { exact: true }).waitFor()
        await expect.poll(() => status.textContent()).toBe('90 conversations listed')
      }))
  })

  it('has a heading before there is a conversation', () =>
    withPage(harness(), { scenario: 'empty' }, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'New conversation' }).waitFor()
    }))

  it('has a pinned conversation at its top, by keyboard alone, and Undo takes it back', () =>
    withPage(harness(), { scenario: 'main' }, async (page) => {
      await page.getByRole('feed').waitFor()
      const row = list(page).getByRole('option', { name: /^broken-kettle/ })
      await row.click()
      await chooseByKeys(page, 'Pin')
      await page.getByText('Pinned: broken-kettle', { exact: true }).waitFor()
      await page.keyboard.press('F8')
      await hasFocus(page.getByRole('button', { name: 'Undo', exact: true }))
      await expect.poll(async () => (await groupsOf(page))[0]).toBe('Pinned 1')
      await expect
        .poll(() => row.getAttribute('aria-description'))
        .toMatch(/^Pinned\. broken-kettle/)
      expect(await faultsInThemes(page)).toEqual([])
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await groupsOf(page))[0]).not.toBe('Pinned 1')
    }))

  describe('the library is grouped', () => {
    it('so that it is heard where a group begins', () =>
      withPage(harness(), systems, async (page) => {
        await page.getByRole('feed').waitFor()
        await groupBy(page, 'Source')
        const heads = async () => (await groupsOf(page)).map((head) => head.replace(/ \S+$/, ''))
        const described = () =>
          list(page)
            .getByRole('option')
            .evaluateAll((rows) =>
              rows
                .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
                .flatMap((row) => {
                  const words = row.getAttribute('aria-description') ?? ''
                  const own = row.getAttribute('title') ?? ''
                  return words === own ? [] : [words.slice(0, -own.length - 2)]
                }),
            )
        await expect.poll(heads).toEqual(['chibi', 'voicemode', 'cycod', 'fluux-agent'])
        await expect.poll(described).toEqual(await heads())
      }))

    it('by date, and by what is chosen in its menu by keyboard, which gives the focus back', () =>
      withPage(harness(), systems, async (page) => {
        await page.getByRole('feed').waitFor()
        await expect.poll(() => menuButton(page).textContent()).toBe('Group by: Date')
        await menuButton(page).press('Enter')
        const menu = page.getByRole('menu', { name: 'Group by: Date' })
        await menu.waitFor()
        await expect
          .poll(() => menu.getByRole('menuitemradio').allTextContents())
          .toEqual([
            ...['Date', 'Project', 'Source', 'Model', 'Tag', 'Family', 'Title A–Z', 'Nothing'],
            ...['Newest first', 'By title', 'Most entries first', 'Largest first'],
          ])
        await expect
          .poll(() => menu.getByRole('menuitemradio', { checked: true }).allTextContents())
          .toEqual(['Date', 'Newest first'])
        // The focus comes a moment after the menu, and goes on a moment after the key.
        const isOn = (entry: string) =>
          page.waitForFunction((text) => document.activeElement?.textContent === text, entry)
        await isOn('Date')
        await page.keyboard.press('ArrowDown')
        await isOn('Project')
        await page.keyboard.press('Enter')
        await menu.waitFor({ state: 'detached' })
        await settled(page)
        await expect
          .poll(() => groupsOf(page))
          .toEqual(['garden 2', 'tram/docs 2', 'station/docs 2', 'No project 18'])
        await page.waitForFunction(
          () => document.activeElement?.textContent === 'Group by: Project',
        )
        await page.keyboard.press('Enter')
        await page.getByRole('menu').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await page.waitForFunction(
          () => document.activeElement?.textContent === 'Group by: Project',
        )
      }))

    it('with the whole path of a project in its title, and the names and marks of sources', () =>
      withPage(harness(), systems, async (page) => {
        await groupBy(page, 'Project')
        await page.getByTitle('/home/mira/lines/tram/docs', { exact: true }).waitFor()
        await groupBy(page, 'Source')
        await expect
          .poll(() => groupsOf(page))
          .toEqual(['chibi 6', 'voicemode 6', 'cycod 6', 'fluux-agent 6'])
        await expect.poll(() => page.locator('.library-head .source-mark').count()).toBe(4)
      }))

    it('by title, where arrows, Home, End and letters go as they are shown', () =>
      withPage(harness(), systems, async (page) => {
        await groupBy(page, 'Title A–Z')
        const groups = () => groupsOf(page)
        await expect.poll(async () => (await groups()).slice(0, 2)).toEqual(['Symbols 2', '0–9 2'])
        await expect.poll(groups).toContain('O 2')
        await list(page).focus()
        const active = async () => {
          const id = await list(page).getAttribute('aria-activedescendant')
          return page.evaluate(
            (name) =>
              document.getElementById(name ?? '')?.querySelector('.library-title')?.textContent,
            id,
          )
        }
        await page.keyboard.press('Home')
        await expect.poll(() => active()).toBe('#general 11')
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => active()).toBe('#general 23')
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => active()).toBe('42 ways to sort 10')
        await page.keyboard.type('w')
        await expect.poll(() => active()).toMatch(/^W/)
        await page.keyboard.press('End')
        await expect.poll(() => active()).toMatch(/^把/)
      }))

    it('by title, where a time of yesterday says so', () =>
      withPage(harness(), { ...systems, rows: '26' }, async (page) => {
        const row = page.getByRole('option', { name: /^seed-catalogue 24/ })
        await row.waitFor()
        await expect.poll(() => row.textContent()).toMatch(/^seed-catalogue 24\d\d:\d\d$/)
        await groupBy(page, 'Title A–Z')
        await expect.poll(() => row.textContent()).toBe('seed-catalogue 24Yesterday')
      }))

    it('in the next window as in this one, and shows what is open wherever that stands', () =>
      withPage(harness(), { ...systems, rows: '400' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await groupBy(page, 'Title A–Z')
        const open = page.getByRole('option', { selected: true })
        await expect.poll(() => open.textContent()).toMatch(/^import-gap 0/)
        const isInView = async () => {
          const [box, frame] = [await open.boundingBox(), await list(page).boundingBox()]
          if (box === null || frame === null) return false
          return box.y >= frame.y && box.y + box.height <= frame.y + frame.height
        }
        await expect.poll(isInView).toBe(true)
        await page.reload()
        await page.getByRole('feed').waitFor()
        await expect.poll(() => menuButton(page).textContent()).toBe('Group by: Title A–Z')
      }))

    it('with ten thousand conversations too, of which it draws those that can be seen', () =>
      withPage(harness(), { ...systems, rows: '10000' }, async (page) => {
        await page.getByPlaceholder('Filter 10,000 conversations').waitFor()
        await page.getByText('10,000 conversations', { exact: true }).waitFor()
        for (const name of ['Title A–Z', 'Project', 'Source', 'Date']) {
          await groupBy(page, name)
          await expect.poll(() => page.getByRole('option').count()).toBeLessThan(80)
          await expect
            .poll(() => page.getByRole('option').first().getAttribute('aria-setsize'))
            .toBe('10000')
        }
      }))
  })

  it('offers to search the contents where no title has the words of the filter, by a button and by Enter', () =>
    withPage(harness(), systems, async (page) => {
      const filter = page.getByRole('searchbox', { name: 'Filter conversations' })
      const query = page.getByRole('combobox', { name: 'Search conversations' })
      await filter.fill('reedbed')
      await page.getByText('No title contains “reedbed”.').waitFor()
      await page.getByRole('button', { name: 'Search the contents' }).click()
      await expect.poll(() => query.inputValue()).toBe('reedbed')
      await expect
        .poll(() => query.evaluate((field) => field === document.activeElement))
        .toBe(true)
      await page.keyboard.press('Escape')
      await query.waitFor({ state: 'detached' })
      await filter.fill('willow')
      await page.getByText('No title contains “willow”.').waitFor()
      // Enter of an input method, which ends a composition, searches for nothing.
      await filter.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true })
      await expect
        .poll(() => page.evaluate(() => window.skein.stores.search.getState().isOpen))
        .toBe(false)
      await filter.fill('willow bark')
      await page.getByText('No title contains “willow bark”.').waitFor()
      await filter.press('Enter')
      await expect.poll(() => query.inputValue()).toBe('willow bark')
    }))

  describe('the sources of the library', () => {
    it('are all there with their counts and marks, and chosen with arrows', () =>
      withPage(harness(), systems, async (page) => {
        const sources = page.getByRole('radiogroup', { name: 'Source' })
        const names = ['All', 'chibi 6', 'voicemode 6', 'cycod 6', 'fluux-agent 6']
        await expect.poll(() => sources.locator('label').allTextContents()).toEqual(names)
        await expect.poll(() => sources.locator('.source-mark').count()).toBe(4)
        await sources.getByRole('radio', { name: 'All' }).press('ArrowUp')
        await page.getByText('6 of 24 conversations').waitFor()
        await expect
          .poll(() => sources.getByRole('radio', { name: 'fluux-agent 6' }).isChecked())
          .toBe(true)
        await expect.poll(() => page.getByRole('option').count()).toBe(6)
      }))

    it('fit into the narrowest library, also at twice the size of text', () =>
      withPage(harness(), systems, async (page) => {
        await page.evaluate(() => window.skein.stores.layout.getState().setWidth('library', 240))
        for (const zoom of [1, 2]) {
          await page.evaluate((value) => {
            document.documentElement.style.setProperty('--text-zoom', String(value))
          }, zoom)
          await settled(page)
          const beyond = () =>
            page.getByRole('region', { name: 'Library' }).evaluate((pane) => {
              const edge = pane.getBoundingClientRect().right
              return [...pane.querySelectorAll('.library-view label, .library-view button')].filter(
                (part) => part.getBoundingClientRect().right > edge,
              ).length
            })
          await expect.poll(async () => [zoom, await beyond()]).toEqual([zoom, 0])
        }
      }))

    it('stay when the chosen one has lost its last conversation, and lead back to all', () =>
      withPage(harness(), { ...systems, rows: '3' }, async (page) => {
        await page.getByRole('radio', { name: 'cycod 1' }).check()
        await page.evaluate(() => {
          const { conversations } = window.skein.stores.library.getState()
          const gone = conversations.filter(({ source }) => source === 'cycod')
          window.home.changeLibrary({ conversations: [], gone: gone.map(({ key }) => key) })
        })
        await page.getByText('No conversations from cycod.').waitFor()
        await expect.poll(() => page.getByRole('radio', { name: 'cycod 0' }).isChecked()).toBe(true)
        await page.getByRole('button', { name: 'Show all' }).click()
        await expect.poll(() => page.getByRole('option').count()).toBe(2)
      }))

    it('are in one menu where they are many, each with its count, in one line above the conversations', () =>
      withPage(harness(), { scenario: 'every-system' }, async (page) => {
        const button = page.getByRole('button', { name: /^Source: / })
        await expect.poll(() => button.textContent()).toBe(`Source: any of ${systemCount}`)
        await expect.poll(() => page.getByRole('radiogroup', { name: 'Source' }).count()).toBe(0)
        await button.click()
        const rows = page.getByRole('menuitemradio')
        await expect.poll(() => rows.count()).toBe(systemCount + 1)
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('menuitemradio', { name: 'Kimi 1' }).click()
        await expect.poll(() => button.textContent()).toBe('Source: Kimi')
        await expect
          .poll(() => page.getByRole('option').allTextContents())
          .toEqual([expect.stringContaining('Notes of kimi')])
        await page.getByText(`1 of ${systemCount} conversations`).waitFor()
        await button.press('Enter')
        await page.getByRole('menuitemradio', { name: 'All sources' }).press('Enter')
        await expect.poll(() => button.textContent()).toBe(`Source: any of ${systemCount}`)
        await page.getByText(`${systemCount} conversations`, { exact: true }).waitFor()
      }))

    it('keep who is at them when a menu takes the place of buttons, and buttons that of the menu', () =>
      withPage(harness(), systems, async (page) => {
        const sources = page.getByRole('radiogroup', { name: 'Source' })
        await sources.getByRole('radio', { name: 'All' }).focus()
        const added = ['codex', 'kimi', 'pi'] as const
        const more = added.map((source) => ({
          source,
          key: `${source}:more`,
        }))
        await page.evaluate((list) => {
          const [first] = window.skein.stores.library.getState().conversations
          if (first === undefined) throw new Error('no conversations')
          const conversations = list.map((one) => ({ ...first, ...one })) as (typeof first)[]
          window.home.changeLibrary({ conversations, gone: [] })
        }, more)
        const button = page.getByRole('button', { name: 'Source: any of 7' })
        await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
        await page.evaluate(
          (list) =>
            window.home.changeLibrary({
              conversations: [],
              gone: list.map(({ key }) => key) as never[],
            }),
          more,
        )
        await expect
          .poll(() =>
            sources
              .getByRole('radio', { name: 'All' })
              .evaluate((one) => one === document.activeElement),
          )
          .toBe(true)
      }))

    it('show the chosen one by an outline in high contrast, as pressed buttons are', () =>
      withPage(harness(), systems, async (page) => {
        await page.getByRole('feed').waitFor()
        const shadow = (element: Locator) =>
          element.evaluate((one) => getComputedStyle(one).boxShadow.includes('inset'))
        const chosen = page.locator('.source-choices > .segment', { hasText: 'All' })
        const other = page.locator('.source-choices > .segment', { hasText: 'cycod' })
        const pressed = page.getByRole('button', { name: 'Hide details' }).first()
        await pressed.waitFor()
        await page.evaluate(() => {
          document.documentElement.dataset.contrast = 'more'
        })
        await expect.poll(() => shadow(chosen)).toBe(true)
        await expect.poll(() => shadow(pressed)).toBe(true)
        await expect.poll(() => shadow(other)).toBe(false)
      }))

    it('and the menu of groups have no serious fault of accessibility, light and dark', () =>
      withPage(harness(), systems, async (page) => {
        await page.getByRole('feed').waitFor()
        await groupBy(page, 'Source')
        expect(await faultsInThemes(page)).toEqual([])
        await menuButton(page).click()
        await page.getByRole('menu').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })
}
