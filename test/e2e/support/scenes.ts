import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { hasFocus } from '../../renderer/browser/page'

/** The parts of the window by their names and roles, as a screen reader finds them. */
export function partsOf(page: Page) {
  const transcript = page.getByRole('feed', { name: 'Transcript' })
  return {
    transcript,
    turns: transcript.getByRole('article'),
    library: page.getByRole('listbox', { name: 'Conversations' }),
    conversation: (name: string) =>
      page.getByRole('listbox', { name: 'Conversations' }).getByRole('option', { name }),
    message: page.getByRole('textbox', { name: 'Message' }),
    send: page.getByRole('button', { name: /^Send/ }),
    stop: page.getByRole('button', { name: /^Stop/ }),
  }
}

/** Writes into the composer and sends it by the keyboard, once that is possible: not while an answer is being written. */
export async function say(page: Page, text: string): Promise<void> {
  const { message, send } = partsOf(page)
  await message.fill(text)
  await send.and(page.locator(':enabled')).waitFor()
  await message.press('Enter')
}

/** Waits until the hits have the focus: a key that is pressed before goes to the query. */
export async function goToHits(page: Page): Promise<void> {
  await page
    .getByText(/segments?, .*complete/)
    .first()
    .waitFor()
  await page.getByRole('combobox', { name: 'Search conversations' }).press('ArrowDown')
  await hasFocus(page.getByRole('listbox', { name: 'Hits' }))
}

/** A home that uses the endpoint at this address, with a context of the given lines. */
export function homeWith(options: {
  readonly baseUrl?: string
  readonly contexts?: Readonly<Record<string, string>>
}): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-home-'))
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }))
  if (options.baseUrl !== undefined)
    fs.writeFileSync(
      path.join(home, 'config.toml'),
      `base_url = "${options.baseUrl}"\nmodel = "practice"\napi_key = "sk-test-0123456789abcdef0123"\n`,
    )
  for (const [name, text] of Object.entries(options.contexts ?? {})) {
    const folder = path.join(home, 'contexts', name, 'transcript')
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'active.jsonl'), text)
  }
  return home
}

// An hour ago: what is older than a month would be archived by the first message.
const start = Math.floor(Date.now() / 1000) - 3600

/** Lines of a small conversation. */
export function smallTalk(name: string, count = 2): string {
  const line = (index: number) => {
    const fromPerson = index % 2 === 0
    return JSON.stringify({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      timestamp: start + Math.floor(index / 10),
      from: fromPerson ? 'user' : name,
      to: fromPerson ? name : 'user',
      content: `${fromPerson ? 'Question' : 'Answer'} number ${index}`,
      entry_type: 'message',
    })
  }
  return `${Array.from({ length: count }, (_, index) => line(index)).join('\n')}\n`
}
