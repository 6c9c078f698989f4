import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createPerson, launchSkein } from './support/app'
import { dropFile } from './support/drop-file'
import { holdOpening } from './support/held-file'
import { partsOf } from './support/scenes'

const zip = path.resolve(import.meta.dirname, '../fixtures/readers/chatgpt/input/later.zip')

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
  await page.keyboard.press('Escape')
  await conversation('Beans').click()
  await page.getByText('from June on').waitFor()
  expect((await dialogs.asked()).map(({ message }) => message)).toEqual(['Import “later.zip”?'])
  expect(problems).toEqual([])
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
