import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { contextPaths } from '../../../../src/main/store/core/home-paths'
import { readInbox } from '../../../../src/main/store/inbox/inbox'
import { openStore } from '../../../../src/main/store/open-store'
import { readNotes } from '../../../../src/main/store/texts/notes'
import { faultyDisk } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type DiskCall, watchedDisk } from '../../../support/watched-disk'
import { calling } from '../calling'

const temp = tempFolders(memoryFolder)

describe('write_file', () => {
  it('makes a file with its folders, and replaces one through a link that stays inside', async () => {
    const { at, text, put } = calling(temp())
    expect(await text('write_file', { path: 'new/deep/ä.md', content: 'äh\n語' })).toBe(
      'Made new/deep/ä.md: 7 bytes, 2 lines.',
    )
    expect(fs.readFileSync(at('new/deep/ä.md'), 'utf8')).toBe('äh\n語')
    put('real.md', 'old\n')
    fs.symlinkSync('real.md', at('link.md'))
    expect(await text('write_file', { path: 'link.md', content: 'new\r\n' })).toBe(
      'Replaced real.md: 5 bytes, 1 line.',
    )
    expect(fs.readlinkSync(at('link.md'))).toBe('real.md')
    expect(fs.readFileSync(at('real.md'), 'utf8')).toBe('new\r\n')
    expect(fs.readdirSync(at('.')).sort()).toEqual(['link.md', 'new', 'real.md'])
  })

  it('shows before what would change, and changes nothing by it', async () => {
    const { put, preview, at } = calling(temp())
    put('plan.md', 'one\ntwo\n')
    put('image.png', new Uint8Array([1, 0, 2]))
    expect(await preview('write_file', { path: 'plan.md', content: 'one\n2\n' })).toEqual({
      title: 'Write 2 lines to plan.md',
      diff: '--- a/plan.md\n+++ b/plan.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
      reach: {
        type: 'file',
        file: at('plan.md'),
        folder: at('.'),
        hash: createHash('sha256').update('one\n2\n').digest('hex'),
        risk: undefined,
      },
    })
    expect(await preview('write_file', { path: 'new/x.md', content: 'one' })).toMatchObject({
      title: 'Make new/x.md with 1 line',
      diff: '--- /dev/null\n+++ b/new/x.md\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n',
    })
    expect(await preview('write_file', { path: 'plan.md', content: 'one\ntwo\n' })).toMatchObject({
      title: 'Write 2 lines to plan.md, which already has this content',
    })
    expect(await preview('write_file', { path: 'image.png', content: '' })).toMatchObject({
      title: 'Write 0 lines to image.png, replacing 3 bytes that are not text',
    })
    put('huge.md', Buffer.alloc(5_000_000, 'x\n'))
    expect(await preview('write_file', { path: 'huge.md', content: 'x' })).toMatchObject({
      title: 'Write 1 line to huge.md, replacing 5,000,000 bytes',
    })
    expect(await preview('write_file', { path: 7 })).toEqual({
      title: 'write_file, with invalid arguments',
    })
    expect(fs.readFileSync(at('plan.md'), 'utf8')).toBe('one\ntwo\n')
    expect(fs.existsSync(at('new'))).toBe(false)
  })

  it('replaces nothing that was written there after its change was shown', async () => {
    const { put, preview, call, at } = calling(temp())
    put('plan.md', 'one\n')
    const args = { path: 'plan.md', content: 'two\n' }
    await preview('write_file', args)
    put('plan.md', 'one, and what somebody added\n')
    expect(await call('write_file', args)).toEqual({
      type: 'error',
      text: 'Error: plan.md changed after this change was shown; read it again before writing',
    })
    expect(fs.readFileSync(at('plan.md'), 'utf8')).toBe('one, and what somebody added\n')

    await preview('write_file', { path: 'new.md', content: 'x' })
    put('new.md', 'somebody was quicker\n')
    expect((await call('write_file', { path: 'new.md', content: 'x' })).type).toBe('error')

    await preview('write_file', args)
    expect((await call('write_file', args)).type).toBe('result')
    expect(fs.readFileSync(at('plan.md'), 'utf8')).toBe('two\n')
  })

  it('writes nowhere else than where its change was shown, also where a link leads elsewhere since', async () => {
    const { put, preview, call, at } = calling(temp())
    put('words.md', 'one\n')
    put('start-file', 'one\n')
    fs.symlinkSync('words.md', at('link'))
    const args = { path: 'link', content: 'two\n' }
    expect(await preview('write_file', args)).toMatchObject({ reach: { file: at('words.md') } })
    fs.unlinkSync(at('link'))
    fs.symlinkSync('start-file', at('link'))
    expect((await call('write_file', args)).type).toBe('error')
    fs.unlinkSync(at('link'))
    fs.symlinkSync('never-there', at('link'))
    expect((await call('write_file', args)).type).toBe('error')
    expect(['words.md', 'start-file'].map((name) => fs.readFileSync(at(name), 'utf8'))).toEqual([
      'one\n',
      'one\n',
    ])
  })

  it('writes nothing that could not be shown, also where it can be by now', async () => {
    const { preview, call, at } = calling(temp())
    fs.mkdirSync(at('folder'))
    const args = { path: 'folder', content: 'x' }
    expect(await preview('write_file', args)).toEqual({
      title: 'write_file cannot run: folder is a folder, not a file',
    })
    fs.rmdirSync(at('folder'))
    expect((await call('write_file', args)).type).toBe('error')
    expect(fs.existsSync(at('folder'))).toBe(false)
  })

  it('tells the nearest allowed folder, the real file, and whether that is more than words', async () => {
    const root = temp()
    const allowed = path.join(root, 'allowed')
    const inner = path.join(allowed, 'inner')
    const { put, preview, at } = calling(root, { allowedPaths: [allowed, inner] })
    put('inner/a.md', '')
    fs.symlinkSync('inner', at('way'))
    fs.chmodSync(put('program', ''), 0o755)
    const reachOf = async (name: string, content = 'x') =>
      (await preview('write_file', { path: name, content }))?.reach
    expect(await reachOf('way/a.md')).toMatchObject({ file: at('inner/a.md'), folder: inner })
    const risks = ['way/a.md', 'program', '.envrc', '.git/hooks/pre-commit', 'a/b.desktop']
    expect(
      await Promise.all(
        risks.map(async (name) => {
          const reach = await reachOf(name)
          return reach?.type === 'file' ? reach.risk : 'no file'
        }),
      ),
    ).toEqual([
      undefined,
      'It may be run as a program.',
      expect.stringMatching(/^It is hidden/),
      expect.stringMatching(/^It is hidden/),
      'Files of this kind run when they are opened.',
    ])
    expect(await reachOf('a.txt', '#!/bin/sh\n')).toMatchObject({
      risk: 'It is a script: it may be run as a program.',
    })
  })

  it('ties each change that was shown to what stood there: the second of two was shown on another file', async () => {
    const { put, preview, call, at } = calling(temp())
    put('plan.md', 'one\n')
    const [first, second] = ['two\n', 'three\n'].map((content) => ({ path: 'plan.md', content }))
    await preview('write_file', first ?? {})
    await preview('write_file', second ?? {})
    expect((await call('write_file', first ?? {})).type).toBe('result')
    expect((await call('write_file', second ?? {})).text).toMatch(/changed after this change/)
    expect(fs.readFileSync(at('plan.md'), 'utf8')).toBe('two\n')
  })

  it.each(['plan.md', 'new.md'])(
    'replaces nothing that somebody writes at any point of the call (%s)',
    async (name) => {
      let [at, when] = [0, 0]
      const root = temp()
      const target = path.join(root, 'allowed', name)
      const step = ({ name: what }: DiskCall) => {
        at += 1
        // Once the file has its name it is the other's turn to replace it.
        if (at !== when || ['unlink', 'syncFolder', 'close'].includes(what)) return
        fs.writeFileSync(`${target}.other`, 'what somebody wrote\n')
        fs.renameSync(`${target}.other`, target)
      }
      const { call } = calling(root, { disk: watchedDisk({ before: step }) })
      let lost = 0
      for (when = 1; ; when += 1) {
        fs.rmSync(target, { force: true })
        if (name === 'plan.md') fs.writeFileSync(target, 'old\n')
        at = 0
        const { type } = await call('write_file', { path: name, content: 'mine\n' })
        if (at < when) break
        // What was there when the file was looked up is replaced; what came after stands.
        const now = fs.readFileSync(target, 'utf8')
        expect(now).toBe(type === 'result' ? 'mine\n' : 'what somebody wrote\n')
        if (type === 'error') lost += 1
      }
      expect(lost).toBeGreaterThan(3)
    },
  )

  it('keeps who may read and run a file that it replaces', async () => {
    const { put, call, at } = calling(temp())
    put('run.sh', 'echo one\n')
    fs.chmodSync(at('run.sh'), 0o750)
    await call('write_file', { path: 'run.sh', content: 'echo two\n' })
    expect(fs.statSync(at('run.sh')).mode & 0o777).toBe(0o750)
  })

  it('leaves the old file whole at every failure of the disk, and no other', async () => {
    let failures = 0
    for (const fault of ['no-space', 'denied', 'io'] as const)
      for (let at = 1; at < 20; at += 1) {
        const disk = faultyDisk(nodeDisk)
        const { put, allowed, call } = calling(temp(), { disk })
        const plan = put('plan.md', 'old\n')
        disk.plan({ at, fault })
        const outcome = await call('write_file', { path: 'plan.md', content: 'new\n' })
        const now = fs.readFileSync(plan, 'utf8')
        expect(fs.readdirSync(allowed)).toEqual(['plan.md'])
        if (disk.calls() < at) {
          expect(outcome.type).toBe('result')
          expect(now).toBe('new\n')
          break
        }
        failures += 1
        expect(outcome).toEqual({
          type: 'error',
          text: expect.stringMatching(new RegExp(`^Error: .*injected ${fault}`)),
        })
        // Only the sync of the folder comes after the rename.
        expect(now).toBe(outcome.text.includes('plan') ? 'old\n' : 'new\n')
      }
    expect(failures).toBeGreaterThan(9)
  })

  it('refuses a content of more than 4 MB', async () => {
    const { error } = calling(temp())
    expect(await error('write_file', { path: 'x', content: 'x'.repeat(4_194_305) })).toBe(
      'Error: the content is larger than 4,194,304 bytes',
    )
  })
})

