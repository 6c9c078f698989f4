import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import type { ElectronApplication } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { waitMs } from '../../scripts/electron/launch.mjs'
import { pdfTexts } from '../support/pdf-text'
import { createPerson, launchSkein } from './support/app'
import { homeWith, partsOf } from './support/scenes'

/** Somebody on this machine who waits to be asked for something. */
async function waitingServer() {
  const asked: string[] = []
  const server = net.createServer((socket) => {
    asked.push(String(socket.remotePort))
    socket.on('error', () => undefined).end('HTTP/1.1 204 No Content\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens at no port')
  return { asked, url: `http://127.0.0.1:${address.port}` }
}

const line = (index: number, content: string, entry_type = 'message') =>
  JSON.stringify({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    timestamp: 1_780_000_000 + index,
    from: index % 2 === 0 ? 'user' : 'garden',
    to: index % 2 === 0 ? 'garden' : 'user',
    content,
    entry_type,
  })

/** A table of words that stand nowhere else. */
const tableOf = (columns: number) => {
  const row = (cell: (column: number) => string) =>
    `| ${Array.from({ length: columns }, (_, at) => cell(at)).join(' | ')} |`
  return [
    row((at) => `h${columns}x${at}z`),
    row(() => '---'),
    row((at) => `d${columns}x${at}z`),
  ].join('\n')
}

/** A black picture, one pixel high. */
function bitmapOf(width: number): Buffer {
  const bytes = Buffer.alloc(54 + Math.ceil((width * 3) / 4) * 4)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, 1],
  ] as const)
    bytes.writeUInt32LE(value, at)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  return bytes
}

const windowsOf = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

