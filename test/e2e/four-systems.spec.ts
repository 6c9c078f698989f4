import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/setup/project.mjs'
import { atRest } from '../renderer/browser/page'
import { tempFolders } from '../support/temp-folder'
import { activeEntries, launchSkein } from './support/app'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'
import { fourSystems, voiceLine } from './support/systems'

const folder = tempFolders()

it('shows what a growing file gets, and moves nobody who has scrolled up', async () => {
  const systems = fourSystems(folder())
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  for (let n = 0; n < 50; n++) fs.appendFileSync(systems.voiceFile, voiceLine(`Wave ${n}`, n))
  const { page, problems } = await launchSkein({ home, args: systems.args })
  const { conversation, transcript } = partsOf(page)
  await conversation('Is the tide in?').click()
  await transcript.getByText('Wave 49', { exact: true }).waitFor()

  fs.appendFileSync(systems.voiceFile, voiceLine('The gate is open.', 55))
  await transcript.getByText('The gate is open.').waitFor()
  // A torn line waits for its end.
  const late = voiceLine('The gate is shut.', 57)
  fs.appendFileSync(systems.voiceFile, late.slice(0, 40))
  fs.appendFileSync(systems.voiceFile, late.slice(40))
  await transcript.getByText('The gate is shut.').waitFor()

  await transcript.press('Control+Home')
  await transcript.getByText('Is the tide in?').waitFor()
  const topOf = () =>
    transcript
      .getByText('It comes in at noon.')
      .evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await atRest(page, topOf)
  fs.appendFileSync(systems.voiceFile, voiceLine('Nobody is on the quay.', 59))
  await page.getByRole('button', { name: /^New since/ }).waitFor()
  await expect.poll(() => topOf()).toBe(before)
  expect(problems).toEqual([])
})

it('shows a reaction at the message that it is about', async () => {
  const systems = fourSystems(folder())
  const { page, problems } = await launchSkein({ home: homeWith({}), args: systems.args })
  const { conversation, transcript, turns } = partsOf(page)
  await conversation('fluux: when is high tide?').click()
  const answer = turns.filter({ hasText: 'At noon, two metres.' })
  await answer.getByText('🌊').waitFor()
  await transcript.getByText('ann', { exact: true }).first().waitFor()
  await expect.poll(() => turns.count()).toBe(2)
  expect(problems).toEqual([])
})

it('plays what was said', async () => {
  const systems = fourSystems(folder())
  const { page, problems } = await launchSkein({ home: homeWith({}), args: systems.args })
  await partsOf(page).conversation('Is the tide in?').click()
  const turn = partsOf(page).turns.filter({ hasText: 'It comes in at noon.' })
  await turn.getByRole('button', { name: /^Play what was said/ }).click()
  const slider = turn.getByRole('slider')
  await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(0.2)
  // It ends by itself.
  await turn.getByRole('button', { name: /^Play what was said/ }).waitFor()
  expect(problems).toEqual([])
})

it.each([
  ['cycod', 'Tulips in rows', 'A hand.', 'tulips-in-rows'],
  ['fluux', 'fluux: when is high tide?', 'At noon, two metres.', 'fluux-when-is-high-tide'],
  ['voicemode', 'Is the tide in?', 'It comes in at noon.', 'is-the-tide-in'],
])('adopts a conversation of %s and answers in it', async (source, title, last, context) => {
  const asked: string[][] = []
  const baseUrl = await endpoint((response, { messages }) => {
    asked.push(messages.map(({ content }) => content))
    beginStream(response)
    sendText(response, 'Answered from here on.')
    endStream(response)
  })
  const systems = fourSystems(folder())
  const files = [systems.cycodFile, systems.roomFile, systems.voiceFile]
  const before = files.map((file) => [fs.readFileSync(file), fs.statSync(file).mtimeMs])
  const home = homeWith({ baseUrl })
  const { page, problems } = await launchSkein({ home, args: systems.args })
  const { conversation, transcript, message } = partsOf(page)
  await conversation(title).click()
  await transcript.getByText(last).waitFor()
  await page.getByRole('button', { name: 'Continue here' }).click()
  await message.waitFor()
  await say(page, 'And then?')
  await transcript.getByText('Answered from here on.').waitFor()

  // Words of people in a row are one message of the request.
  expect(asked.at(-1)?.at(-1)).toMatch(/(^|\n\n)And then\?$/)
  expect(asked.at(-1)?.join('\n')).toContain(last)
  const [anchor] = activeEntries(home, context)
  expect(anchor?.metadata).toMatchObject({ origin: { source } })
  expect(files.map((file) => [fs.readFileSync(file), fs.statSync(file).mtimeMs])).toEqual(before)
  expect(problems).toEqual([])
})

/** Messages of a conversation under a root, as the command line reads them: a program of its own. */
function messagesIn(source: string, place: string): readonly (readonly unknown[])[] {
  const output = execFileSync(
    process.execPath,
    [path.join(root, 'scripts/skein.mjs'), 'read', '--root', `${source}=${place}`, '--json'],
    { encoding: 'utf8' },
  )
  const { conversations } = JSON.parse(output) as {
    conversations: { entries: { entry_type: string; role?: string; content: string }[] }[]
  }
  return conversations.flatMap(({ entries }) =>
    entries
      .filter(({ entry_type, content }) => entry_type === 'message' && content !== '')
      .map(({ role, content }) => [role, content]),
  )
}

it.each([
  ['chibi', 'chibi', 'contexts/written/transcript/active.jsonl'],
  ['cycod', 'cycod', 'chat-history-1754437000000.jsonl'],
  ['fluux', 'fluux-agent', 'pier@example.org/history.jsonl'],
  ['voicemode', 'voicemode', 'exchanges_2026-03-28.jsonl'],
])(
  'writes conversations back in the form of %s, which its reader reads equal',
  async (source, label, name) => {
    const systems = fourSystems(folder())
    const { app, page, problems } = await launchSkein({ home: homeWith({}), args: systems.args })
    const { conversation, transcript } = partsOf(page)
    for (const [title, messages] of [
      [
        'Is the tide in?',
        [
          ['user', 'Is the tide in?'],
          ['agent', 'It comes in at noon.'],
        ],
      ],
      [
        'fluux: when is high tide?',
        [
          ['user', 'fluux: when is high tide?'],
          ['agent', 'At noon, two metres.'],
        ],
      ],
    ] as const) {
      const place = folder()
      const out = path.join(place, name)
      fs.mkdirSync(path.dirname(out), { recursive: true })
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath })
      }, out)
      await conversation(title).click()
      await transcript.getByText(messages[1][1]).waitFor()
      await page.getByRole('button', { name: /^Export/ }).click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      await dialog.getByRole('radio', { name: label, exact: true }).check()
      await dialog.getByRole('button', { name: 'Export…', exact: true }).click()
      await expect
        .poll(() => dialog.getByRole('status').allTextContents())
        .toContainEqual(expect.stringContaining('entries'))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(messagesIn(source, place), title).toEqual(messages)
    }
    expect(problems).toEqual([])
  },
)
