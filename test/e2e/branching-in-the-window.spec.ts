import fs from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { isRoot } from '../../scripts/setup/project.mjs'
import { findChromium } from '../renderer/harness/serve'
import { tempFolders } from '../support/temp-folder'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

const folder = tempFolders()

/** An endpoint that answers with the number of the request, and what it was asked. */
async function countingEndpoint() {
  const asked: string[][] = []
  const baseUrl = await endpoint((response, { messages }) => {
    asked.push(messages.map(({ content }) => content))
    beginStream(response)
    sendText(response, `Answer of request ${asked.length}`)
    endStream(response)
  })
  return { asked, baseUrl }
}

it('edits a message into a branch, shows both in the tree, and goes back by the fork marker', async () => {
  const { asked, baseUrl } = await countingEndpoint()
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden', 6) } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, turns } = partsOf(page)
  await conversation('garden').click()
  const before = activeEntries(home, 'garden')

  const turn = turns.filter({ hasText: 'Question number 4' })
  await turn.hover()
  await turn.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox', { name: 'Edit the message' }).fill('Question number 4, better')
  await page.getByRole('button', { name: /Send as a new branch/ }).click()
  await transcript.getByText('Answer of request 1').waitFor()
  await expect.poll(() => transcript.getByText('Answer number 5').count()).toBe(0)
  expect(asked[0]?.at(-1)).toBe('Question number 4, better')
  expect(activeEntries(home, 'garden')).toEqual(before)

  const tree = page.getByRole('tree', { name: 'Branches' })
  await tree.getByRole('treeitem').nth(2).waitFor()
  await expect
    .poll(() => tree.getByRole('treeitem').allInnerTexts())
    .toEqual([
      expect.stringContaining('garden'),
      expect.stringContaining('Question number 4'),
      expect.stringContaining('Question number 4'),
    ])
  await expect.poll(() => tree.getByRole('treeitem', { name: /better/ }).count()).toBe(1)

  const marker = page.getByRole('group', { name: 'Branches here' })
  await expect.poll(() => marker.textContent()).toContain('2 / 2')
  await marker.getByRole('button', { name: 'Previous branch' }).click()
  await transcript.getByText('Answer number 5').waitFor()
  await expect.poll(() => marker.textContent()).toContain('1 / 2')
  await expect.poll(() => page.title()).toContain('garden')

  await tree.getByRole('treeitem', { name: /better/ }).click()
  await transcript.getByText('Answer of request 1').waitFor()
  expect(problems).toEqual([])
})

it('asks for an answer again in a branch', async () => {
  const { asked, baseUrl } = await countingEndpoint()
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden', 4) } })
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, turns } = partsOf(page)
  await conversation('garden').click()
  const turn = turns.filter({ hasText: 'Answer number 3' })
  await turn.hover()
  await turn.getByRole('button', { name: /^Regenerate/ }).click()
  await transcript.getByText('Answer of request 1').waitFor()
  expect(asked).toEqual([['Question number 0', 'Answer number 1', 'Question number 2']])
  expect(activeEntries(home, 'garden')).toHaveLength(4)
  expect(problems).toEqual([])
})

it('adopts a cycod conversation, answers in it, and leaves the source as it was', async () => {
  const { asked, baseUrl } = await countingEndpoint()
  const history = path.join(folder(), 'history')
  fs.mkdirSync(history)
  const file = path.join(history, 'chat-history-1754437000000.jsonl')
  const call = {
    id: 'call_0',
    type: 'function',
    function: { name: 'shell', arguments: '{"c":"ls"}' },
  }
  const lines = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'What lies here?' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_0', content: 'tulips.txt' },
    { role: 'assistant', content: 'A file about tulips.' },
  ]
  fs.writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const [bytes, { mtimeMs }] = [fs.readFileSync(file), fs.statSync(file)]
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const { page, problems } = await launchSkein({ home, args: ['--root', `cycod=${history}`] })
  const { conversation, transcript } = partsOf(page)

  await conversation('What lies here?').click()
  await transcript.getByText('A file about tulips.').waitFor()
  await page.getByRole('button', { name: 'Continue here' }).click()
  await partsOf(page).message.waitFor()
  await say(page, 'And what stands in it?')
  await transcript.getByText('Answer of request 1').waitFor()

  expect(asked[0]?.slice(-2)).toEqual(['A file about tulips.', 'And what stands in it?'])
  expect(asked[0]).toContain('tulips.txt')
  const adopted = fs.readdirSync(path.join(home, 'contexts')).filter((name) => name !== 'garden')
  expect(adopted).toEqual(['what-lies-here'])
  const [anchor] = activeEntries(home, 'what-lies-here')
  expect(anchor?.metadata).toMatchObject({
    origin: { source: 'cycod', key: 'chat-history-1754437000000' },
  })
  expect(fs.readFileSync(file)).toEqual(bytes)
  expect(fs.statSync(file).mtimeMs).toBe(mtimeMs)
  expect(problems).toEqual([])
})

it('exports a page that holds every entry, and hostile markup in it as text', async () => {
  const hostile = [
    '<script>document.title="taken"</script>',
    '<img src=x onerror="document.title=\'taken\'">',
    '</textarea></style><iframe src="javascript:alert(1)"></iframe>',
    '[link](javascript:document.title="taken")',
  ]
  const lines = hostile.map((content, n) =>
    JSON.stringify({
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      timestamp: Math.floor(Date.now() / 1000) - 60,
      from: n % 2 === 0 ? 'user' : 'garden',
      to: n % 2 === 0 ? 'garden' : 'user',
      content: `Entry ${n}: ${content}`,
      entry_type: 'message',
    }),
  )
  const home = homeWith({ contexts: { garden: `${lines.join('\n')}\n{"id":"cut` } })
  const out = path.join(folder(), 'garden.html')
  const { app, page, problems } = await launchSkein({ home })
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, out)
  await partsOf(page).conversation('garden').click()
  await partsOf(page).transcript.getByText('Entry 3').waitFor()
  await page.getByRole('button', { name: /^Export/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('radio', { name: 'HTML' }).check()
  await dialog.getByRole('button', { name: 'Export…', exact: true }).click()
  await expect.poll(() => dialog.getByRole('status').textContent()).toContain('4 entries')
  expect(problems).toEqual([])

  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: isRoot() ? ['--no-sandbox'] : [],
  })
  try {
    const read = await browser.newPage()
    const asked: string[] = []
    read.on('request', (request) => asked.push(request.url()))
    await read.goto(`file://${out}`)
    const text = (await read.locator('body').textContent()) ?? ''
    hostile.forEach((markup, n) => {
      expect(text).toContain(`Entry ${n}:`)
      if (!markup.startsWith('[')) expect(text).toContain(markup)
    })
    expect(text).toContain('{"id":"cut')
    await expect.poll(() => read.title()).toContain('garden')
    await expect.poll(() => read.locator('script, iframe, img').count()).toBe(0)
    expect(asked).toEqual([`file://${out}`])
  } finally {
    await browser.close()
  }
})
