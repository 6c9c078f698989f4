import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compactCommand } from '../../src/cli/commands/compact'
import { showCommand } from '../../src/cli/commands/show'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openStore } from '../../src/main/store/open-store'
import { checkHome } from '../support/chibi-checker/home'
import { message } from '../support/entries'
import { chunk, eventStream, type RawServer, rawServer } from '../support/raw-server'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders()
let server: RawServer
beforeAll(async () => {
  server = await rawServer((response, { body }) => {
    const text: string = JSON.parse(body).messages.at(-1).content
    const words = text.startsWith('These are the messages') ? '[1, 2, 3]' : 'They talked.'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventStream(chunk({ content: words }), chunk({}, 'stop'), '[DONE]'))
  })
})
afterAll(() => server.close())

async function home(): Promise<string> {
  const folder = temp()
  fs.writeFileSync(
    path.join(folder, 'config.toml'),
    `base_url = "${server.url}"\nmodel = "some/model"\n`,
  )
  const store = openStore({ home: folder, disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  for (let n = 1; n <= 6; n++)
    await writer.append(
      n % 2 === 1
        ? message(`word ${n}`, { from: 'user' })
        : message(`word ${n}`, { from: 'garden', to: 'user', role: 'agent' }),
    )
  await writer.close()
  return folder
}

const shown = async (folder: string, ...more: readonly string[]) => {
  const { out } = await run(showCommand, ['garden', '--home', folder, '--json', ...more])
  return JSON.parse(out).entries.map((entry: { content: string }) => entry.content)
}

it.each([
  [['--mode', 'rolling'], ['word 5', 'word 6'], 'They talked.'],
  [[], [], 'They talked.'],
  [['--mode', 'drop'], [], null],
])('compacts by %j, and shows window and transcript', async (options, kept, summary) => {
  const folder = await home()
  const { code, out } = await run(compactCommand, [
    'garden',
    '--home',
    folder,
    '--json',
    ...options,
  ])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    context: 'garden',
    outcome: 'compacted',
    archived: 6 - kept.length,
    kept: kept.length,
    summary,
  })
  expect(await shown(folder, '--window')).toEqual(['Context compacted', ...kept])
  expect(await shown(folder)).toEqual([
    'Context created',
    ...[1, 2, 3, 4, 5, 6].map((n) => `word ${n}`),
    'Context compacted',
  ])
  expect(checkHome(folder)).toEqual([])
})

it('says in words what became of a window, and that there was too little in it', async () => {
  const folder = await home()
  const first = await run(compactCommand, ['garden', '--home', folder])
  expect(first.words).toContain('6 messages are no longer sent, 0 still are')
  const second = await run(compactCommand, ['garden', '--home', folder])
  expect(second.code).toBe(0)
  expect(second.words).toContain('too little')
})

it('leaves the window as it was where no model can be asked', async () => {
  const folder = await home()
  fs.writeFileSync(path.join(folder, 'config.toml'), '')
  await expect(run(compactCommand, ['garden', '--home', folder])).rejects.toMatchObject({
    code: expect.stringMatching(/^no-/),
  })
  expect(await shown(folder, '--window')).toHaveLength(7)
  expect(checkHome(folder)).toEqual([])
})

it('refuses a mode that is none, a context that is not there, and no name', async () => {
  const folder = await home()
  const wrong = (...words: readonly string[]) => run(compactCommand, ['--home', folder, ...words])
  await expect(wrong('garden', '--mode', 'half')).rejects.toThrow('--mode is one of')
  await expect(wrong('nowhere', '--mode', 'drop')).rejects.toMatchObject({ code: 'not-found' })
  await expect(wrong()).rejects.toThrow('needs one NAME')
})
