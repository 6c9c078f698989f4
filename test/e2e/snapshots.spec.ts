import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const folder = tempFolders()

it('Settings writes the home into one file where a person picks, reads it back, and restores it into a new folder', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const kept = folder()
  const { app, page, problems } = await launchSkein({ home })
  await partsOf(page).conversation('garden').waitFor()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Storage', exact: true }).click()
  const take = page.getByRole('button', { name: 'Take a snapshot…' })
  /** What a person picks in the system's dialogs from now on, in order. */
  const pick = (...paths: readonly string[]) =>
    app.evaluate(({ dialog }, picked) => {
      const left = [...picked]
      dialog.showOpenDialog = async () => {
        const next = left.shift()
        return { canceled: next === undefined, filePaths: next === undefined ? [] : [next] }
      }
    }, paths)

  await pick(kept)
  await take.press('Enter')
  await page.getByText('The snapshot is whole.').waitFor()
  const [name = ''] = fs.readdirSync(kept)
  expect(name).toMatch(/^skein-\d{4}-\d\d-\d\d-\d{6}\.zip$/)

  const lines = 'contexts/garden/transcript/active.jsonl'
  const before = fs.readFileSync(path.join(home, lines), 'utf8')
  await pick(path.join(kept, name), kept)
  await page.getByRole('button', { name: 'Restore a snapshot…' }).press('Enter')
  await page.getByText('The snapshot was restored.').waitFor()
  const restored = path.join(kept, `${path.parse(name).name}-restored`)
  expect(fs.readFileSync(path.join(restored, 'home', lines), 'utf8')).toBe(before)

  // Over what is there nothing is written, and the reason is shown.
  await pick(path.join(kept, name), kept)
  await page.getByRole('button', { name: 'Restore a snapshot…' }).press('Enter')
  await page.getByText('is there already').first().waitFor()
  expect(problems).toEqual([])
})
