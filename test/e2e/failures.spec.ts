import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { waitMs } from '../../scripts/electron/launch.mjs'
import { activeEntries, launchSkein } from './support/app'
import { type Answer, beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

const json =
  (status: number, body: unknown): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

/** How an answer fails, the words for it, and what of it is read before it is cut. */
interface Failing {
  readonly answer: Answer
  readonly words: RegExp
  readonly part?: string
}

const failing: readonly (readonly [string, Failing])[] = [
  ['a wrong key', { answer: json(401, { error: { message: 'Invalid API key' } }), words: /key/i }],
  [
    'no credit',
    { answer: json(402, { error: { message: 'Insufficient credits' } }), words: /credit/i },
  ],
  [
    'an error page of a gateway',
    {
      answer: (response) =>
        response.writeHead(400, { 'content-type': 'text/html' }).end('<h1>Bad</h1>') as never,
      words: /400|page|HTML/i,
    },
  ],
  [
    'a cut stream',
    {
      answer: (response) => {
        beginStream(response)
        sendText(response, 'Half of')
      },
      words: /closed|broke|cut|ended/i,
      part: 'Half of',
    },
  ],
]

it.each(failing)(
  '%s ends in words in the transcript, and the next message is answered',
  async (_name, { answer, words, part }) => {
    let asked = 0
    let cut: () => void = () => undefined
    const baseUrl = await endpoint((response, request) => {
      asked += 1
      cut = () => response.destroy()
      if (asked === 1) return answer(response, request)
      beginStream(response)
      sendText(response, 'All is well again')
      endStream(response)
    })
    const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
    const { page, problems } = await launchSkein({ home })
    const { conversation, transcript, send } = partsOf(page)
    await conversation('garden').click()
    await say(page, 'Hello')
    if (part !== undefined) {
      // Cut before a word of it was read, it would be asked for again.
      await transcript.getByText(part).waitFor()
      cut()
    }
    await expect.poll(() => activeEntries(home, 'garden').at(-1)?.entry_type).toBe('run_error')
    const failure = activeEntries(home, 'garden').at(-1)
    expect(String(failure?.content)).toMatch(words)
    expect(JSON.stringify(failure)).not.toContain('sk-test')
    await transcript
      .getByRole('button', { name: /Try again/ })
      .last()
      .waitFor()
    await send.waitFor()

    await say(page, 'And now?')
    await transcript.getByText('All is well again').waitFor()
    expect(problems).toEqual([])
  },
)

it('makes a context read-only while another program holds its lock, and says so', async () => {
  const home = homeWith({
    baseUrl: 'http://127.0.0.1:1/v1',
    contexts: { garden: smallTalk('garden') },
  })
  const lock = path.join(home, 'contexts/garden/.lock')
  fs.writeFileSync(lock, String(Math.floor(Date.now() / 1000)))
  const { page, problems } = await launchSkein({ home })
  const { conversation, transcript, message } = partsOf(page)
  await conversation('garden').click()
  await transcript.getByText('Answer number 1').waitFor()
  await page
    .getByText(/is writing here/)
    .first()
    .waitFor()
  await expect.poll(() => message.isEditable()).toBe(false)

  fs.unlinkSync(lock)
  await expect.poll(() => message.isEditable()).toBe(true)
  expect(problems).toEqual([])
})

it('says that a home cannot be read, and opens it once it can be', async () => {
  const folder = homeWith({})
  const home = path.join(folder, 'home')
  fs.writeFileSync(home, 'x')
  const { page, problems } = await launchSkein({ home })
  await page.getByText(/is a file, not a folder/).waitFor()
  fs.unlinkSync(home)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'New conversation' }).first().waitFor()
  expect(problems).toEqual([])
})

it('offers the sample library where the home cannot be read', async () => {
  const home = path.join(homeWith({}), 'home')
  fs.writeFileSync(home, 'x')
  const { app, page, problems } = await launchSkein({ home })
  const sample = page.getByRole('button', { name: /sample library/i })
  await sample.waitFor()
  const [opened] = await Promise.all([
    app.waitForEvent('window', { timeout: waitMs }),
    sample.click(),
  ])
  await partsOf(opened).library.getByRole('option').first().waitFor()

  expect(fs.readFileSync(home, 'utf8')).toBe('x')
  expect(problems).toEqual([])
})

it.runIf(process.platform === 'linux' && process.geteuid?.() === 0)(
  'says that the disk is full, keeps the words in the composer, and sends them when there is room',
  async () => {
    const home = homeWith({})
    const disk = path.join(home, 'disk')
    fs.mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk])
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    const baseUrl = await endpoint((response) => {
      beginStream(response)
      sendText(response, 'There is room')
      endStream(response)
    })
    fs.cpSync(homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } }), disk, {
      recursive: true,
    })
    const { page, problems } = await launchSkein({ home: disk })
    const { conversation, transcript, message, send } = partsOf(page)
    await conversation('garden').click()
    await transcript.getByText('Answer number 1').waitFor()
    const filler = path.join(disk, 'filler')
    fillUp(filler)
    const words = 'These words must not be lost. '.repeat(300)
    await say(page, words)
    await page
      .getByText(/disk is full/i)
      .first()
      .waitFor()
    await expect.poll(() => message.inputValue()).toBe(words)

    fs.unlinkSync(filler)
    await send.click()
    await transcript.getByText('There is room').waitFor()
    const entries = activeEntries(disk, 'garden').filter(
      ({ content }) => content === words.trim() || content === words,
    )
    expect(entries).toHaveLength(1)
    expect(problems).toEqual([])
  },
)

/** Takes all the room of a disk. */
function fillUp(file: string): void {
  const descriptor = fs.openSync(file, 'w')
  try {
    for (;;) fs.writeSync(descriptor, Buffer.alloc(1024, 'x'))
  } catch {
    // The disk is full, as was meant.
  } finally {
    fs.closeSync(descriptor)
  }
}
