import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../src/main/disk/app-disk'
import { readSmallText } from '../../src/main/disk/reading/read'
import { zipMembersFolder } from '../../src/main/disk/unpack/zip-path'
import { createPerson, launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'

const line = (index: number, content: string) =>
  JSON.stringify({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    timestamp: 1_780_000_000 + index,
    from: index % 2 === 0 ? 'user' : 'garden',
    to: index % 2 === 0 ? 'garden' : 'user',
    content,
    entry_type: 'message',
  })

it('a conversation is redacted by keys, shown as it will be written, and written so', async () => {
  const person = createPerson()
  const token = `gh${'p'}_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8`
  const { app, page, problems } = await launchSkein({
    person,
    home: homeWith({
      contexts: {
        soup: `${[line(0, `Write to ann@plum.example with ${token}.`), line(1, 'In /home/ann/plums.')].join('\n')}\n`,
        garden: `${[line(0, `Write to ann@plum.example with ${token}.`), line(1, 'In /home/ann/plums.')].join('\n')}\n`,
      },
    }),
  })
  const { transcript } = partsOf(page)
  await transcript.getByText('In /home/ann/plums.').waitFor()
  await page.keyboard.press('Control+e')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('radio', { name: 'Plain text' }).press('Space')
  await dialog.getByRole('checkbox', { name: 'Replace secrets' }).press('Space')
  await dialog.locator('mark', { hasText: '[redacted: GitHub token #1]' }).waitFor()
  await dialog.getByText('3 places are replaced.').waitFor()
  // An address that everybody knows may stay.
  await dialog.locator('summary', { hasText: 'e-mail address' }).press('Enter')
  await dialog.getByRole('checkbox', { name: '#1 ann@plum.example' }).press('Space')
  await dialog.getByText('2 places are replaced.').waitFor()

  const file = path.join(person.folder, 'garden.txt')
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, file)
  await dialog.getByRole('button', { name: 'Export…' }).press('Enter')
  await dialog.getByText(/^2 entries, .*, redacted in 2 places$/).waitFor()
  const written = fs.readFileSync(file, 'utf8')
  await expect.poll(() => dialog.locator('.export-preview-text').textContent()).toBe(written)
  expect(written).toContain('Write to ann@plum.example with [redacted: GitHub token #1].')
  expect(written).toContain('In /home/[redacted: user #1]/plums.')

  // The same choices for all of them, into one zip.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+e')
  await dialog.getByRole('radio', { name: 'One zip' }).press('Space')
  const zip = path.join(person.folder, 'all.zip')
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, zip)
  await dialog.getByRole('button', { name: 'Export 2…' }).press('Enter')
  await dialog
    .getByText(/^2 conversations, 4 entries, .* in a zip of .*, redacted in 6 places$/)
    .waitFor()
  const members = zipMembersFolder(zip)
  expect([...(await appDisk.list(members))].sort()).toEqual(['chibi-garden.txt', 'chibi-soup.txt'])
  const text = await readSmallText(appDisk, path.join(members, 'chibi-garden.txt'))
  // What stayed of the one conversation is no choice for all.
  expect(text).toContain('Write to [redacted: e-mail address #1] with [redacted: GitHub token #1].')
  expect(problems).toEqual([])
})
