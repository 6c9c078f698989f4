import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { withPage } from './page'

const weather = 'weather ⟨U+202E⟩gnp'
const row = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export async function openPluginSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Plugins', exact: true }).click()
  await row(page, 'todo').waitFor()
}

/** The accessible name of what has the focus. */
function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? element?.textContent ?? undefined
  })
}

const holdsFocus = (part: Locator) =>
  part.evaluate((element) => element.contains(document.activeElement))

/** The programs of a home that a person may trust, in Settings. */
export function pluginSettings(harness: () => Harness): void {
  const withPlugins = (test: (page: Page) => Promise<void>) =>
    withPage(harness(), { scenario: 'plugins' }, async (page) => {
      await openPluginSettings(page)
      await test(page)
    })

  describe('the plugins', () => {
    it('each say what they are, what they offer, and why they do not run', () =>
      withPlugins(async (page) => {
        const words = async (name: string) => (await row(page, name).textContent()) ?? ''
        await expect.poll(() => words('changed')).toContain('Changed since you trusted it.')
        await expect.poll(() => words('notes.md')).toContain('It is not executable.')
        await expect.poll(() => words('off.disabled')).toContain('Disabled')
        await expect.poll(() => words(weather)).toContain('Not trusted yet. It does not run.')
        await expect.poll(() => words(weather)).toContain('3f5a90c13f5a')
        for (const words of [
          'The model can call 1 tool.',
          'Runs at pre_message, post_message.',
          'Adds <i>one</i>.',
          'Not offered. Skein has a tool of this name.',
          'pre_fetch_url',
        ])
          await expect.poll(() => row(page, 'todo').textContent()).toContain(words)
        await expect.poll(() => row(page, 'notes.md').getByRole('button').count()).toBe(0)
        await expect.poll(() => row(page, 'off.disabled').getByRole('button').count()).toBe(0)
      }))

    it('are shown before they are trusted, as they stand on the disk, and trusted by keyboard', () =>
      withPlugins(async (page) => {
        await button(page, `Review ${weather}`).press('Enter')
        const look = page.getByRole('group', { name: `Trust ${weather}?` })
        await look.waitFor()
        const words = () => look.textContent()
        await expect.poll(words).toContain('3f5a90c1'.repeat(8))
        await expect.poll(words).toContain('<b>rain</b> ⟨U+202E⟩gnirts␛[31m')
        await expect.poll(words).toContain('Only the beginning is shown')
        await expect.poll(() => holdsFocus(look)).toBe(true)
        // Focus is at the beginning of what is to be read; trusting comes after it.
        const trust = button(page, 'Trust this content')
        for (let i = 0; i < 4 && !(await isFocused(page, 'Trust this content')); i++) {
          const before = await focused(page)
          await page.keyboard.press('Tab')
          await expect.poll(() => focused(page)).not.toBe(before)
        }
        await expect.poll(() => isFocused(page, 'Trust this content')).toBe(true)
        await page.keyboard.press('Enter')
        await trust.waitFor({ state: 'detached' })
        await expect.poll(() => focused(page)).toBe(`Remove trust: ${weather}`)
        await expect
          .poll(() => row(page, weather).textContent())
          .toContain('The model can call 1 tool')
        await expect
          .poll(() => page.getByRole('status').last().textContent())
          .toBe(`${weather} is trusted.`)
        await page.keyboard.press('Enter')
        await expect.poll(() => focused(page)).toBe(`Review ${weather}`)
        const trusted = () =>
          page.evaluate(
            () => window.home.api.calls.find(({ channel }) => channel === 'plugins.trust')?.args,
          )
        await expect
          .poll(trusted)
          .toEqual({ name: 'weather \u202egnp', hash: '3f5a90c1'.repeat(8) })
      }))

    it('are not trusted by Escape, which goes back', () =>
      withPlugins(async (page) => {
        await button(page, 'Review pack').click()
        const look = page.getByRole('group', { name: 'Trust pack?' })
        await look.waitFor()
        await expect.poll(() => look.textContent()).toContain('412 files')
        await expect.poll(() => look.textContent()).toContain('and 411 more files')
        await expect.poll(() => look.textContent()).toContain('The program is not text')
        await expect.poll(() => holdsFocus(look)).toBe(true)
        await page.keyboard.press('Escape')
        await look.waitFor({ state: 'detached' })
        await expect.poll(() => focused(page)).toBe('Review pack')
        await page.getByRole('main', { name: 'Plugins' }).waitFor()
      }))

    it('say why trust was refused, and keep what is looked at', () =>
      withPlugins(async (page) => {
        await button(page, 'Review changed').click()
        await button(page, 'Trust this content').waitFor()
        await page.evaluate(() =>
          window.home.plugins.refuse('bad-argument', 'It has changed since you looked at it.'),
        )
        await button(page, 'Trust this content').click()
        await expect
          .poll(() => page.getByRole('alert').textContent())
          .toContain('changed since you looked')
        await expect
          .poll(() => row(page, 'changed').textContent())
          .toContain('Changed since you trusted it')
      }))

    it('show their last runs on demand, stderr as it is, and follow new ones', () =>
      withPlugins(async (page) => {
        const todo = row(page, 'todo')
        await expect.poll(() => todo.textContent()).toContain('Its last run failed.')
        await todo.getByRole('button', { name: 'Show runs' }).press('Enter')
        const runs = page.getByRole('list', { name: 'Runs of todo' })
        await expect
          .poll(() => runs.textContent())
          .toContain('tool todo_add: ended with exit code 3')
        await expect.poll(() => runs.textContent()).toContain('<script>alert(1)</script>')
        await expect.poll(() => runs.getByRole('listitem').count()).toBe(2)
        await page.evaluate(() =>
          window.home.plugins.ran('todo', {
            startedAtMs: Date.now(),
            durationMs: 5,
            asked: 'hook pre_message',
            exitCode: 0,
            problem: null,
            stderr: '',
          }),
        )
        await expect.poll(() => runs.getByRole('listitem').count()).toBe(3)
        await expect
          .poll(() => todo.textContent())
          .toContain('Its last run succeeded; an earlier one failed.')
      }))

    it('that failed to say what they offer are asked again', () =>
      withPlugins(async (page) => {
        const silent = row(page, 'silent')
        await expect.poll(() => silent.textContent()).toContain('It printed no schema')
        await silent.getByRole('button', { name: 'Reload' }).click()
        await expect.poll(() => silent.textContent()).toContain('The model can call 1 tool')
      }))

    it('may be none', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('button', { name: 'Settings', exact: true }).click()
        await page.getByRole('button', { name: 'Plugins', exact: true }).click()
        await page.getByText('No plugins.').waitFor()
      }))
  })
}

async function isFocused(page: Page, name: string): Promise<boolean> {
  return (await focused(page)) === name
}
