import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { onePoint } from '../../support/images'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { hasFocus, openConversation, resize, settled, withPage } from './page'

const key = 'import-gap'
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const chosen = (page: Page) => page.getByRole('list', { name: 'Images to send' })
const attachButton = (page: Page) => page.getByRole('button', { name: 'Attach files' })
const file = (name: string, bytes: Uint8Array = onePoint) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(bytes),
})

/** Chooses files in the dialog that the button opens, by keyboard. */
async function choose(page: Page, files: readonly ReturnType<typeof file>[]): Promise<void> {
  const dialog = page.waitForEvent('filechooser')
  await attachButton(page).press('Enter')
  await (await dialog).setFiles([...files])
}

/** Pastes or drops a file on the field, as a browser tells it. */
function give(
  page: Page,
  how: 'paste' | 'drop' | 'dragover',
  given: { readonly name: string; readonly text?: string },
): Promise<boolean> {
  return composer(page).evaluate(
    (field, [type, { name, text }, bytes]) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
      if (text !== undefined) data.setData('text/plain', text)
      const init = { bubbles: true, cancelable: true }
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { ...init, clipboardData: data })
          : new DragEvent(type, { ...init, dataTransfer: data })
      return field.dispatchEvent(event)
    },
    [how, given, [...onePoint]] as const,
  )
}

/** Serves what main would: the image, or nothing for a file that is gone. */
async function serveImages(page: Page, isThere: (address: string) => boolean = () => true) {
  const asked: string[] = []
  await page.route('**/image/**', (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    return isThere(pathname)
      ? route.fulfill({ contentType: 'image/png', body: Buffer.from(onePoint) })
      : route.fulfill({ contentType: 'image/png', body: '' })
  })
  return asked
}

/** Files take their time to be read from now on. */
async function slowFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    Blob.prototype.arrayBuffer = async function (this: Blob) {
      await gate
      return read.call(this)
    }
    Object.assign(window, { readFiles: go })
  })
  return () => page.evaluate(() => (window as unknown as { readFiles: () => void }).readFiles())
}

const started = (page: Page) =>
  page.evaluate(() =>
    window.home.api.calls
      .filter(({ channel }) => channel === 'completion.start')
      .map(({ args }) => {
        const { text, images = [] } = args as {
          text: string
          images?: { name: string; bytes: Uint8Array }[]
        }
        return [text, ...images.map(({ name, bytes }) => `${name} ${bytes.length}`)]
      }),
  )

