import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {ReturnType<typeof import('./guide.mjs').createGuide>} Guide */

/** How long a step may take, on a slow machine without a graphics card. */
const stepMs = 120_000

/**
 * The walk: first run, sample library, a conversation, a message and its answer, what the model was sent, one that is stopped; an edit that makes
 * a branch, a search, its hit, an export.
 * @param {import('../electron/launch.mjs').Launched} launched
 * @param {Guide} guide
 */
export async function walk({ app, page: firstPage }, guide) {
  firstPage.setDefaultTimeout(stepMs)
  const sample = firstPage.getByRole('radio', { name: /sample library/i })
  await sample.check()
  await guide.show(
    firstPage,
    'first-run',
    'Nothing here yet: Skein offers a home, or a sample library.',
  )

  // A home has a window of its own.
  const opened = app.waitForEvent('window', { timeout: stepMs })
  await firstPage.getByRole('button', { name: 'Open the library' }).click()
  const page = await opened
  page.setDefaultTimeout(stepMs)
  const library = page.getByRole('listbox', { name: 'Conversations' })
  await library.getByRole('option').first().waitFor()
  await guide.show(page, 'library', 'The sample library lists its conversations.')

  await library.getByRole('option', { name: /nightly-import-skips-an-hour/ }).click()
  const transcript = page.getByRole('feed', { name: 'Transcript' })
  await transcript.getByText('duplicate check').first().waitFor()
  await guide.show(
    page,
    'transcript',
    'A conversation opens at its end: tools, code, a damaged line.',
  )

  await page
    .getByRole('button', { name: /practice model/i })
    .first()
    .click()
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('Hello! Which tests should I write for the night of the change?')
  await page.getByRole('button', { name: /^Send/ }).click()
  await transcript.getByText('Practice model, no AI.').waitFor()
  await guide.show(page, 'answer-coming', 'The practice model answers, word by word.')
  await page.getByRole('button', { name: /^Send/ }).waitFor()
  await guide.show(page, 'answer', 'The answer is complete, and on the disk.')

  await transcript.getByRole('article').filter({ hasText: 'Practice model, no AI.' }).last().focus()
  await page.keyboard.press('w')
  const sent = page.getByRole('dialog', { name: 'Sent to the model' })
  await sent.getByText('exactly what was sent', { exact: true }).waitFor()
  await guide.show(page, 'sent', 'What the model was sent before it, by part, and proven.')
  await page.keyboard.press('Escape')
  await sent.waitFor({ state: 'detached' })

  await message.fill('Now a long one, please. /long 200')
  await page.getByRole('button', { name: /^Send/ }).click()
  await transcript.getByText('Paragraph 2.').waitFor()
  await page.getByRole('button', { name: /^Stop/ }).click()
  await transcript.getByText('Stopped by you. The partial answer is kept.').last().waitFor()
  await guide.show(page, 'stopped', 'Stopped in the middle: what had come is kept.')

  await branch(page, guide)
  await search(page, guide)
  await exportIt(app, page, guide)
}

/**
 * Edits the first message that was sent: the answer comes in a branch, and the tree shows both.
 * @param {Page} page
 * @param {Guide} guide
 */
async function branch(page, guide) {
  const transcript = page.getByRole('feed', { name: 'Transcript' })
  const turn = transcript.getByRole('article').filter({ hasText: 'Which tests should I write' })
  await turn.first().hover()
  await turn.first().getByRole('button', { name: /^Edit/ }).click()
  const editor = page.getByRole('textbox', { name: 'Edit the message' })
  await editor.fill('Hello! Which one test should I write first for the night of the change?')
  await guide.show(page, 'edit', 'A message is edited in its place; the original stays as it is.')
  await page.getByRole('button', { name: /Send as a new branch/ }).click()
  // Its button is named like the composer's.
  await editor.waitFor({ state: 'detached' })
  const tree = page.getByRole('tree', { name: 'Branches' })
  await tree.getByRole('treeitem').nth(2).waitFor()
  await page.getByRole('group', { name: 'Branches here' }).waitFor()
  await page.getByRole('button', { name: /^Send/ }).waitFor()
  await guide.show(page, 'branch', 'The answer came in a branch; the tree shows what both share.')
}

/**
 * Searches for a part of a word that stands in a tool's result, and goes to the hit.
 * @param {Page} page
 * @param {Guide} guide
 */
async function search(page, guide) {
  await page.keyboard.press('Control+Shift+F')
  const box = page.getByRole('combobox', { name: 'Search conversations' })
  await box.fill('ast_seen')
  const hits = page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
  await hits.first().waitFor()
  await guide.show(page, 'search', 'Every text that holds a part of a word, by conversation.')
  await box.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('feed', { name: 'Transcript' }).getByRole('article').first().waitFor()
  await guide.show(page, 'hit', 'The hit: its turn is opened, in view, and marked.')
}

/**
 * Saves the conversation as a page.
 * @param {import('playwright-core').ElectronApplication} app
 * @param {Page} page
 * @param {Guide} guide
 */
async function exportIt(app, page, guide) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'skein-tour-')), 'conversation.html')
  // The system's own dialog cannot be reached by names and roles.
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, file)
  try {
    await page.getByRole('button', { name: /^Export/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Export' })
    await dialog.getByRole('radio', { name: 'HTML' }).check()
    await dialog.getByRole('button', { name: 'Export…', exact: true }).click()
    await dialog
      .getByRole('status')
      .getByText(/entries/)
      .waitFor()
    await guide.show(page, 'export', 'The conversation is exported, and the numbers say so.')
  } finally {
    fs.rmSync(path.dirname(file), { recursive: true, force: true })
  }
}
