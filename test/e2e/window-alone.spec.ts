import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

it('says that a transcript is missing, shows what context.jsonl has, and keeps it when the window is cleared', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const folder = path.join(home, 'contexts/garden')
  const active = path.join(folder, 'transcript/active.jsonl')
  const before = fs.readFileSync(active, 'utf8')
  fs.writeFileSync(path.join(folder, 'context.jsonl'), before)
  fs.rmSync(path.join(folder, 'transcript'), { recursive: true })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  const notice = page.getByText('The transcript is incomplete.')
  await notice.waitFor()
  expect(fs.existsSync(active)).toBe(false)

  await conversation('garden').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Start fresh for the model…' }).click()
  await page.getByRole('button', { name: 'Start fresh', exact: true }).click()
  await notice.waitFor({ state: 'detached' })
  await transcript.getByText('Question number 0').waitFor()
  await expect.poll(() => fs.readFileSync(active, 'utf8').startsWith(before)).toBe(true)
  expect(problems).toEqual([
    'stderr: skein: garden: The transcript was missing: it now begins with the lines of context.jsonl.',
  ])
})
