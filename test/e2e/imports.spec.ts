import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { zipped } from '../support/zipped'
import { createPerson, launchSkein } from './support/app'
import { dropFile } from './support/drop-file'
import { holdOpening } from './support/held-file'
import { partsOf } from './support/scenes'
import { startAgain } from './support/second-start'

const zip = path.resolve(import.meta.dirname, '../fixtures/readers/chatgpt/input/later.zip')

const temp = tempFolders()

const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= window.innerHeight
}

/** A zip whose document ends in the middle. */
function cutExport(): string {
  const file = path.join(temp(), 'cut.zip')
  const one = { title: 'Cut', mapping: {}, conversation_id: 'id', create_time: 1_780_000_000 }
  const text = JSON.stringify(Array.from({ length: 40 }, () => one))
  const content = Buffer.from(text.slice(0, text.length / 2))
  fs.writeFileSync(file, zipped([{ name: 'conversations.json', content }]))
  return file
}

/** An export of Skein's own without its last line. */
function brokenExport(): string {
  const file = path.join(temp(), 'broken.jsonl')
  const head = { skeinExport: 1, source: 'chibi', key: 'quinces', title: 'Quinces' }
  const entry = {
    ...{ id: 'a', timestamp: 1_780_000_000, from: 'ann', to: 'quinces', content: 'Ripe?' },
    ...{ entry_type: 'message', role: 'user', file: 'a', line: 1, offset: 0, length: 9 },
  }
  fs.writeFileSync(file, `${JSON.stringify(head)}\n${JSON.stringify(entry)}\n`)
  return file
}

it('imports a zip that is dropped on the window, once a person has allowed it, shows how far it is, and lists its conversation', async () => {
  const person = createPerson()
  fs.mkdirSync(path.join(person.folder, '.chibi/contexts'), { recursive: true })
  const { app, page, dialogs, problems } = await launchSkein({ person })
  await dialogs.press('Import')
  const release = await holdOpening(app, '.later.zip.part')
  const { conversation } = partsOf(page)
  await dropFile(page, zip)
  const progress = page.getByRole('progressbar', { name: 'Import of later.zip' })
  await progress.waitFor()
  await expect.poll(() => progress.getAttribute('max')).toBe(`${fs.statSync(zip).size}`)
  await release()
  await page.getByText('later.zip was imported.').waitFor({ state: 'attached' })
  await progress.waitFor({ state: 'detached' })
  // What of an export cannot be read is shown, not only told to screen readers.
  await dialogs.press('Import')
  await dropFile(page, cutExport())
  await page
    .getByRole('status')
    .filter({ hasText: 'cut.zip was imported. Not all of it can be read' })
    .filter({ visible: true })
    .last()
    .waitFor()
  await dialogs.press('Import')
  await dropFile(page, brokenExport())
  const broken = '1 conversation imported. Not all of it can be read: 1 export breaks off'
  await page
    .getByRole('status')
    .filter({ hasText: broken })
    .filter({ visible: true })
    .last()
    .waitFor()
  await page.keyboard.press('Escape')
  await conversation('Quinces').waitFor()
  await conversation('Beans').click()
  await page.getByText('from June on').waitFor()
  expect((await dialogs.asked()).map(({ message }) => message)).toEqual([
    'Import “later.zip”?',
    'Import “cut.zip”?',
    'Import “broken.jsonl”?',
  ])
  // The library says it of the cut one, too.
  expect(problems.filter((words) => !words.includes('cut.zip/'))).toEqual([])
})

it('imports a conversation that Skein exported, with its tag and pin, says what of it is not there, and not twice', async () => {
  const person = createPerson()
  fs.mkdirSync(path.join(person.folder, '.chibi/contexts'), { recursive: true })
  const { page, dialogs, problems } = await launchSkein({ person })
  const { conversation } = partsOf(page)
  const exported = path.resolve(
    import.meta.dirname,
    '../fixtures/readers/skein/input/claude-code-5e1f.skein.jsonl',
  )
  for (const words of ['1 conversation imported.', '1 conversation imported before.']) {
    await dialogs.press('Import')
    await dropFile(page, exported)
    await page.locator('.note').getByText(`claude-code-5e1f.skein.jsonl: ${words}`).waitFor()
  }
  await page.keyboard.press('Escape')
  await page.locator('.library-head', { hasText: 'Pinned' }).waitFor()
  await page.locator('.library-tags', { hasText: 'orchard' }).waitFor()
  await conversation('Prune the pear').click()
  await page.getByText('Late winter.', { exact: true }).waitFor()
  await page.getByText('This is an export of “5e1f” of Claude Code.').waitFor()
  await page.getByText('Not in the export: 2 entries that were left out, 1 damaged line.').waitFor()
  expect(problems).toEqual([])
})

it('opens the files that it is started with, and those of a second start, under any name: each is shown, or why not', async () => {
  const person = createPerson()
  const contexts = path.join(person.folder, '.chibi/contexts')
  fs.mkdirSync(contexts, { recursive: true })
  const folder = path.join(person.folder, "Übung – 夢 it's 100%")
  fs.mkdirSync(folder)
  const input = path.resolve(import.meta.dirname, '../fixtures/readers')
  fs.mkdirSync(path.join(folder, 'nothing'))
  const pear = path.join(folder, '--pear tree 梨.jsonl')
  fs.copyFileSync(path.join(input, 'skein/input/claude-code-5e1f.skein.jsonl'), pear)
  const beans = path.join(folder, 'beans & peas.zip')
  fs.copyFileSync(zip, beans)
  const args = ['--disable-features=Nothing', pear, '--no-first-run']
  const { page, dialogs, problems } = await launchSkein({ person, args })
  const { transcript, conversation } = partsOf(page)
  await transcript.getByText('Late winter.', { exact: true }).waitFor()

  // As file managers do: an address, and what an option could be taken for behind two dashes.
  const again = await startAgain(person, [pathToFileURL(beans).href])
  expect(again.code).toBe(0)
  await transcript.getByText('from June on').waitFor()
  await conversation('Prune the pear').waitFor()
  await startAgain(person, ['--', path.basename(pear)], folder)
  await transcript.getByText('Late winter.', { exact: true }).waitFor()

  // Several, one of which is not there, and a folder without conversations.
  await startAgain(person, ['--no-first-run', beans, 'gone – 失.jsonl', 'nothing', pear], folder)
  const note = (words: string) => page.locator('.note').getByText(words)
  await note('beans & peas.zip is read already.')
    .or(note('beans & peas.zip was imported before.'))
    .waitFor()
  await note('gone – 失.jsonl is not there any more.').waitFor()
  await note('nothing was not imported:').waitFor()
  // The list of sources above it is long.
  await expect.poll(() => note('nothing was not imported:').evaluate(isInView)).toBe(true)

  // Behind a dialog they wait.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+p')
  const palette = page.locator('.dialog')
  await palette.waitFor()
  await startAgain(person, ['smb://server/plums.jsonl'])
  const held = () => page.evaluate(() => document.querySelector('.settings-page') === null)
  expect(await held()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByText('smb://server/plums.jsonl does not lie on this computer').first().waitFor()

  // A link names no file, whatever is beside it.
  await page.keyboard.press('Escape')
  await startAgain(person, ['skein://conversation/nowhere', pear])
  await page
    .getByText(/is not there|no longer|no conversation/i)
    .first()
    .waitFor()
  expect(await dialogs.asked()).toEqual([])
  expect(fs.readdirSync(contexts)).toEqual([])
  expect(problems).toEqual([])
})
