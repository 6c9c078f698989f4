/** @typedef {import('playwright-core').Page} Page */
/** @typedef {ReturnType<typeof import('./guide.mjs').createGuide>} Guide */

/** How long a step may take, on a slow machine without a graphics card. */
const stepMs = 30_000

/**
 * The walk: first run, sample library, a conversation, a message and its answer, one that is stopped.
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

  await message.fill('Now a long one, please. /long 200')
  await page.getByRole('button', { name: /^Send/ }).click()
  await transcript.getByText('Paragraph 2.').waitFor()
  await page.getByRole('button', { name: /^Stop/ }).click()
  await transcript.getByText('Stopped by you. What came is kept.').last().waitFor()
  await guide.show(page, 'stopped', 'Stopped in the middle: what had come is kept.')
}