it('a conversation is printed as PDF, with its words and nothing else: no script, no request, no window that stays', async () => {
  const person = createPerson()
  const { asked, url } = await waitingServer()
  const token = `gh${'p'}_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8`
  const hostile = [
    `<script>fetch("${url}/script")</script><img src="${url}/html.png" onerror="fetch('${url}/error')">`,
    `![plum](${url}/markdown.png) [link](${url}/link) <meta http-equiv="refresh" content="0;url=${url}/meta">`,
    `<iframe src="${url}/frame"></iframe><link rel="preconnect" href="${url}"><style>@import "${url}/style"</style>`,
  ].join('\n\n')
  const { app, page, problems } = await launchSkein({
    person,
    home: homeWith({
      contexts: {
        // Longer than the foot of a page.
        [`garden-${'plum-'.repeat(36)}tree`]: `${[
          line(0, hostile),
          line(1, `${hostile}\n\nThe plums are ripe: ${token}.`),
          line(2, Array.from({ length: 200 }, (_, at) => `Row ${at} of plums.`).join('\n')),
          line(3, 'Unfolded words of a tool.', 'tool_result'),
          line(5, [20, 30, 60].map(tableOf).join('\n\nNext.\n\n')),
        ].join('\n')}\n`,
      },
    }),
  })
  const { transcript } = partsOf(page)
  await transcript.getByText('Row 199 of plums.').waitFor()
  await page.keyboard.press('Control+e')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('radio', { name: 'PDF' }).press('Space')
  await dialog.getByRole('checkbox', { name: 'Replace secrets' }).press('Space')
  // The preview is the page that is printed.
  await dialog.locator('.export-preview-text', { hasText: '<!doctype html>' }).waitFor()
  await dialog.getByText('1 place is replaced.').waitFor()

  const file = path.join(person.folder, 'garden.pdf')
  await app.evaluate(({ dialog: asking, app: electron }, filePath) => {
    asking.showSaveDialog = async () => ({ canceled: false, filePath })
    // What a page is printed in.
    electron.on('browser-window-created', (_event, { webContents }) => {
      const { sandbox, javascript, preload, nodeIntegration } =
        (
          webContents as unknown as { getLastWebPreferences(): Electron.WebPreferences }
        ).getLastWebPreferences() ?? {}
      Object.assign(globalThis, { printedIn: { sandbox, javascript, preload, nodeIntegration } })
    })
  }, file)
  await dialog.getByRole('button', { name: 'Export…' }).press('Enter')
  await dialog.getByText(/^5 entries, .*, redacted in 1 place$/).waitFor()
  const pages = pdfTexts(fs.readFileSync(file))
  const words = pages.join('\n')
  expect(pages.length).toBeGreaterThan(2)
  for (const [at, text] of pages.entries()) {
    expect(text.replace(/\n/g, '')).toContain(`${at + 1} / ${pages.length}`)
    expect(text).toContain('garden')
  }
  const letters = words.replace(/\s/g, '')
  const lost = [20, 30, 60].flatMap((columns) =>
    tableOf(columns)
      .split(/[|\s-]+/)
      .filter((word) => !letters.includes(word)),
  )
  expect(lost).toEqual([])
  expect(words).toContain('The plums are ripe: [redacted: GitHub token #1].')
  expect(words).toContain('Row 0 of plums.')
  expect(words).toContain('Row 199 of plums.')
  expect(words).toContain('Unfolded words of a tool.')
  expect(words.replace(/\s/g, '')).toContain('<iframesrc=')
  expect(fs.readFileSync(file, 'latin1')).not.toContain(token)
  expect(asked).toEqual([])
  await expect
    .poll(() => app.evaluate(() => (globalThis as { printedIn?: unknown }).printedIn))
    .toEqual({ sandbox: true, javascript: false, nodeIntegration: false })
  await expect.poll(() => windowsOf(app)).toBe(1)

  // What the page would be if it held what its writer keeps out: the window of its own runs and loads nothing still.
  const picture = 'R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs='
  const near = path.join(person.folder, 'near')
  fs.mkdirSync(near)
  fs.writeFileSync(path.join(near, 'picture.bmp'), bitmapOf(3))
  fs.writeFileSync(path.join(near, 'words.html'), 'Words of a file.')
  const raw = `<!doctype html><title>plums</title><meta http-equiv="refresh" content="0;url=${url}/meta">
    <link rel="stylesheet" href="${url}/style"><link rel="preconnect" href="${url}">
    <p>Raw plums.</p><script>document.body.append("Words of a script.")</script>
    <img src="data:image/gif;base64,${picture}"><img src="file://${near}/picture.bmp"><img src="${url}/picture">
    <iframe src="app://skein/index.html"></iframe><iframe src="file://${near}/words.html"></iframe><iframe src="${url}/frame"></iframe>
    <iframe srcdoc="<script>fetch('${url}/within')</script>"></iframe><object data="${url}/object"></object>
    <img src="x" onerror="document.body.append('Words of an event.')"><!--`
  await app.evaluate((_electron, replaced) => {
    const { encode } = TextEncoder.prototype
    TextEncoder.prototype.encode = function (text) {
      return encode.call(this, text?.startsWith('<!doctype html>') ? replaced : text)
    }
  }, raw)
  fs.rmSync(file)
  await dialog.getByRole('button', { name: 'Export…' }).press('Enter')
  await expect.poll(() => fs.existsSync(file)).toBe(true)
  const printed = fs.readFileSync(file)
  const said = pdfTexts(printed).join('\n')
  expect(said).toContain('Raw plums.')
  expect(said).not.toContain('Words of')
  // The one of a file would be three wide; signs of images that did not come are larger.
  const widths = [...printed.toString('latin1').matchAll(/\/Subtype \/Image\s+\/Width (\d+)/g)].map(
    ([, width]) => Number(width),
  )
  expect(widths).toContain(1)
  expect(widths).not.toContain(3)
  expect(asked).toEqual([])

  // One that never ends: it ends with Stop, with its dialog, and with the program.
  await app.evaluate(({ app: electron }) => {
    electron.on('browser-window-created', (_event, window) => {
      window.webContents.printToPDF = () => new Promise(() => undefined)
    })
  })
  const before = fs.readFileSync(file)
  const names = fs.readdirSync(person.folder)
  const begin = async () => {
    await dialog.getByRole('button', { name: 'Export…' }).press('Enter')
    await expect.poll(() => windowsOf(app)).toBe(2)
  }
  await begin()
  await dialog.getByRole('status').getByText('Printing…').waitFor()
  await dialog.getByRole('button', { name: 'Stop' }).press('Enter')
  await dialog.getByRole('status').getByText('Stopped. Nothing was written.').waitFor()
  await dialog.getByRole('button', { name: 'Export…' }).and(page.locator(':enabled')).waitFor()
  await expect.poll(() => windowsOf(app)).toBe(1)
  await begin()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => windowsOf(app)).toBe(1)
  await page.keyboard.press('Control+e')
  await begin()
  // Electron tells of the frames that were refused above.
  const refused = /ERR_BLOCKED_BY_CSP|--trace-warnings/
  expect(problems.filter((problem) => !refused.test(problem))).toEqual([])
  const closed = app.waitForEvent('close', { timeout: waitMs })
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.close()
  })
  await closed
  expect(fs.readFileSync(file).equals(before)).toBe(true)
  expect(fs.readdirSync(person.folder)).toEqual(names)
})
