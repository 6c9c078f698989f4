import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

it('titles a branch by itself where Settings allow it; the tree shows it, and a person writes over it', async () => {
  const asked: string[] = []
  const baseUrl = await endpoint((response, { messages }) => {
    const isForTitle = messages[0]?.content.includes('titles') === true
    if (isForTitle) asked.push(messages[1]?.content ?? '')
    beginStream(response)
    sendText(response, isForTitle ? '**Crocuses in a pot.**' : 'They need drainage.')
    endStream(response)
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden', 4) } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, turns } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 3').waitFor()

  await page.keyboard.press('Control+,')
  await page.getByRole('switch', { name: 'Let the model title conversations' }).click()
  await page.getByRole('switch', { name: 'Let the model title', checked: true }).waitFor()
  await page.keyboard.press('Escape')

  // A conversation that a person named is left alone.
  await say(page, 'And crocuses?')
  await transcript.getByText('They need drainage.').waitFor()

  const turn = turns.filter({ hasText: 'Question number 2' })
  await turn.hover()
  await turn.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox', { name: 'Edit the message' }).fill('What of crocuses in a pot?')
  await page.getByRole('button', { name: /Send as a new branch/ }).click()
  await conversation('Crocuses in a pot').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Crocuses in a pot' }).waitFor()
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('What of crocuses in a pot?')
  expect(asked[0]).not.toContain('Question number 0')
  expect(fs.readdirSync(path.join(home, 'contexts')).sort()).toEqual(['garden', 'garden-2'])
  const tree = page.getByRole('tree', { name: 'Branches' })
  await tree.getByRole('treeitem', { name: /^Crocuses in a pot/ }).waitFor()

  // A person's title stands over it, in the tree as well.
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Pots')
  await page.getByRole('textbox', { name: 'Title' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Pots' }).waitFor()
  await tree.getByRole('treeitem', { name: /^Pots/ }).waitFor()
  const kept = JSON.parse(fs.readFileSync(path.join(home, 'titles.skein.json'), 'utf8'))
  expect(kept.titles).toMatchObject([{ key: 'garden-2', title: 'Pots', by: 'person' }])
  expect(problems).toEqual([])
})

it('has the practice model title a conversation that is asked for, after saying where it goes', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden', 4) } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 3').waitFor()
  await page.keyboard.press('Control+,')
  await page.getByRole('switch', { name: 'Practice model' }).click()
  await page.getByRole('switch', { name: 'Practice model', checked: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Generate title…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate title' })
  await dialog.getByText(/127\.0\.0\.1:\d+/).waitFor()
  await dialog.getByRole('button', { name: 'Ask the model' }).click()
  await dialog.waitFor({ state: 'detached' })
  // It says what it is, without its Markdown.
  await page
    .getByRole('heading', { level: 1, name: /^Practice model, no AI\. Skein itself/ })
    .waitFor()
  expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual(['garden'])
  expect(problems).toEqual([])
})