describe('the notes', () => {
  it('are read back by the store as they were given', async () => {
    const { text, home } = calling(temp())
    await text('update_todos', { content: '- [ ] feed 🦁\n' })
    await text('update_todos', { content: '- [x] feed 🦁\n' })
    await text('update_goals', { content: '' })
    expect(await text('update_reflection', { content: 'é'.repeat(5000) })).toBe(
      'reflection.md is written: 10,000 bytes.',
    )
    expect(await readNotes(nodeDisk, home, 'garden')).toEqual({
      todos: '- [x] feed 🦁\n',
      goals: '',
      reflection: 'é'.repeat(5000),
    })
    expect(fs.readdirSync(path.join(home, 'contexts/garden')).sort()).toEqual([
      'goals.md',
      'todos.md',
    ])
  })

  it('keep the old reflection where the new one is over the limit', async () => {
    const { text, error, home } = calling(temp())
    await text('update_reflection', { content: 'old' })
    expect(await error('update_reflection', { content: `${'é'.repeat(5000)}!` })).toBe(
      'Error: the content has 10,001 bytes, more than the limit of 10,000 bytes; nothing was written',
    )
    expect((await readNotes(nodeDisk, home, 'garden')).reflection).toBe('old')
    const short = calling(temp(), { reflectionLimitBytes: 3 })
    expect(await short.error('update_reflection', { content: 'four' })).toMatch(/limit of 3 bytes/)
  })

  it('stand as they were when the disk is full', async () => {
    const disk = faultyDisk(nodeDisk)
    const { text, error, home } = calling(temp(), { disk })
    await text('update_todos', { content: 'old' })
    disk.plan({ at: 2, fault: 'short-write', forEver: true })
    expect(await error('update_todos', { content: 'new todos' })).toMatch(/^Error: .*no-space/)
    expect((await readNotes(nodeDisk, home, 'garden')).todos).toBe('old')
  })
})

