import { expect, it } from 'vitest'
import { tempFolders } from '../support/temp-folder'
import { launchSkein } from './support/app'
import { copyRoot } from './support/copied-root'
import { homeWith, partsOf } from './support/scenes'

const folder = tempFolders()
it('shows the files of a message, also where the message has no words', async () => {
  const root = copyRoot('fluux', 'readers/fluux/input', folder())
  const { page, problems } = await launchSkein({ home: homeWith({}), args: root.args })
  const { conversation, turns } = partsOf(page)
  await conversation('When to sow peas?').click()
  const files = turns.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await files.filter({ hasText: 'rapport été.pdf' }).getByText('1.2MB').waitFor()
  await expect.poll(() => files.count()).toBe(1)
  root.expectUntouched()
  expect(problems).toEqual([])
})

it('reads a conversation on over midnight, from the files of two days and in the order in which it was said', async () => {
  const root = copyRoot('voicemode', 'readers/voicemode/midnight', folder())
  const { page, problems } = await launchSkein({ home: homeWith({}), args: root.args })
  const { conversation, library, transcript, turns } = partsOf(page)
  await conversation('wake me at six').waitFor()
  await expect.poll(() => library.getByRole('option').count()).toBe(2)
  await conversation('is the moon up?').click()
  await transcript.getByText('the moon is high').waitFor()
  const said = [
    'is the moon up?',
    'it rises at midnight',
    'call me when it is high',
    'the moon is high',
  ]
  await expect
    .poll(async () => {
      const texts = await turns.allInnerTexts()
      return said.map((words) => texts.findIndex((text) => text.includes(words)))
    })
    .toEqual([0, 1, 2, 3])
  await expect.poll(() => transcript.getByText('six it is').count()).toBe(0)
  root.expectUntouched()
  expect(problems).toEqual([])
})

it('joins the files of one chat to a family, and goes from one branch to the other', async () => {
  const root = copyRoot('cycod', 'branches/cycod-without-tools', folder())
  const { page, problems } = await launchSkein({ home: homeWith({}), args: root.args })
  const { library, transcript } = partsOf(page)
  // All three have the same title, and were copied at the same time: one is known by its file.
  await library.locator('[data-key*="1773140000001"]').click()
  await transcript.getByText('carrots on Monday').waitFor()
  const tree = page.getByRole('tree', { name: 'Branches' })
  await tree.getByRole('treeitem', { name: /prune first/ }).click()
  await transcript.getByText('pears on Monday').waitFor()
  await expect.poll(() => transcript.getByText('carrots on Monday').count()).toBe(0)
  await tree.getByRole('treeitem', { name: /sow first/ }).click()
  await transcript.getByText('carrots on Monday').waitFor()
  // Another greeting is another beginning: it is in a family of its own.
  await expect.poll(() => tree.getByText('hello again').count()).toBe(0)
  root.expectUntouched()
  expect(problems).toEqual([])
})
