import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { checkHome } from '../../../support/chibi-checker/home'
import { faultyDisk } from '../../../support/faulty-disk'
import { beginnings, onePoint } from '../../../support/images'
import { chunk, eventStream, type RawServer, rawServer } from '../../../support/raw-server'
import type { ScriptStep } from '../../../support/scripted-provider'
import { chatRules } from '../../../support/strict-chat'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { realRun } from '../support/real-run'
import { content, finish } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
let server: RawServer
beforeAll(async () => {
  server = await rawServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventStream(chunk({ content: 'A bean.' }), chunk({}, 'stop'), '[DONE]'))
  })
})
afterAll(() => server.close())
let home: ReturnType<typeof preparedHome>
beforeEach(() => {
  home = preparedHome(temp())
})

const answer: readonly ScriptStep[] = [content('A bean.'), finish()]
const digest = createHash('sha256').update(onePoint).digest('hex')
const bean = { name: 'bean.png', bytes: onePoint }
const file = `attachments/${digest}.png`
const url = `data:image/png;base64,${Buffer.from(onePoint).toString('base64')}`
const kept = { file, mime: 'image/png', bytes: onePoint.length, name: 'bean.png', sha256: digest }
/** The process that held them lives on in a test. */
function freeLocks(): void {
  for (const name of ['contexts/garden/.lock', '.state.skein'])
    fs.rmSync(path.join(home.home, name), { force: true })
}

describe('images of a message', () => {
  it('go out as parts behind the words, and with every later request', async () => {
    const at = path.join(temp(), 'home')
    const ask = (text: string, images: (typeof bean)[] = []) =>
      realRun({ home: at, url: server.url, text, images })
    await ask('What is it?', [bean, { name: 'leaf.jpg', bytes: beginnings.jpg }])
    await ask('And now?')
    const bodies = server.seen.map(({ body }) => JSON.parse(body))
    expect(bodies.flatMap(chatRules)).toEqual([])
    const leaf = `data:image/jpeg;base64,${Buffer.from(beginnings.jpg).toString('base64')}`
    const parts = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
      { type: 'image_url', image_url: { url: leaf } },
    ]
    for (const { messages } of bodies)
      expect(messages.find((one: { role: string }) => one.role === 'user').content).toEqual(parts)
    expect(checkHome(at)).toEqual([])
    // What is taken down of a request has no bytes of images.
    const log = fs.readFileSync(path.join(at, 'contexts/garden/requests.jsonl'), 'utf8')
    expect(log).not.toContain(url)
  })

  it('stand in the entry by their files, and may be the whole of it', async () => {
    const { requests } = await home.play([answer], { text: '', images: [bean] })
    expect(requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: '', images: [url] })
    const said = (await home.entriesOf()).find(({ role }) => role === 'user')
    expect([said?.content, said?.metadata]).toEqual(['', { images: [kept] }])
    expect(fs.readFileSync(path.join(home.folder, file)).equals(onePoint)).toBe(true)
    expect(checkHome(home.home)).toEqual([])
  })

  it('go with the inbox and what was typed', async () => {
    const waiting = { id: 'm1', timestamp: 7, from: 'zoo', to: 'garden', content: 'Rain.' }
    home.put('contexts/garden/inbox.jsonl', `${JSON.stringify(waiting)}\n`)
    await home.play([answer], { images: [bean] })
    const said = (await home.entriesOf()).find(({ role }) => role === 'user')
    expect(said?.metadata).toMatchObject({ typed: 'Hi', images: [kept], inbox: [{ id: 'm1' }] })
  })

  it('are asked for again without them where their file is gone', async () => {
    await home.play([answer], { images: [bean] })
    fs.rmSync(path.join(home.folder, file))
    const { requests } = await home.play([answer])
    expect(requests[0]?.messages[0]).toEqual({ role: 'user', content: 'Hi' })
  })

  it('are found for the entries of a branch, and kept there from its next run on', async () => {
    await home.play([answer], { images: [bean] })
    const said = (await home.entriesOf()).find(({ role }) => role === 'user')
    await home.create('garden-2')
    const { file: _, line: __, offset: ___, length: ____, ...copy } = said ?? { id: 'none' }
    const other = path.join(home.home, 'contexts/garden-2')
    fs.appendFileSync(path.join(other, 'transcript/active.jsonl'), `${JSON.stringify(copy)}\n`)
    fs.rmSync(path.join(other, 'context.jsonl'), { force: true })
    const first = await home.play([answer], { context: 'garden-2', text: 'More.' })
    expect(first.requests[0]?.messages[0]).toMatchObject({ images: [url] })
    expect(fs.readFileSync(path.join(other, file)).equals(onePoint)).toBe(true)
    fs.rmSync(home.folder, { recursive: true })
    const second = await home.play([answer], { context: 'garden-2', text: 'And more.' })
    expect(second.requests[0]?.messages[0]).toMatchObject({ images: [url] })
    expect(home.notes).toEqual([])
  })

  it('that are none keep the message from being written, and the inbox as it was', async () => {
    const waiting = { id: 'm1', timestamp: 7, from: 'zoo', to: 'garden', content: 'Rain.' }
    home.put('contexts/garden/inbox.jsonl', `${JSON.stringify(waiting)}\n`)
    const fake = { name: 'bean.png', bytes: Buffer.from('%PDF-1.7 and more') }
    await expect(home.play([answer], { images: [bean, fake] })).rejects.toMatchObject({
      code: 'bad-argument',
      message: '"bean.png" is no PNG, JPEG, GIF or WebP image. Nothing was sent.',
    })
    expect((await home.entriesOf()).filter(({ entry_type: type }) => type === 'message')).toEqual(
      [],
    )
    expect(fs.existsSync(path.join(home.folder, 'attachments'))).toBe(false)
    expect(home.text('inbox.jsonl')).toContain('Rain.')
  })

  it('are whole before an entry names them, wherever a run is killed or its disk is full', async () => {
    const counted = faultyDisk(nodeDisk)
    await home.play([answer], { images: [bean], disk: counted })
    const calls = counted.calls()
    expect(calls).toBeGreaterThan(15)
    let orphans = 0
    for (const forEver of [true, false])
      for (let at = 1; at <= calls; at++) {
        home = preparedHome(temp())
        const disk = faultyDisk(nodeDisk, { at, fault: 'no-space', forEver })
        await home.play([answer], { images: [bean], disk }).catch(() => undefined)
        freeLocks()
        const entries = await home.entriesOf().catch(() => [])
        const named = entries.some(({ metadata }) => metadata?.images !== undefined)
        const there = fs.existsSync(path.join(home.folder, file))
        if (named) expect([at, there]).toEqual([at, true])
        if (there) expect(fs.readFileSync(path.join(home.folder, file)).equals(onePoint)).toBe(true)
        if (there && !named) orphans++
        const { requests, isWhole } = await home.play([answer], { text: 'Again', images: [bean] })
        expect([at, isWhole]).toEqual([at, true])
        // What was said before and not answered goes with it.
        expect([
          { role: 'user', content: 'Hi\n\nAgain', images: [url, url] },
          { role: 'user', content: 'Again', images: [url] },
        ]).toContainEqual(requests[0]?.messages.at(-1))
        // A killed process leaves temporary files and its gate; readers pass over them.
        const faults = checkHome(home.home).filter((words) => !words.endsWith('was left behind'))
        expect([at, faults]).toEqual([at, []])
      }
    expect(orphans).toBeGreaterThan(0)
  })
})
