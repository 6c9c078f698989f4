import fs from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../../support/bundled'
import { checkHome } from '../../support/chibi-checker/home'
import { onePoint } from '../../support/images'
import { chunk, eventStream, type RawServer, rawServer } from '../../support/raw-server'
import { tempFolders } from '../../support/temp-folder'
import { askEnvironment, askPlace, hasTerminal, key, skeinAsk } from '../ask-process'
import { openTerminal, type Terminal } from '../terminal'

const temp = tempFolders()
const program = bundled('src/cli/index.ts')
let server: RawServer
let from = 0
/** What answers the next request, where it is not answered at once. */
let held: ((response: ServerResponse) => void) | undefined
beforeAll(async () => {
  server = await rawServer((response, _, index) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (held !== undefined) return held(response)
    response.end(
      eventStream(chunk({ content: `Answer ${index - from + 1}.` }), chunk({}, 'stop'), '[DONE]'),
    )
  })
})
afterAll(() => server.close())
beforeEach(() => {
  from = server.seen.length
  held = undefined
})
const running: { readonly kill: () => unknown }[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

/** What the person said in each request: its last message. */
const said = () =>
  server.seen.slice(from).map(({ body }) => JSON.parse(body).messages.at(-1).content)

/** A prompt of the terminal, with the mark by which it is told to bracket what is pasted. */
const prompt = '\u001b[?2004h'

function talking(...argv: readonly string[]) {
  const place = askPlace(temp())
  const line = [process.execPath, program(), 'ask', '--home', place.home, '-C', 'garden', ...argv]
  const terminal = openTerminal(line, askEnvironment(place, server.url))
  running.push(terminal.child)
  return { place, terminal }
}

/** Types a message, and waits for its answer and for the how-many-th prompt. */
async function says(terminal: Terminal, words: string, answer: string, prompts: number) {
  terminal.type(`${words}\r`)
  await terminal.shows(answer)
  await terminal.shows(prompt, prompts)
}

/** Ends with Ctrl+D. */
async function leaves(terminal: Terminal) {
  terminal.type('\u0004')
  expect(await terminal.ended()).toBe(0)
}

describe.skipIf(!hasTerminal())('without a message, at a terminal', () => {
  it('a person talks until Ctrl+D, in one conversation', async () => {
    const { place, terminal } = talking()
    await terminal.shows(prompt)
    await says(terminal, 'Hello?', 'Answer 1.', 2)
    // An empty line says nothing.
    terminal.type('\r')
    await terminal.shows(prompt, 3)
    await says(terminal, 'And?', 'Answer 2.', 4)
    await leaves(terminal)
    expect(said()).toEqual([expect.stringMatching(/Hello\?$/), expect.stringMatching(/And\?$/)])
    const [, second] = server.seen.slice(from)
    expect(
      JSON.parse(second?.body ?? '').messages.map(({ role }: { role: string }) => role),
    ).toEqual(expect.arrayContaining(['user', 'assistant', 'user']))
    expect(checkHome(place.home, { secrets: [key] })).toEqual([])
  })

  it('what is attached goes with the first message that is stored, and with no other', async () => {
    const files = temp()
    const notes = path.join(files, 'notes.txt')
    const bean = path.join(files, 'bean.png')
    fs.writeFileSync(notes, 'Rain: 3 mm')
    fs.writeFileSync(bean, onePoint)
    const { place, terminal } = talking('--attach', notes, '--attach', bean)
    await terminal.shows(prompt)
    await says(terminal, 'Look.', 'Answer 1.', 2)
    await says(terminal, 'And?', 'Answer 2.', 3)
    await leaves(terminal)
    const lines = fs
      .readFileSync(path.join(place.home, 'contexts/garden/transcript/active.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ entry_type: type, to }) => type === 'message' && to === 'garden')
    expect(lines.map(({ content, metadata = {} }) => [content, Object.keys(metadata)])).toEqual([
      ['Look.\n\nFile "notes.txt":\n\n```txt\nRain: 3 mm\n```', ['images', 'files']],
      ['And?', []],
    ])
  })

  it('Ctrl+C stops an answer, of which what came is kept, and the person has the word again', async () => {
    const { terminal } = talking()
    await terminal.shows(prompt)
    held = (response) =>
      response.write(eventStream(chunk({ content: 'It begins' }), chunk({ content: ' here,' })))
    terminal.type('Tell me all.\r')
    await terminal.shows('It begins')
    held = undefined
    terminal.type('\u0003')
    await terminal.shows('Stopped. The partial answer is kept.')
    await terminal.shows(prompt, 2)
    await says(terminal, 'Go on.', 'Answer 2.', 3)
    await leaves(terminal)
    const [, second] = server.seen.slice(from)
    expect(second?.body).toContain('It begins')
  })

  it('Ctrl+C at the prompt takes back what was typed', async () => {
    const { terminal } = talking()
    await terminal.shows(prompt)
    terminal.type('\u0003')
    await terminal.shows('Ctrl+D ends.', 2)
    terminal.type('not this')
    await terminal.shows('not this')
    await says(terminal, '\u0003this', 'Answer 1.', 2)
    await leaves(terminal)
    expect(said()).toEqual([expect.stringMatching(/(?<!not )this$/)])
  })

  it('pasted lines are one message, and so is a line that goes on in the next', async () => {
    const { terminal } = talking()
    await terminal.shows(prompt)
    await says(terminal, '\u001b[200~one\rtwo\u001b[201~', 'Answer 1.', 2)
    await says(terminal, 'three\\\rfour', 'Answer 2.', 3)
    await leaves(terminal)
    expect(said()).toEqual([
      expect.stringMatching(/one\ntwo$/),
      expect.stringMatching(/three\nfour$/),
    ])
  })

  it('a failure is said, and the person has the word again', async () => {
    const { terminal } = talking('--set', 'fuel=1')
    await terminal.shows(prompt)
    held = (response) =>
      response.end(eventStream({ error: { message: 'No such model.', code: 404 } }))
    await says(terminal, 'Hello?', 'No such model.', 2)
    held = undefined
    terminal.type('Again.\r')
    await terminal.shows(prompt, 3)
    await leaves(terminal)
  })
})

it('without a message, and without a terminal, it is not understood', async () => {
  const place = askPlace(temp())
  const { code, words } = await skeinAsk(program(), place, server.url, ['-C', 'garden'])
  expect([code, words]).toEqual([2, expect.stringContaining('There is no message')])
})
