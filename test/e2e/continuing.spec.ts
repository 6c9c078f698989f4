import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createPerson, launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'
import { fourSystems } from './support/systems'

it('a conversation becomes a session of pi by keys, is listed among its sessions, and gives the command that goes on with it', async () => {
  const person = createPerson()
  const systems = fourSystems(path.join(person.folder, 'systems'))
  const pi = path.join(person.folder, 'pi')
  fs.mkdirSync(path.join(pi, 'sessions'), { recursive: true })
  const { app, page, dialogs, problems } = await launchSkein({
    person,
    home: homeWith({}),
    args: [...systems.args, '--root', `pi=${pi}`],
  })
  const { conversation, transcript } = partsOf(page)
  await conversation('Tulips in rows').click()
  await transcript.getByText('A hand.').waitFor()
  await page.getByRole('button', { name: /^Export/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('radio', { name: 'Session of pi' }).check()
  await dialog.getByText('1 system message is left out.').waitFor()
  await dialogs.press('Write file')
  await dialog.getByRole('button', { name: 'Add to pi…' }).press('Enter')
  const command = dialog.locator('.export-command code')
  await command.waitFor()
  const [question] = await dialogs.asked()
  const [folder = ''] = fs.readdirSync(path.join(pi, 'sessions'))
  const [name = ''] = fs.readdirSync(path.join(pi, 'sessions', folder))
  const file = path.join(pi, 'sessions', folder, name)
  expect(question?.detail).toContain(`New file:\n${file}\n`)
  await expect.poll(() => command.textContent()).toContain(`pi --session ${file}`)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // Two of that name now: the newest is the session.
  const written = page.locator('.library-row[data-key^="pi:"]')
  await written.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy command to continue' }).click()
  await page.getByText('Copied. Paste it into a terminal:').waitFor()
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
    .toContain(`pi --session ${file}`)
  expect(problems).toEqual([])
})
