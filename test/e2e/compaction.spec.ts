import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { goToHits, homeWith, partsOf, say, smallTalk } from './support/scenes'

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** What a compaction asks for, by the words of Skein's own prompts. */
const isChoice = ({ messages }: Asked) => messages.at(-1)?.content.includes('JSON array') === true
const isSummary = ({ messages }: Asked) =>
  messages[0]?.content.startsWith('You summarize a conversation') === true

/** A model that answers each message at some length, chooses the oldest, and writes short summaries. */
async function longWinded() {
  const chats: Asked[] = []
  let summaries = 0
  const baseUrl = await endpoint((response, asked) => {
    beginStream(response)
    if (isChoice(asked)) sendText(response, '[1, 2, 3]')
    else if (isSummary(asked)) sendText(response, `Summary ${++summaries}: they spoke of beds.`)
    else {
      chats.push(asked)
      sendText(response, `Reply ${chats.length}. ${'The beds want water and light. '.repeat(30)}`)
    }
    endStream(response)
  })
  return { baseUrl, chats, summaries: () => summaries }
}

function limit(home: string, tokens: number): void {
  fs.appendFileSync(
    path.join(home, 'config.toml'),
    `context_window_limit = ${tokens}\nauto_compact = true\nauto_compact_threshold = 70\nno_tool_calls = true\n`,
  )
}

/** Talks until so many answers stand. */
async function talk(page: Page, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) {
    await say(page, `Message ${n} about the garden.`)
    await partsOf(page)
      .transcript.getByText(new RegExp(`^Reply ${n}\\.`))
      .waitFor()
    await partsOf(page).send.waitFor()
  }
}

it('makes room by itself in a long chat; every entry stays, above the border marked as such', async () => {
  const { baseUrl, chats, summaries } = await longWinded()
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  limit(home, 2000)
  const { page, problems } = await launchSkein({ home })
  const { transcript, conversation } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  await talk(page, 1, 10)

  expect(summaries()).toBeGreaterThan(0)
  await transcript
    .getByText(/^Summarized .*no longer sent/)
    .first()
    .waitFor()
  // In the window as the model is sent it: the summary, and never more than fits.
  expect(JSON.stringify(chats.at(-1))).toContain('they spoke of beds')
  for (const asked of chats) expect(JSON.stringify(asked).length / 4).toBeLessThan(2000)
  const words = activeEntries(home, 'garden').map(({ content }) => String(content))
  for (let n = 1; n <= 10; n++) {
    expect(words.filter((one) => one === `Message ${n} about the garden.`)).toHaveLength(1)
    expect(words.filter((one) => one.startsWith(`Reply ${n}. `))).toHaveLength(1)
  }

  await transcript.press('Home')
  const first = transcript.getByRole('article').filter({ hasText: 'Question number 0' })
  await expect.poll(() => first.getAttribute('aria-label')).toMatch(/no longer sent to the model$/)

  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('combobox', { name: 'Search conversations' }).fill('"Message 2 about"')
  const hits = page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
  await hits.first().waitFor()
  await expect.poll(() => hits.count()).toBe(1)
  await goToHits(page)
  await page.keyboard.press('Enter')
  const landed = transcript.getByRole('article').filter({ hasText: 'Message 2 about the garden.' })
  await landed.waitFor()
  await expect.poll(() => landed.evaluate((turn) => turn === document.activeElement)).toBe(true)
  await expect.poll(() => landed.getAttribute('aria-label')).toMatch(/no longer sent to the model$/)
  expect(problems).toEqual([])
})

it('opens what the model was sent before answers on both sides of a compaction, and compares them', async () => {
  const { baseUrl, chats } = await longWinded()
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  limit(home, 2000)
  const { app, page, problems } = await launchSkein({ home })
  const { transcript, conversation } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  await talk(page, 1, 10)
  const open = async (reply: number) => {
    const turn = transcript.getByRole('article').filter({ hasText: `Reply ${reply}.` })
    await turn.scrollIntoViewIfNeeded()
    await turn.press('w')
    const dialog = page.getByRole('dialog', { name: 'Sent to the model' })
    await dialog.getByText('Rebuilt from the transcript').waitFor()
    await dialog.getByText('exactly what was sent', { exact: true }).waitFor()
    return dialog
  }

  // The model itself was heard to get this: the window after the compaction, with its summary.
  const dialog = await open(10)
  const system = dialog.getByRole('region', { name: 'System prompt' })
  await system.getByText('they spoke of beds').waitFor()
  await dialog.getByRole('radio', { name: 'JSON' }).check()
  const body = dialog.getByRole('group', { name: 'The request as JSON' })
  await body.waitFor()
  await dialog.getByRole('button', { name: 'Copy JSON' }).click()
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
    .toContain('"messages"')
  await dialog.getByRole('radio', { name: 'Compare' }).check()
  await dialog.getByRole('radio', { name: 'Last answer before the summary' }).check()
  await dialog.getByText(/^Messages: .*removed.*Different too: the system prompt\./).waitFor()
  await system.locator('ins').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const { message } = partsOf(page)
  await message.press('Control+v')
  await expect
    .poll(async () => JSON.parse(await message.inputValue()).messages)
    .toEqual(chats.at(-1)?.messages)
  await message.fill('')

  // Before the first compaction there was no summary to be sent.
  await transcript.press('Home')
  await transcript.getByText('Question number 0').waitFor()
  const early = await open(1)
  await early.getByText('Question number 0').waitFor()
  await expect.poll(() => early.getByText('they spoke of beds').count()).toBe(0)
  await early.getByRole('radio', { name: 'Compare' }).check()
  await early.getByRole('radio', { name: 'First answer after the next summary' }).check()
  await early.getByText(/^Messages: .*removed/).waitFor()
  expect(problems).toEqual([])
})

it('lets the model choose what goes, by the menu; what stays is not marked', async () => {
  const { baseUrl, chats } = await longWinded()
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden', 12) } })
  fs.appendFileSync(path.join(home, 'config.toml'), 'no_tool_calls = true\n')
  const { page, problems } = await launchSkein({ home })
  const { transcript, conversation } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 11').waitFor()
  await page.getByRole('listbox', { name: 'Conversations' }).press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Summarize earlier messages…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Summarize a part' }).check()
  await dialog.getByRole('button', { name: 'Summarize', exact: true }).click()
  await dialog.getByText('The model chose 3 messages instead of 6.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await transcript.getByText(/^Summarized .*no longer sent/).waitFor()

  const labelOf = (words: string) =>
    transcript
      .getByRole('article')
      .filter({ has: page.getByText(words, { exact: true }) })
      .getAttribute('aria-label')
  await expect.poll(() => labelOf('Question number 0')).toMatch(/no longer sent to the model$/)
  await expect.poll(() => labelOf('Answer number 11')).not.toContain('no longer sent to the model')

  await talk(page, 1, 1)
  const sent = JSON.stringify(chats.at(-1))
  expect(sent).toContain('they spoke of beds')
  expect(sent).toContain('Answer number 11')
  expect(sent).not.toContain('Question number 0')
  expect(problems).toEqual([])
})
