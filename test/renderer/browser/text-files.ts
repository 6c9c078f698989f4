import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { onePoint } from '../../support/images'
import type { Harness } from '../harness/serve'
import { allThemes, faultsInThemes } from './accessible'
import { hasFocus, openedAtEnd, resize, withPage } from './page'

const main = { scenario: 'main' }
const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const files = (page: Page) => page.getByRole('list', { name: 'Text files to send' })
const images = (page: Page) => page.getByRole('list', { name: 'Images to send' })
const notes = 'Rain on Monday: 3 mm\n```\nno end of the frame\n'

interface Given {
  readonly name: string
  readonly bytes: Uint8Array
}

const text = (name: string, words: string): Given => ({ name, bytes: Buffer.from(words) })

/** Pastes files into the field, or drops them on it. */
async function give(page: Page, how: 'paste' | 'drop', given: readonly Given[]): Promise<void> {
  await message(page).evaluate(
    (field, [type, all]) => {
      const data = new DataTransfer()
      for (const { name, bytes } of all) data.items.add(new File([new Uint8Array(bytes)], name))
      const init = { bubbles: true, cancelable: true }
      field.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent(type, { ...init, clipboardData: data })
          : new DragEvent(type, { ...init, dataTransfer: data }),
      )
    },
    [how, given.map(({ name, bytes }) => ({ name, bytes: [...bytes] }))] as const,
  )
}

const lastStart = (page: Page) =>
  page.evaluate(() => {
    const { args } = window.home.api.calls.findLast(
      ({ channel }) => channel === 'completion.start',
    ) ?? { args: {} }
    const { text: words, files: sent = [] } = args as {
      text?: string
      files?: { name: string; bytes: Uint8Array }[]
    }
    return [words, ...sent.map(({ name, bytes }) => `${name} ${bytes.length}`)]
  })

/** Text files that go with a message. */
export function textFiles(harness: () => Harness): void {
  describe('text files in the composer', () => {
    it('show what the model gets, go with the message, and are folded in the transcript', () =>
      withPage(harness(), main, async (page) => {
        await openedAtEnd(page)
        await give(page, 'drop', [
          text('notes.txt', notes),
          text('plan.md', '# Plan'),
          { name: 'bean.png', bytes: onePoint },
        ])
        await expect.poll(() => files(page).getByRole('listitem').count()).toBe(2)
        await expect.poll(() => images(page).getByRole('listitem').count()).toBe(1)
        await expect.poll(() => files(page).textContent()).toContain('45 bytes')
        await expect.poll(() => files(page).textContent()).toContain('about 19 tokens')
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        const chip = files(page).getByRole('button', { name: /^notes\.txt/ })
        await chip.press('Enter')
        const sheet = page.getByRole('dialog', { name: 'notes.txt' })
        await sheet.getByText('no end of the frame').waitFor()
        await sheet.getByText('File "notes.txt":').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
        await page.keyboard.press('Escape')
        await hasFocus(chip)
        await page.getByRole('button', { name: 'Remove plan.md' }).press('Enter')
        await hasFocus(message(page))
        await page.keyboard.type('Look.')
        await page.keyboard.press('Enter')
        await files(page).waitFor({ state: 'detached' })
        await expect.poll(() => lastStart(page)).toEqual(['Look.', 'notes.txt 45'])
        const turn = page.getByRole('article', { name: /^You/ }).last()
        await turn.getByText('Look.', { exact: true }).waitFor()
        const fold = turn.getByRole('button', { name: /notes\.txt/ })
        await expect.poll(() => fold.textContent()).toContain('3 lines, 45 bytes')
        await expect.poll(() => turn.getByText('no end of the frame').count()).toBe(0)
        await fold.press('Enter')
        await turn.getByText('no end of the frame').waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
      }))

    it('are there after a reload, also those of a queued message', () =>
      withPage(harness(), main, async (page) => {
        await openedAtEnd(page)
        await message(page).fill('Go on.')
        await message(page).press('Enter')
        await page.getByRole('button', { name: /^Stop/ }).waitFor()
        await give(page, 'paste', [text('queued.txt', 'one')])
        await files(page).getByText('queued.txt').waitFor()
        await message(page).press('Enter')
        await files(page).waitFor({ state: 'detached' })
        await give(page, 'paste', [text('draft.txt', 'two')])
        await files(page).getByText('draft.txt').waitFor()
        await page.reload()
        await files(page).getByText('draft.txt').waitFor()
        const queue = page.getByRole('region', { name: 'Queued messages' })
        await queue.getByRole('img', { name: '1 text file' }).waitFor()
        await queue.getByRole('button', { name: 'Send now' }).click()
        await expect.poll(() => lastStart(page)).toEqual(['', 'queued.txt 3'])
      }))

    it('that are PDFs show what the model gets of them, and which pages do not go', () =>
      withPage(harness(), main, async (page) => {
        await openedAtEnd(page)
        await give(page, 'drop', [text('rain.pdf', '%PDF-1.7')])
        const chip = files(page).getByRole('button', { name: /^rain\.pdf/ })
        await chip.press('Enter')
        const sheet = page.getByRole('dialog', { name: 'rain.pdf' })
        await sheet.getByText('Rain fell on the garden.').waitFor()
        await page.keyboard.press('Escape')
        await page
          .getByText('"rain.pdf" goes without one of its 2 pages, which has no text.')
          .waitFor()
        expect(await faultsInThemes(page, allThemes)).toEqual([])
      }))

    it('that are none are refused with the reason, and the others stay', () =>
      withPage(harness(), main, async (page) => {
        await openedAtEnd(page)
        await give(page, 'drop', [
          text('a.bin', 'a\0b'),
          text('ok.txt', 'words'),
          text('b.bin', 'c\0d'),
        ])
        await page
          .getByText('"a.bin" is no PNG, JPEG, GIF or WebP image, and is not text')
          .waitFor()
        await expect.poll(() => files(page).getByRole('listitem').count()).toBe(1)
        await resize(page, { width: 800, height: 600 })
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })
}
