import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, openedAtEnd, resize, withPage } from './page'

const openRouter = 'https://openrouter.ai/api/v1'
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Choose a model' })
const field = (page: Page) => dialog(page).getByRole('combobox', { name: 'Find a model' })
const options = (page: Page) => dialog(page).getByRole('option')
const label = (page: Page) => page.locator('.model-label')
const choices = (page: Page) => page.evaluate(() => window.home.models.choices)

async function openPicker(page: Page): Promise<void> {
  await page.getByRole('feed').waitFor()
  await label(page).press('Enter')
  await dialog(page).getByText('more models: type to narrow').waitFor()
  await hasFocus(field(page))
}

/** The text of the option that the field names as its active one. */
const active = (page: Page) =>
  field(page).evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant') ?? ''
    const option = document.getElementById(id)
    if (option?.getAttribute('aria-selected') !== 'true') return undefined
    const list = option.parentElement?.getBoundingClientRect()
    const own = option.getBoundingClientRect()
    const isSeen = list !== undefined && own.top >= list.top - 1 && own.bottom <= list.bottom + 1
    return `${isSeen ? '' : 'out of sight: '}${option.querySelector('.label')?.textContent}`
  })

/** The choice of a model, and the providers in Settings. */
export function choosingModels(harness: () => Harness): void {
  it('the models that answer at the first start are told whole in a narrow window', () =>
    withPage(harness(), { scenario: 'first-run' }, async (page) => {
      const lines = page.locator('.first-run-line')
      await lines.getByText('127.0.0.1:11434').waitFor()
      for (const width of [1024, 480]) {
        await resize(page, { width, height: 768 })
        const cut = () =>
          lines
            .locator('*')
            .evaluateAll((all) =>
              all
                .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
                .map((one) => one.textContent),
            )
        await expect.poll(cut).toEqual([])
      }
    }))

  describe('the choice of a model', () => {
    it('is made by keyboard alone: parts of a name, arrows, Enter; the focus goes back', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        await expect.poll(() => active(page)).toBe('maker-3/model-3')
        await page.keyboard.type('SONNET anthropic')
        await dialog(page).getByText('1 model', { exact: true }).waitFor()
        await expect.poll(() => active(page)).toBe('Anthropic: Claude Sonnet 4.5')
        const words = () => options(page).first().textContent()
        await expect.poll(words).toContain('1M context')
        await expect.poll(words).toContain('$3.00 in, $15.00 out per 1M')
        await page.keyboard.press('Enter')
        await dialog(page).waitFor({ state: 'detached' })
        await hasFocus(label(page))
        await expect
          .poll(() => choices(page))
          .toEqual([
            { key: 'import-gap', baseUrl: openRouter, model: 'anthropic/claude-sonnet-4.5' },
          ])
        await label(page).getByText('anthropic/claude-sonnet-4.5').waitFor()
      }))

    it('is left by Escape without a tooltip over what is below', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
        await hasFocus(label(page))
        await expect.poll(() => page.locator('.tooltip').count()).toBe(0)
        // Tab shows it as ever.
        await page.keyboard.press('Tab')
        await page.keyboard.press('Shift+Tab')
        await page.locator('.tooltip').waitFor()
      }))

    it('moves through thousands with the arrows and the page keys, and keeps the one in sight', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        await expect.poll(() => options(page).count()).toBeLessThanOrEqual(151)
        for (const [key, name] of [
          ['ArrowDown', 'Anthropic: Claude Sonnet 4.5'],
          ['ArrowDown', 'Qwen3 14B (free)'],
          ['ArrowUp', 'Anthropic: Claude Sonnet 4.5'],
          ['PageUp', 'maker-3/model-3'],
          ['PageDown', 'maker-4/model-4'],
          ['PageDown', 'maker-12/model-12'],
        ] as const) {
          await page.keyboard.press(key)
          await expect.poll(async () => [key, await active(page)]).toEqual([key, name])
        }
        for (let step = 0; step < 16; step++) await page.keyboard.press('ArrowUp')
        await expect.poll(() => active(page)).toBe('maker-3/model-3')
        await page.keyboard.press('ArrowUp')
        // From the first to the last that is drawn.
        await expect.poll(() => active(page)).toMatch(/^maker-(?!3\/)\d+\/model-\d+$/)
        await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
      }))

    it('is left by Escape, which ends nothing else', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        await page.keyboard.type('qwen')
        await page.keyboard.press('Escape')
        await dialog(page).waitFor({ state: 'detached' })
        await hasFocus(label(page))
        await expect.poll(() => choices(page)).toEqual([])
      }))

    it('takes a name that is on no list, as it is', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        await page.keyboard.type('my/own-model')
        await options(page).getByText('Use “my/own-model”').waitFor()
        await page.keyboard.press('Enter')
        await dialog(page).waitFor({ state: 'detached' })
        await expect.poll(async () => (await choices(page)).at(-1)?.model).toBe('my/own-model')
      }))

    it('says who answers now, what comes before it, and why it was refused', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        await dialog(page).getByText('Now: claude-sonnet-4.5, from config.toml:3.').waitFor()
        await dialog(page).getByText('Default for all conversations').click()
        await dialog(page).getByText('config.toml:3 overrides a choice made here').waitFor()
        await page.evaluate(() =>
          window.refuseNext('read-only', 'The model is set in config.toml:3. Change it there.'),
        )
        await options(page).nth(1).click()
        await dialog(page)
          .getByText('The model is set in config.toml:3. Change it there.')
          .waitFor()
        await expect.poll(() => choices(page)).toEqual([])
        await options(page).nth(1).click()
        await dialog(page).waitFor({ state: 'detached' })
        await expect
          .poll(() => choices(page))
          .toEqual([{ baseUrl: openRouter, model: 'anthropic/claude-sonnet-4.5' }])
      }))

    it('tells how old the lists are, and fetches them again', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        await dialog(page).getByText('Lists fetched 3 hours ago.').waitFor()
        const asked = () => page.evaluate(() => window.home.models.asked.length)
        const before = await asked()
        await dialog(page).getByRole('button', { name: 'Fetch again' }).click()
        await page.waitForFunction((count) => window.home.models.asked.length > count, before)
        // OpenAI has no key, and is not asked.
        await expect
          .poll(() => page.evaluate(() => window.home.models.asked.join()))
          .not.toContain('openai.com')
      }))

    it('can be used by everybody, in a small window with large text too', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openPicker(page)
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.type('gnorw')
        await dialog(page).getByText('⟨U+202E⟩gnorw').waitFor()
        for (const [width, height, zoom] of [
          [1440, 900, 1],
          [800, 600, 1],
          [800, 600, 1.5],
        ] as const) {
          await resize(page, { width, height, zoom })
          const look = () =>
            dialog(page).evaluate((element) => {
              const { left, right, top, bottom } = element.getBoundingClientRect()
              return {
                sideways: element.scrollWidth - element.clientWidth,
                isInside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
              }
            })
          await expect
            .poll(async () => [width, zoom, await look()])
            .toEqual([width, zoom, { sideways: 0, isInside: true }])
        }
      }))
  })

  describe('the providers in Settings', () => {
    const openSettings = async (page: Page) => {
      await page.getByRole('feed').waitFor()
      await page.evaluate(() => window.skein.stores.app.getState().openSettings('model'))
      await page.getByRole('heading', { name: 'Providers' }).waitFor()
    }

    it('are added, get a key, are renamed and removed, by keyboard', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        const add = page.getByRole('button', { name: 'Add a provider…' })
        const name = page.getByRole('textbox', { name: 'Name', exact: true })
        await add.press('Enter')
        await hasFocus(name)
        await page.keyboard.type('OpenAI')
        await page.keyboard.press('Tab')
        await page.keyboard.type('https://work.example/v1')
        await page.keyboard.press('Enter')
        await page.getByText('A provider named "OpenAI" already exists.').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await name.fill('Work')
        await page.keyboard.press('Enter')
        const row = (name: string) => page.getByRole('group', { name: `Provider ${name}` })
        await row('Work').getByText('No key yet').waitFor()
        await hasFocus(add)

        await row('Work').getByRole('button', { name: 'Add a key…' }).click()
        await hasFocus(page.getByLabel('Key for Work'))
        await page.keyboard.type('sk-0123456789abcdefghij')
        await page.keyboard.press('Enter')
        await row('Work').getByText('Key sk-012…ghij from keychain').waitFor()
        await expect
          .poll(() => page.evaluate(() => window.home.models.keys))
          .toEqual(['named-2: 23'])
        await expect.poll(() => page.content()).not.toContain('sk-0123456789')

        // What is typed as a key is never shown, whatever is pressed next.
        await row('Work').getByRole('button', { name: 'Replace key…' }).click()
        await hasFocus(page.getByLabel('Key for Work'))
        await page.keyboard.type('sk-half-a-key')
        await row('Work').getByRole('button', { name: 'Rename…' }).click()
        await expect.poll(() => row('Work').getByRole('textbox').inputValue()).toBe('Work')
        await row('Work').getByRole('button', { name: 'Cancel' }).click()
        await row('Work').getByRole('button', { name: 'Remove key' }).click()
        await row('Work').getByText('No key yet').waitFor()
        await hasFocus(row('Work').getByRole('button', { name: 'Add a key…' }))

        await row('Work').getByRole('button', { name: 'Rename…' }).click()
        await hasFocus(row('Work').getByRole('textbox'))
        await page.keyboard.press('Control+A')
        await page.keyboard.type('Office')
        await page.keyboard.press('Enter')
        await row('Office').getByRole('button', { name: 'Remove', exact: true }).click()
        await row('Office').waitFor({ state: 'detached' })
        await hasFocus(add)
      }))

    it('are asked in the API that is chosen, by keyboard', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        const row = page.getByRole('group', { name: 'Provider OpenRouter' })
        const api = row.getByRole('combobox', { name: 'API of OpenRouter' })
        await expect.poll(() => api.inputValue()).toBe('chat-completions')
        await api.focus()
        await page.keyboard.type('R')
        await expect.poll(() => api.inputValue()).toBe('responses')
        await hasFocus(api)
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('wait for their answers as long as is entered, by keyboard', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        const row = page.getByRole('group', { name: 'Provider OpenRouter' })
        const button = row.getByRole('button', { name: 'Timeouts…' })
        const first = row.getByLabel('Seconds to the first byte')
        const words = row.getByText('Waits 1,800 s for the first byte, 240 s between pieces')
        await button.press('Enter')
        await hasFocus(first)
        await page.keyboard.type('9')
        await expect
          .poll(() => row.getByRole('button', { name: 'Save', exact: true }).isDisabled())
          .toBe(true)
        expect(await faultsInThemes(page)).toEqual([])
        await first.fill('1800')
        await page.keyboard.press('Enter')
        await words.waitFor()
        await hasFocus(button)

        await button.press('Enter')
        await hasFocus(first)
        await first.fill('60')
        await page.keyboard.press('Escape')
        await first.waitFor({ state: 'detached' })
        await words.waitFor()
        await button.press('Enter')
        await first.fill('')
        await row.getByLabel('Seconds between pieces').fill('')
        await page.keyboard.press('Enter')
        await words.waitFor({ state: 'detached' })
      }))

    it('tell for which models requests are adapted, and forget it', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        const row = page.getByRole('group', { name: 'Provider OpenAI' })
        const words = row.getByText('Requests are adapted for o1-mini, o1⟨U+202E⟩')
        await words.waitFor()
        expect(await faultsInThemes(page)).toEqual([])
        await row.getByRole('button', { name: 'Forget adaptations' }).press('Enter')
        await words.waitFor({ state: 'detached' })
        await hasFocus(row.getByRole('button', { name: 'Timeouts…' }))
      }))

    it('show the models of one of them', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openSettings(page)
        await page
          .getByRole('group', { name: 'Provider OpenRouter' })
          .getByRole('button', { name: 'Models…' })
          .click()
        await dialog(page).getByText('more models: type to narrow').waitFor()
        await hasFocus(field(page))
        await page.keyboard.type('qwen3')
        await dialog(page).getByText('Qwen3 14B (free)').waitFor()
        await expect.poll(() => dialog(page).getByText('Ollama').count()).toBe(0)
        await page.keyboard.press('Enter')
        await dialog(page).waitFor({ state: 'detached' })
        await expect
          .poll(() => choices(page))
          .toEqual([{ baseUrl: openRouter, model: 'qwen/qwen3-14b:free' }])
      }))
  })

  describe('what answers cost', () => {
    it('stands in the head of an answer and is added up beside it; an estimate is called one', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const metadata = (usage: object) => ({ model: 'claude-sonnet-4.5', usage })
        await page.evaluate(
          ([told, untold]) =>
            window.home.append('import-gap', [
              { from: 'import-gap', to: 'user', role: 'agent', content: 'Told.', metadata: told },
              { from: 'import-gap', to: 'user', role: 'agent', content: 'Not.', metadata: untold },
            ]),
          [
            metadata({ input: 1200, output: 300, cached: 900, reasoning: 200, cost: 0.0214 }),
            metadata({ input: 1000, output: 100 }),
          ] as const,
        )
        const cost = page.locator('.turn-cost')
        await cost.getByText('$0.021', { exact: true }).waitFor()
        await cost.getByText('1,500 tokens', { exact: true }).hover()
        const parts = page.getByRole('tooltip')
        await parts.getByText('1,200 in, 900 of them from the cache').waitFor()
        await parts.getByText('300 out, 200 of them reasoning').waitFor()
        await cost.getByText('about $0.0045, estimated').waitFor()
        const details = page.getByRole('region', { name: 'About' })
        await details
          .getByText(/[\dk] in \(900 from the cache\), [\d.k]+ out \(200 reasoning\)/)
          .waitFor()
        await details.getByText(/^\$0\.021; \d+ answers without a price$/).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('leaves room for who answered, in a narrow window too', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.setViewportSize({ width: 420, height: 800 })
        await openedAtEnd(page)
        await page.getByRole('feed').evaluate((element) => element.scrollTo(0, 0))
        const head = page.locator('.turn-head', { hasText: 'about $0.0067, estimated' })
        await head.waitFor()
        const widthOf = (part: string) =>
          head.locator(part).evaluate((element) => element.getBoundingClientRect().width)
        await expect.poll(() => widthOf('b')).toBeGreaterThan(50)
        await expect.poll(() => widthOf('.turn-cost')).toBeGreaterThan(50)
      }))
  })
}