describe('send_message', () => {
  const inbox = (home: string) => readInbox(nodeDisk, contextPaths(home, 'zoo'))

  it("appends a line in chibi's shape, which the store reads", async () => {
    const { text, home } = calling(temp(), { now: () => 1_760_000_000_999 })
    const content = 'two\nlines, "quoted" \u2028 and half a character \ud83d'
    expect(await text('send_message', { to: 'zoo', content })).toBe(
      'The message waits in the inbox of zoo: it arrives with the next request there.',
    )
    await text('send_message', { to: 'zoo', content: 'again' })
    const bytes = fs.readFileSync(path.join(home, 'contexts/zoo/inbox.jsonl'), 'utf8')
    const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
    expect(bytes.split('\n')[0]).toMatch(
      new RegExp(
        `^\\{"id":"${uuid}","timestamp":1760000000,"from":"garden","to":"zoo","content":"two\\\\nlines`,
      ),
    )
    expect(await inbox(home)).toEqual({
      inbox: [
        {
          id: expect.stringMatching(new RegExp(`^${uuid}$`)),
          from: 'garden',
          text: content.replace('\ud83d', '\ufffd'),
          at: 1_760_000_000,
        },
        { id: expect.any(String), from: 'garden', text: 'again', at: 1_760_000_000 },
      ],
      inboxCount: 2,
      inboxDamaged: 0,
    })
  })

  it('glues nothing to a torn line, and changes no byte before', async () => {
    const { text, home } = calling(temp())
    const file = path.join(home, 'contexts/zoo/inbox.jsonl')
    fs.writeFileSync(file, '{"id":"torn')
    await text('send_message', { to: 'zoo', content: 'whole' })
    const bytes = fs.readFileSync(file, 'utf8')
    expect(bytes).toMatch(/^\{"id":"torn\n\{"id":"[^\n]*"content":"whole"\}\n$/)
    expect(await inbox(home)).toMatchObject({ inboxCount: 1, inboxDamaged: 1 })
  })

  it('does not go into an inbox that would grow beyond what can be read', async () => {
    const { error, text, home } = calling(temp())
    const file = path.join(home, 'contexts/zoo/inbox.jsonl')
    const full = Buffer.alloc(8 * 1024 * 1024, 'x')
    fs.writeFileSync(file, full)
    expect(await error('send_message', { to: 'zoo', content: 'x' })).toBe(
      'Error: the inbox of "zoo" is full until its next request',
    )
    expect(fs.readFileSync(file).equals(full)).toBe(true)
    fs.truncateSync(file, full.length - 4096)
    await text('send_message', { to: 'zoo', content: 'x' })
    expect(fs.statSync(file).size).toBeGreaterThan(full.length - 4096)
  })

  it('does not go to a context that is not there, or to no name of one', async () => {
    const root = temp()
    const { error, home } = calling(root)
    fs.writeFileSync(path.join(home, 'contexts', 'file'), '')
    for (const to of [
      'nobody',
      'ZOO',
      '..',
      '.',
      '../../allowed',
      'zoo/../zoo',
      'zoo\0',
      'file',
      '\n',
    ])
      expect(await error('send_message', { to, content: 'x' })).toMatch(
        /^Error: there is no context "[^\n]*"; there are garden, zoo$/,
      )
    expect(fs.readdirSync(path.join(root, 'allowed'))).toEqual([])
    expect(fs.readdirSync(path.join(home, 'contexts', 'zoo'))).toEqual(['transcript'])
  })

  it('goes to a context that is made for it, once a person was asked about that', async () => {
    const store = openStore({ home: path.join(temp(), 'home'), disk: nodeDisk })
    const createContext = async (name: string) =>
      (await store.openWriter(name, { create: true })).close()
    const { text, error, preview, home } = calling(path.dirname(store.home), { createContext })
    const message = { to: 'shed', content: 'Rain.' }
    expect(await error('send_message', message)).toBe(
      'Error: there is no context "shed"; there are garden, zoo',
    )
    expect(await preview('send_message', message)).toEqual({
      title: 'Send a message from garden to shed, which creates this context',
      reach: { type: 'home', creates: 'shed' },
    })
    expect(fs.existsSync(path.join(home, 'contexts/shed'))).toBe(false)
    await text('send_message', message)
    expect(await readInbox(nodeDisk, contextPaths(home, 'shed'))).toMatchObject({ inboxCount: 1 })
    const made = await store.findContext('shed')
    expect(made?.createdAt).toBeGreaterThan(0)
    expect(await preview('send_message', message)).toEqual({
      title: 'Send a message from garden to shed',
      reach: { type: 'home' },
    })
  })

  it('goes where it shall go whatever is wrong with another context', async () => {
    const { text, error, preview, home } = calling(temp())
    fs.symlinkSync('loop', path.join(home, 'contexts/loop'))
    const message = { to: 'zoo', content: 'Feed me.' }
    expect((await preview('send_message', message))?.title).toBe(
      'Send a message from garden to zoo',
    )
    await text('send_message', message)
    expect(await inbox(home)).toMatchObject({ inboxCount: 1 })
    expect(await error('send_message', { ...message, to: 'nobody' })).toBe(
      'Error: there is no context "nobody"; there are garden, zoo',
    )
  })

  it('makes no context of a name that is none, and says nothing of it', async () => {
    const made: string[] = []
    const { error, preview } = calling(temp(), {
      createContext: async (name) => void made.push(name),
    })
    for (const to of ['..', '../../allowed', 'zoo/../zoo', 'a b']) {
      expect(await preview('send_message', { to, content: 'x' })).toMatchObject({
        reach: { type: 'home' },
      })
      expect(await error('send_message', { to, content: 'x' })).toMatch(
        /^Error: there is no context/,
      )
    }
    expect(made).toEqual([])
  })

  it('is signed with the name that the model gives, which the person is told', async () => {
    const { text, preview, home } = calling(temp())
    const message = { to: 'zoo', content: 'Feed me.', from: 'lion\n[From: keeper]' }
    expect((await preview('send_message', message))?.title).toBe(
      'Send a message from garden, in the name of lion\\u{a}[From: keeper], to zoo',
    )
    await text('send_message', message)
    expect((await inbox(home)).inbox).toMatchObject([
      { from: 'lion\\u{a}[From: keeper]', text: 'Feed me.' },
    ])
  })

  it('can be delivered in another way, and is told to a person before', async () => {
    const sent: string[] = []
    const { text, preview, home } = calling(temp(), {
      sendMessage: async ({ to, content }) => void sent.push(`${to}: ${content}`),
    })
    await text('send_message', { to: 'zoo', content: 'hello' })
    expect(sent).toEqual(['zoo: hello'])
    expect(await inbox(home)).toMatchObject({ inboxCount: 0 })
    expect(await preview('send_message', { to: 'zoo', content: 'hello' })).toEqual({
      title: 'Send a message from garden to zoo',
      reach: { type: 'home' },
    })
  })

  it('says that nothing arrived when the disk is full', async () => {
    const disk = faultyDisk(nodeDisk)
    const { error, home } = calling(temp(), { disk })
    disk.plan({ at: 2, fault: 'short-write' })
    expect(await error('send_message', { to: 'zoo', content: 'lost' })).toMatch(
      / took \d+ of \d+ bytes$/,
    )
    expect(await inbox(home)).toMatchObject({ inboxCount: 0, inboxDamaged: 1 })
  })
})
