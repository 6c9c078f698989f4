import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { isRoot } from '../../scripts/setup/project.mjs'
import { activeEntries, createPerson, type Person } from '../e2e/support/app'
import { homeWith, smallTalk } from '../e2e/support/scenes'
import { writtenPdf } from '../support/pdf'

/** What `npm run test:package` installed; as it is, without anything of the tests. */
const installed: { readonly app: string; readonly window: string; readonly command: string } =
  JSON.parse(process.env.SKEIN_INSTALLED ?? '{}')

/** Starts the window with Chromium's own debugging port, which no fuse closes; the app's code has no debugger. */
async function start(
  person: Person,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly page: Page; readonly child: ChildProcess; readonly words: () => string }> {
  const sandbox = isRoot() ? ['--no-sandbox'] : []
  const child = spawn(installed.window, ['--remote-debugging-port=0', ...sandbox, ...args], {
    env: { ...person.env, ...more },
    cwd: person.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  const address = () => /DevTools listening on (ws:\S+)/.exec(words)?.[1]
  await expect.poll(address).toBeDefined()
  const browser = await chromium.connectOverCDP(address() ?? '', { noDefaults: true })
  onTestFinished(() => browser.close())
  const pages = () => browser.contexts().flatMap((context) => context.pages())
  await expect.poll(() => pages().length).toBe(1)
  const [page] = pages()
  if (page === undefined) throw new Error('there is no window')
  return { page, child, words: () => words }
}

function command(args: readonly string[], person: Person): string {
  return execFileSync(installed.command, args, { env: person.env, encoding: 'utf8' })
}

it('opens a home twice in a row, from a folder with spaces and letters of several scripts', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  for (const _ of [1, 2]) {
    const { page, child } = await start(person, ['--home', home])
    await page.getByRole('option', { name: /garden/ }).click()
    await page.getByText('Answer number 1', { exact: true }).first().waitFor()
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
})

it('has the sample library, which lies beside the archive, and the licences inside of it', async () => {
  const { page } = await start(createPerson(), ['--sample'])
  await page.getByRole('option', { name: /three-days-in-kyoto/ }).waitFor()
  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'About' }).click()
  // The lists of what is bundled lie inside of the archive.
  await page.getByRole('heading', { name: 'Licences' }).waitFor()
  await page.getByText(/^katex/).waitFor()
  // Bundled in a worker of the page alone.
  await page.getByText(/^highlight\.js/).waitFor()
})

it('brings a command that needs no display and reads what the window reads', () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'))

  expect(command(['--version'], person).trim()).toBe(version)
  expect(command(['list', '--root', `chibi=${home}`], person)).toContain('garden')
  // Search runs in threads, whose code is in the archive as well.
  expect(command(['search', 'Answer number 1', '--root', `chibi=${home}`], person)).toContain(
    'garden',
  )
})

it('reads a PDF, whose process and character maps lie in the archive: by the command and in the window', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const file = path.join(person.folder, 'plums – 梅.pdf')
  const japanese = { content: 'BT /F2 12 Tf 72 720 Td <6885306E5B9F> Tj ET' }
  const picture = { content: '10 10 50 50 re f' }
  fs.writeFileSync(file, writtenPdf([['Plums like rain.'], japanese, picture]))

  command(['ask', '--practice', '--home', home, '-C', 'garden', '--attach', file, 'Look.'], person)
  const said = activeEntries(home, 'garden').map(({ content }) => String(content))
  expect(said.some((words) => words.includes('Plums like rain.') && words.includes('梅の実'))).toBe(
    true,
  )

  const { page } = await start(person, ['--home', home])
  await page.getByRole('option', { name: /garden/ }).click()
  await page.locator('[data-focus="composer"]').waitFor()
  await page.evaluate(() => {
    const input = document.createElement('input')
    input.type = 'file'
    input.id = 'dropped'
    document.body.append(input)
  })
  await page.locator('#dropped').setInputFiles(file)
  await page.evaluate(() => {
    const input = document.getElementById('dropped') as HTMLInputElement
    const dataTransfer = new DataTransfer()
    for (const each of input.files ?? []) dataTransfer.items.add(each)
    const init = { dataTransfer, bubbles: true, cancelable: true }
    document.querySelector('[data-focus="composer"]')?.dispatchEvent(new DragEvent('drop', init))
  })
  await page.getByText('goes without one of its 3 pages, which has no text.').waitFor()
})

it('asks for updates only where the package names a place, and only when a person does', async () => {
  const person = createPerson()
  const { page, child } = await start(person, ['--sample'])
  await page.getByRole('option', { name: /three-days-in-kyoto/ }).waitFor()
  await page.keyboard.press('Control+p')
  await page.keyboard.type('Check for updates')
  await page.keyboard.press('Enter')
  await page.getByText('This package names no place to ask, so nobody is asked.').waitFor()
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended

  const asked: (string | undefined)[] = []
  const packages = [{ name: 'skein_9.0.0_amd64.deb', size: 7, sha512: `${'A'.repeat(86)}==` }]
  const server = http.createServer(({ url }, response) => {
    asked.push(url)
    response.end(JSON.stringify({ version: '9.0.0', packages }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens at no port')
  const at = `http://127.0.0.1:${address.port}/`
  const file = path.join(installed.app, 'resources/update-feed.json')
  fs.writeFileSync(file, JSON.stringify({ feed: at, page: `${at}packages` }))
  onTestFinished(() => {
    fs.rmSync(file)
    server.closeAllConnections()
    server.close()
  })
  const again = await start(person, ['--sample'])
  await again.page.getByRole('option', { name: /three-days-in-kyoto/ }).waitFor()
  await again.page.keyboard.press('Control+,')
  await again.page.getByRole('button', { name: 'About' }).click()
  const button = again.page.getByRole('button', { name: 'Check for updates' })
  await button.waitFor()
  expect(asked).toEqual([])
  await button.press('Enter')
  await again.page.locator('.note').getByText('Skein 9.0.0 is available.').waitFor()
  await again.page.getByText('1 package with its SHA-512').press('Enter')
  await again.page.getByText(packages[0]?.sha512 ?? '').waitFor()
  expect(asked).toEqual(['/latest-linux.json'])
})

it('opens itself alone: no debugger, no other code, whatever the command line and the environment say', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const trace = path.join(folder, 'ran')
  const code = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')`
  fs.writeFileSync(path.join(folder, 'package.json'), '{"main":"other.cjs"}')
  fs.writeFileSync(path.join(folder, 'other.cjs'), code)
  const other = path.join(folder, 'other.cjs')
  const { page, words } = await start(
    createPerson(),
    ['--inspect=0', '--inspect-brk=0', '-r', other, folder, '--sample'],
    { NODE_OPTIONS: `--require ${other}` },
  )
  await page.getByRole('option', { name: /three-days-in-kyoto/ }).waitFor()

  expect(words()).not.toContain('Debugger listening')
  expect(fs.existsSync(trace)).toBe(false)
})
