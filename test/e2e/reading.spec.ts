import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { waitMs } from '../../scripts/electron/launch.mjs'
import { createPerson, launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

it('opens the sample library at once, with a conversation of every kind', async () => {
  const { page, problems } = await launchSkein({ args: ['--sample'] })
  const { library, conversation, transcript, turns } = partsOf(page)
  await library.getByRole('option').first().waitFor()
  await expect.poll(() => library.getByRole('option').count()).toBeGreaterThanOrEqual(12)
  await conversation('nightly-import-skips-an-hour').click()
  await transcript.getByText('duplicate check').first().waitFor()
  await transcript.getByRole('button', { name: 'Show bytes' }).waitFor()
  await expect.poll(() => turns.count()).toBeGreaterThan(3)
  expect(problems).toEqual([])
})

it('offers a home or a sample to somebody new, and creates nothing before they choose', async () => {
  const person = createPerson()
  const { app, page, problems } = await launchSkein({ person })
  await page.getByRole('radio', { name: /sample library/i }).waitFor()
  expect(fs.existsSync(path.join(person.folder, '.chibi'))).toBe(false)
  await expect.poll(() => page.getByRole('radio').count()).toBe(3)

  await page.getByRole('radio', { name: /sample library/i }).check()
  const opened = app.waitForEvent('window', { timeout: waitMs })
  await page.getByRole('button', { name: 'Open the library' }).click()
  const library = partsOf(await opened).library
  await library.getByRole('option').first().waitFor()

  expect(fs.existsSync(path.join(person.folder, '.chibi'))).toBe(false)
  expect(problems).toEqual([])
})

it('opens a long transcript at its end and reaches its beginning by the keyboard', async () => {
  const home = homeWith({ contexts: { long: smallTalk('long', 5000) } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, turns } = partsOf(page)
  await conversation('long').click()
  await transcript.getByText('Answer number 4999', { exact: true }).waitFor()
  await expect.poll(() => turns.count()).toBeLessThan(100)

  await transcript.press('Home')
  await transcript.getByText('Question number 0', { exact: true }).waitFor()
  await page.keyboard.press('End')
  await transcript.getByText('Answer number 4999', { exact: true }).waitFor()
  expect(problems).toEqual([])
})

it('shows what another program appends to the open conversation', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  const line = {
    id: 'x1',
    timestamp: 1_790_000_100,
    from: 'user',
    to: 'garden',
    content: 'Written by another',
    entry_type: 'message',
  }
  fs.appendFileSync(
    path.join(home, 'contexts/garden/transcript/active.jsonl'),
    `${JSON.stringify(line)}\n`,
  )
  await transcript.getByText('Written by another').waitFor()
  expect(problems).toEqual([])
})

it('shows hostile text as text', async () => {
  const hostile =
    '<img src=x onerror="document.title=1"><script>document.title=2</script> [link](javascript:alert(1))'
  const line = {
    id: 'x1',
    timestamp: 1_790_000_000,
    from: 'garden',
    to: 'user',
    content: hostile,
    entry_type: 'message',
  }
  const home = homeWith({ contexts: { garden: `${JSON.stringify(line)}\n` } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('<script>document.title=2</script>').waitFor()

  await expect.poll(() => transcript.locator('img, script, a[href^="javascript"]').count()).toBe(0)
  await expect.poll(() => page.title()).toBe('garden - Skein')
  expect(problems).toEqual([])
})

it.each([
  ['empty', ''],
  ['binary', '\u0000\u0001\u0002\u0003'.repeat(1000)],
  [
    'one huge line',
    JSON.stringify({
      id: 'h',
      timestamp: 1,
      from: 'a',
      to: 'user',
      content: 'word '.repeat(1_000_000),
      entry_type: 'message',
    }),
  ],
])('stays usable with a transcript that is %s', async (_kind, text) => {
  const home = homeWith({ contexts: { odd: text, garden: smallTalk('garden') } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript } = partsOf(page)
  await conversation('odd').click()
  await page.getByRole('main', { name: 'Conversation' }).waitFor()
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  expect(problems).toEqual([])
})

it('says in words that a conversation went away', async () => {
  const home = homeWith({ contexts: { gone: smallTalk('gone'), garden: smallTalk('garden') } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript } = partsOf(page)
  await conversation('garden').waitFor()
  fs.rmSync(path.join(home, 'contexts/gone/transcript'), { recursive: true })
  fs.mkdirSync(path.join(home, 'contexts/gone/transcript/active.jsonl'), { recursive: true })
  await conversation('gone').click()
  await page
    .getByText(/cannot be read|is a folder|not there/i)
    .first()
    .waitFor()
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  expect(problems).toEqual([])
})
