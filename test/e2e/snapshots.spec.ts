import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const folder = tempFolders()

it('Settings writes the home into one file where a person picks, reads it back, and restores it into a new folder; and what is wrong with the home is listed and repaired', async () => {
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

  // Encrypted: two passphrases that differ take none, and the file is restored with its own.
  const safe = folder()
  await pick(safe, safe)
  await page.getByRole('switch', { name: 'Encrypt with a passphrase' }).press('Space')
  const [passphrase, again] = ['Passphrase', 'The same again'].map((label) =>
    page.getByLabel(label, { exact: true }),
  )
  await passphrase?.fill('   ')
  await again?.fill('   ')
  await take.press('Enter')
  await page.getByText('The passphrase has blanks alone.').waitFor()
  await passphrase?.fill('two beds of tulips')
  await again?.fill('two beds')
  await take.press('Enter')
  await page.getByText('The two passphrases are not the same.').waitFor()
  await again?.fill('two beds of tulips')
  await take.press('Enter')
  await page.getByText('The snapshot is whole.').waitFor()
  await expect.poll(() => passphrase?.inputValue()).toBe('')
  const [encrypted = ''] = fs.readdirSync(safe)
  expect(encrypted).toMatch(/\.zip\.age$/)
  await page.getByRole('switch', { name: 'Encrypt with a passphrase' }).press('Space')
  await pick(path.join(safe, encrypted), safe)
  const restore = page.getByRole('button', { name: 'Restore a snapshot…' })
  const hasFocus = (one: typeof restore) =>
    expect.poll(() => one.evaluate((at) => at === document.activeElement)).toBe(true)
  await restore.press('Enter')
  const needed = page.getByLabel('Passphrase of the snapshot')
  await hasFocus(needed)
  await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
  await hasFocus(restore)
  await pick(path.join(safe, encrypted), safe)
  await restore.press('Enter')
  await hasFocus(needed)
  await needed.fill('two beds of roses')
  await page.getByRole('button', { name: 'Decrypt', exact: true }).press('Enter')
  await page.getByText('This is not the passphrase of').first().waitFor()
  await hasFocus(needed)
  await needed.fill('two beds of tulips')
  await needed.press('Enter')
  await page.getByText('The snapshot was restored.').waitFor()
  await hasFocus(restore)
  const decrypted = path.join(safe, encrypted.replace('.zip.age', '-restored'), 'home', lines)
  expect(fs.readFileSync(decrypted, 'utf8')).toBe(before)

  // Over what is there nothing is written, and the reason is shown.
  await pick(path.join(kept, name), kept)
  await page.getByRole('button', { name: 'Restore a snapshot…' }).press('Enter')
  await page.getByText('is there already').first().waitFor()

  // What is wrong is listed, and repaired behind a snapshot; the broken file is kept.
  const titles = path.join(home, 'titles.skein.json')
  fs.writeFileSync(
    titles,
    '{"titles": [{"key": "garden", "title": "Two beds", "by": "person"}, {"ke',
  )
  await page.getByRole('button', { name: 'Check this home' }).press('Enter')
  const found = page.getByRole('list', { name: 'Findings' }).getByRole('listitem')
  await found.getByText('titles.skein.json', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Repair 1 finding…' }).press('Enter')
  await pick(folder())
  await page.getByRole('button', { name: 'Take a snapshot and repair…' }).press('Enter')
  await page.getByText('Nothing is wrong.').waitFor()
  const check = page.getByRole('button', { name: 'Check this home' })
  await expect.poll(() => check.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(JSON.parse(fs.readFileSync(titles, 'utf8')).titles).toMatchObject([{ title: 'Two beds' }])
  expect(fs.readFileSync(`${titles}.damaged-1`, 'utf8')).toMatch(/"ke$/)
  expect(problems).toEqual([])
})
