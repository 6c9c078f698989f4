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
