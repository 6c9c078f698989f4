import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { writtenPdf } from '../support/pdf'
import { tempFolders } from '../support/temp-folder'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const folder = tempFolders()

it('fills a saved prompt, attaches a file and quotes a conversation by keyboard, also after a restart, and sends them in one message', async () => {
  const work = folder()
  fs.mkdirSync(path.join(work, 'data'))
  fs.writeFileSync(path.join(work, 'data/rain.csv'), '\uFEFFday;mm\n1;3\n')
  const square = { content: '0 0 100 100 re f' }
  fs.writeFileSync(path.join(work, 'paper.pdf'), writtenPdf([['Plums like rain.'], square]))
  let asked: unknown
  const baseUrl = await endpoint((response, { messages }) => {
    asked = messages.at(-1)
    beginStream(response)
    sendText(response, 'Seen.')
    endStream(response)
  })
  const contexts = { garden: smallTalk('garden'), shed: smallTalk('shed') }
  const home = homeWith({ baseUrl, contexts })
  fs.appendFileSync(
    path.join(home, 'config.toml'),
    `file_tools_allowed_paths = [${JSON.stringify(work)}]\n`,
  )
  fs.mkdirSync(path.join(home, 'prompts'))
  fs.writeFileSync(path.join(home, 'prompts/look.md'), 'Look at the {{what}} of {{where:Ghent}}.\n')

  const first = await launchSkein({ home })
  const { conversation, transcript } = partsOf(first.page)
  const message = first.page.locator('[data-focus="composer"]')
  const option = (name: RegExp) => first.page.getByRole('option', { name })
  const keyboard = first.page.keyboard
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  await message.focus()
  await keyboard.type('/loo')
  await option(/^\/look/).waitFor()
  await keyboard.press('Enter')
  await first.page.getByText('Fill in what, where').waitFor()
  await keyboard.type('rain')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expect.poll(() => message.inputValue()).toBe('Look at the rain of Ghent.')
  await keyboard.type(' See @ra')
  await option(/^@rain\.csv/).waitFor()
  await keyboard.press('Enter')
  const files = first.page.getByRole('list', { name: 'Text files to send' })
  await files.getByText('rain.csv').waitFor()
  expect(first.problems).toEqual([])
  await first.close()

  const { page, problems } = await launchSkein({ home, person: first.person })
  const again = partsOf(page)
  await again.conversation('garden').click()
  const kept = page.getByRole('list', { name: 'Text files to send' })
  await kept.getByText('rain.csv').waitFor()
  await expect
    .poll(() => again.message.inputValue())
    .toBe('Look at the rain of Ghent. See rain.csv ')
  await again.message.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('and @pap')
  await page.getByRole('option', { name: /^@paper\.pdf/ }).waitFor()
  await page.keyboard.press('Enter')
  await kept.getByRole('button', { name: /^paper\.pdf/ }).waitFor()
  await page.getByText('goes without one of its 2 pages, which has no text.').waitFor()
  await page.keyboard.type('and @shed')
  await page.getByRole('option', { name: /^@shed/ }).waitFor()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Quote a conversation' })
  await sheet.getByText('Answer number 1').waitFor()
  await sheet.getByRole('button', { name: 'Attach' }).press('Enter')
  await page.getByRole('list', { name: 'Text files to send' }).getByText('shed.md').waitFor()
  await page.locator('[data-focus="composer"]').press('Enter')
  await again.transcript.getByText('Seen.').waitFor()
  const said = activeEntries(home, 'garden').find(({ content }) =>
    String(content).startsWith('Look at the rain'),
  )
  const content = String(said?.content)
  expect(asked).toEqual({ role: 'user', content })
  expect(content).toContain('\n\nFile "rain.csv":\n\n```csv\nday;mm\n1;3\n```')
  expect(content).toContain('Link: skein://conversation/shed')
  expect(content).toContain(
    'File "paper.pdf":\n\n```\n[Page 1]\nPlums like rain.\n\n[Page 2, which has no text]\n```',
  )
  const folderOfFiles = path.join(home, 'contexts/garden/attachments')
  const names = fs.readdirSync(folderOfFiles)
  expect(names.filter((name) => name.endsWith('.txt'))).toHaveLength(2)
  const [pdf = ''] = names.filter((name) => name.endsWith('.pdf'))
  expect(fs.readFileSync(path.join(folderOfFiles, pdf))).toEqual(
    fs.readFileSync(path.join(work, 'paper.pdf')),
  )
  const fold = again.transcript.getByRole('button', { name: /rain\.csv/ })
  await fold.press('Enter')
  await again.transcript.getByText('day;mm').waitFor()
  expect(problems).toEqual([])
})