/** Images that go with a message. */
export function images(harness: () => Harness): void {
  describe('images in the composer', () => {
    it('are chosen, taken out and sent by keyboard alone', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const asked = await serveImages(page)
        await page.getByRole('feed').waitFor()
        await choose(page, [file('bean.png'), file('leaf.png')])
        await chosen(page).getByText('leaf.png').waitFor()
        await expect.poll(() => chosen(page).getByRole('listitem').count()).toBe(2)
        await expect.poll(() => chosen(page).textContent()).toContain(`${onePoint.length} bytes`)
        expect(await faultsInThemes(page)).toEqual([])
        await chosen(page).getByRole('button', { name: 'Remove bean.png' }).press('Enter')
        await chosen(page).getByText('bean.png').waitFor({ state: 'detached' })
        await hasFocus(composer(page))
        await page.keyboard.type('What is it?')
        await page.keyboard.press('Enter')
        await chosen(page).waitFor({ state: 'detached' })
        await expect
          .poll(() => started(page))
          .toEqual([['What is it?', `leaf.png ${onePoint.length}`]])
        const larger = page.getByRole('button', { name: 'Show leaf.png larger' })
        await larger.waitFor()
        expect(asked[0]).toMatch(/^\/image\/import-gap\/attachments%2F[0-9a-f]{64}\.png$/)
        await larger.press('Enter')
        const view = page.getByRole('dialog', { name: 'leaf.png' })
        await view.getByRole('img', { name: 'leaf.png' }).waitFor()
        await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]'))
        expect(await faultsInThemes(page)).toEqual([])
        await page.keyboard.press('r')
        await page.keyboard.press('Escape')
        await view.waitFor({ state: 'detached' })
        await hasFocus(larger)
        // The keys of a turn are not heard in the dialog.
        await expect
          .poll(() => page.getByRole('button', { name: 'Hide source line' }).count())
          .toBe(0)
      }))

    it('may be pasted and dropped, and be the whole message; pasted text stays text', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await serveImages(page)
        await page.getByRole('feed').waitFor()
        expect(await give(page, 'paste', { name: 'clip.png' })).toBe(false)
        expect(await give(page, 'dragover', { name: 'x' })).toBe(false)
        await page.locator('.composer.dropping').waitFor()
        expect(await give(page, 'drop', { name: 'dropped.png' })).toBe(false)
        await expect.poll(() => page.locator('.composer.dropping').count()).toBe(0)
        expect(await give(page, 'paste', { name: 'sheet.png', text: 'a\tb' })).toBe(true)
        await chosen(page).getByText('dropped.png').waitFor()
        await expect.poll(() => chosen(page).getByRole('listitem').count()).toBe(2)
        await page.getByRole('button', { name: /^Send/ }).click()
        await chosen(page).waitFor({ state: 'detached' })
        const size = onePoint.length
        await expect
          .poll(() => started(page))
          .toEqual([['', `clip.png ${size}`, `dropped.png ${size}`]])
        await page.getByRole('button', { name: 'Show clip.png larger' }).waitFor()
        await expect.poll(() => page.getByText('No text').count()).toBe(0)
      }))

    it('are not left behind by whoever sends while they are read', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const readFiles = await slowFiles(page)
        await composer(page).fill('See here.')
        await give(page, 'paste', { name: 'late.png' })
        const send = page.getByRole('button', { name: /^Send/ })
        await expect.poll(() => send.isDisabled()).toBe(true)
        await composer(page).press('Enter')
        await readFiles()
        await chosen(page).getByText('late.png').waitFor()
        await composer(page).press('Enter')
        await expect
          .poll(() => started(page))
          .toEqual([['See here.', `late.png ${onePoint.length}`]])
      }))

    it('that are none, too many or hostile in name are told in words, and the others stay', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await choose(page, [
          file('<img src=x onerror="window.hacked=1">\u202e.png'),
          file('notes.png', Buffer.from('a\0b')),
        ])
        await page
          .getByText('"notes.png" is no PNG, JPEG, GIF or WebP image, and is not text')
          .waitFor()
        await expect.poll(() => chosen(page).getByRole('listitem').count()).toBe(1)
        // A direction mark in a name turns nothing around: a space is in its place.
        await expect.poll(() => chosen(page).textContent()).toContain('window.hacked=1"> .png')
        expect(await faultsInThemes(page)).toEqual([])
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await page.getByText('Not attached.').waitFor({ state: 'detached' })
        await choose(
          page,
          Array.from({ length: 10 }, (_, at) => file(`${at}.png`)),
        )
        await page.getByText('A message takes 10 images at most, and these are 11.').waitFor()
        await expect.poll(() => chosen(page).getByRole('listitem').count()).toBe(10)
        await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
        for (const width of [1440, 800]) {
          await resize(page, { width, height: 600 })
          const isInside = () =>
            page.locator('.composer').evaluate((box) => {
              const { right, bottom } = box.getBoundingClientRect()
              return right <= innerWidth && bottom <= innerHeight
            })
          await expect.poll(async () => [width, await isInside()]).toEqual([width, true])
        }
      }))

    it('are kept by conversation, and stay with the text when the message is refused', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const other = await page.evaluate(
          () => window.skein.stores.library.getState().conversations[1]?.title ?? '',
        )
        await choose(page, [file('bean.png')])
        await chosen(page).getByText('bean.png').waitFor()
        await openConversation(page, other)
        await chosen(page).waitFor({ state: 'detached' })
        await openConversation(page, key)
        await chosen(page).getByText('bean.png').waitFor()
        await page.evaluate(() => window.refuseNext('disk-full', 'The disk is full.'))
        await composer(page).fill('See')
        await composer(page).press('Enter')
        await page.getByText('The disk is full.').waitFor()
        await expect.poll(() => composer(page).inputValue()).toBe('See')
        await expect.poll(() => chosen(page).getByRole('listitem').count()).toBe(1)
      }))

    it('bring a warning where the model takes none, by what its provider tells', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        const warning = page.getByText('The model will not see the images.')
        await choose(page, [file('bean.png')])
        await chosen(page).waitFor()
        await page.waitForFunction(() => window.home.models.asked.length > 0)
        // Of this model nobody tells what it reads.
        await expect.poll(() => warning.count()).toBe(0)
        for (const [inputs, count] of [
          [['text'], 1],
          [['text', 'image'], 0],
        ] as const) {
          await page.evaluate((reads) => {
            const baseUrl = 'https://openrouter.ai/api/v1'
            const models = [{ id: 'claude-sonnet-4.5', inputs: [...reads] }]
            const list = { baseUrl, models, fetchedAt: 1 }
            window.skein.stores.models.setState({ lists: { [baseUrl]: list } })
          }, inputs)
          await settled(page)
          await expect.poll(async () => [inputs, await warning.count()]).toEqual([inputs, count])
          if (count === 1) expect(await faultsInThemes(page)).toEqual([])
        }
      }))
  })

  describe('what a run left in the transcript', () => {
    it('is told beside the words: traces of calls, of the request, and of turns that the model began', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate((context) => {
          const call = (id: string, metadata?: Record<string, unknown>) => ({
            from: context,
            to: 'write_file',
            entry_type: 'tool_call',
            content: '{"path":"a.md"}',
            tool_call_id: id,
            ...(metadata === undefined ? {} : { metadata }),
          })
          const result = (id: string, content: string, metadata: Record<string, unknown>) => ({
            from: 'write_file',
            to: context,
            entry_type: 'tool_result',
            tool_call_id: id,
            content,
            metadata,
          })
          const kept =
            '[Output cached: write_file_1_ab]\nTool: x | Size: 123456 chars, ~30864 tokens'
          window.home.append(context, [
            {
              role: 'user',
              content: '[reengaged via call_agent.]\nOn.',
              from: context,
              metadata: { continued_by: 'call_agent' },
            },
            call('a', { without_parameters: ['images', 'top_p'] }),
            call('b'),
            call('c'),
            result('a', 'Done.', { consent: 'once' }),
            result('b', 'Error: blocked', { blocked: true, consent: 'toString' }),
            result('c', kept, { consent: 'always', cached: 'write_file_1_ab' }),
            {
              role: 'agent',
              from: context,
              to: 'user',
              content: 'All done.',
              metadata: { model: 'm', without_tools: true, without_parameters: ['seed\u202e', 7] },
            },
          ])
        }, key)
        await page.getByText('All done.').waitFor()
        const turn = (name: RegExp) => page.getByRole('article', { name })
        await turn(/^The model, to itself/)
          .getByText('call_agent', { exact: true })
          .waitFor()
        await expect
          .poll(() =>
            turn(/^The model, to itself/)
              .getByRole('button', { name: 'Edit' })
              .count(),
          )
          .toBe(0)
        const states = async () => {
          const all = await turn(/^Tool write_file/)
            .locator('.fold-state')
            .allTextContents()
          return all.slice(-3).map((words) => words.replace(/\d.*$/, ''))
        }
        await expect
          .poll(states)
          .toEqual(['allowed once', 'blocked by a plugin', 'always allowedsaved to a file'])
        await page
          .getByText(
            'The model takes no images: it was sent the words alone. Sent without top_p: the provider refused it.',
          )
          .waitFor()
        await page
          .getByText(
            'The model takes no tools: none were offered. Sent without seed⟨U+202E⟩: the provider refused it.',
          )
          .waitFor()
        await turn(/^Tool write_file/)
          .last()
          .getByRole('button', { expanded: false })
          .first()
          .click()
        await page.getByText('The full output, 123,456 characters, is in').waitFor()
        await page.getByText('tool_cache/write_file_1_ab.cache').waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))

    it('gives back the person’s own words to edit, and shows what was really sent', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await page.getByRole('feed').waitFor()
        await page.evaluate((context) => {
          const block = '--- INBOX MESSAGES ---\n[From: zoo] Rain.\n--- END INBOX ---\n\n'
          const metadata = { typed: 'How deep?' }
          window.home.append(context, [
            { role: 'user', content: `${block}How deep? (as a plugin has it)`, metadata },
          ])
        }, key)
        const turn = page.getByRole('article').filter({ hasText: 'as a plugin has it' })
        await turn.getByText('From the inbox').waitFor()
        await turn.press('e')
        const field = page.getByRole('textbox', { name: 'Edit the message' })
        await field.waitFor()
        await expect.poll(() => field.inputValue()).toBe('How deep?')
      }))

    it('says of an image whose file is gone that it is, and draws nothing of a hostile one', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        const asked = await serveImages(page, (address) => address.includes('%2F1'))
        await page.getByRole('feed').waitFor()
        await page.evaluate((context) => {
          const image = (digit: string, name: string) => ({
            file: `attachments/${digit.repeat(64)}.png`,
            mime: 'image/png',
            bytes: 70,
            name,
            sha256: digit.repeat(64),
          })
          const images = [
            image('1', 'here.png'),
            image('2', 'gone.png'),
            { ...image('3', 'x'), mime: 'image/svg+xml' },
            { url: 'https://example.org/track.png' },
            'data:image/png;base64,AAAA',
            7,
          ]
          window.home.append(context, [{ role: 'user', content: 'See', metadata: { images } }])
        }, key)
        await page.getByText('its file is not there').waitFor()
        await page.getByRole('button', { name: 'Show here.png larger' }).waitFor()
        await expect.poll(() => page.locator('.message-images > li').count()).toBe(2)
        expect(asked).toHaveLength(2)
      }))
  })
}
