import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { watchedDisk } from '../../../support/watched-disk'
import { type Calling, calling } from '../calling'

const temp = tempFolders(memoryFolder)

/** An allowed folder with something to read, links of every kind, and a secret beside it. */
function grounds(): Calling & { readonly secret: string } {
  const root = temp()
  const calls = calling(root)
  const secret = path.join(root, 'secret.txt')
  fs.writeFileSync(secret, 'secret\n')
  fs.mkdirSync(path.join(root, 'allowed-not'))
  fs.writeFileSync(path.join(root, 'allowed-not', 'x'), 'secret\n')
  calls.put('plan.md', 'plan\n')
  calls.put('sub/deep.md', 'deep\n')
  fs.symlinkSync(secret, calls.at('out'))
  fs.symlinkSync(root, calls.at('up'))
  fs.symlinkSync('/proc/self/root', calls.at('root'))
  fs.symlinkSync('loop', calls.at('loop'))
  fs.symlinkSync(path.join(root, 'made-by-link'), calls.at('dangling'))
  fs.symlinkSync('plan.md', calls.at('in'))
  return { ...calls, secret }
}

const outside = /^Error: .* is outside the allowed folders: /
type Hostile = readonly [string, (root: string) => string, RegExp]
/** Linux has names for the root of the disk that are none of its folders'. */
const byProc: readonly Hostile[] = [
  ['the root of the disk by another name', () => '/proc/self/root/etc/hostname', outside],
  ['this program’s folder by another name', () => '/proc/self/cwd/package.json', outside],
  ['a link to another name of the root', () => 'root/etc/hostname', outside],
]
const hostile: readonly Hostile[] = [
  ...(process.platform === 'linux' ? byProc : []),
  ['the folder above', () => '..', outside],
  ['a way up and down', () => '../secret.txt', outside],
  ['a way up behind a folder', () => 'sub/../../secret.txt', outside],
  ['an absolute path', (root) => path.join(root, 'secret.txt'), outside],
  ['a folder whose name begins alike', (root) => path.join(root, 'allowed-not', 'x'), outside],
  ['the root of the disk', () => '/', outside],
  ['a system file', () => '/etc/hostname', outside],
  ['a link to a file outside', () => 'out', outside],
  ['a way through a link to a folder outside', () => 'up/secret.txt', outside],
  ['a new file through a link to a folder outside', () => 'up/new.txt', outside],
  ['a new folder through a link to a folder outside', () => 'up/new/new.txt', outside],
  ['a loop of links', () => 'loop', /^Error: .*ELOOP/],
  ['a way through a loop', () => 'loop/x', /^Error: .*ELOOP/],
  ['a link to nothing', () => 'dangling', /leads through a link to nothing$/],
  ['a way through a link to nothing', () => 'dangling/x', /leads through a link to nothing$/],
  ['NUL', () => 'plan.md\0.txt', /^Error: a path cannot contain a NUL character$/],
  ['nothing', () => '', /^Error: the path is empty$/],
  ['a name too long for the disk', () => 'n'.repeat(1000), /ENAMETOOLONG/],
  ['a path too long for all', () => 'n/'.repeat(5000), /^Error: the path is 10000 characters long/],
  ['a way through a file', () => 'plan.md/x', /leads through a file$/],
]

describe('a path that a model gives', () => {
  it.each(hostile)('is refused where it is %s', async (_, asked, reason) => {
    const { call, allowed, preview } = grounds()
    const root = path.dirname(allowed)
    const before = tree(root)
    const target = asked(root)
    for (const [name, args] of [
      ['file_head', { path: target }],
      ['file_tail', { path: target }],
      ['file_lines', { path: target, start: 1, end: 2 }],
      ['file_grep', { path: target, pattern: 'secret' }],
      ['dir_list', { path: target }],
      ['glob_files', { path: target, pattern: '**' }],
      ['grep_files', { path: target, pattern: 'secret' }],
      ['write_file', { path: target, content: 'mine' }],
    ] as const) {
      const outcome = await call(name, args)
      expect([name, outcome.type]).toEqual([name, 'error'])
      expect(outcome.text).toMatch(reason)
      expect(outcome.text).not.toContain('secret\n')
      expect(outcome.text.length).toBeLessThan(1500)
    }
    const shown = await preview('write_file', { path: target, content: 'mine' })
    expect(shown?.title).toMatch(/^write_file cannot run: /)
    expect(shown?.diff).toBeUndefined()
    expect(tree(root)).toEqual(before)
  })

  it('may be relative to the first folder, absolute, or a link that stays inside', async () => {
    const { text, at } = grounds()
    for (const asked of ['plan.md', './sub/../plan.md', at('plan.md'), 'in', 'up/allowed/plan.md'])
      expect(await text('file_head', { path: asked })).toBe('plan\n')
  })

  it('may lie in any of the allowed folders, which may be links themselves', async () => {
    const root = temp()
    const real = path.join(root, 'real')
    fs.mkdirSync(real)
    fs.writeFileSync(path.join(real, 'x'), 'x\n')
    fs.symlinkSync(real, path.join(root, 'link'))
    const { text } = calling(root, {
      allowedPaths: [path.join(root, 'gone'), path.join(root, 'link')],
    })
    expect(await text('file_head', { path: path.join(root, 'link', 'x') })).toBe('x\n')
    expect(await text('file_head', { path: path.join(real, 'x') })).toBe('x\n')
  })

  it('that differs in case is another one, or the same file, as the disk has it', async () => {
    const { call } = grounds()
    const sameFile = fs.existsSync(path.join(process.cwd(), 'PACKAGE.JSON'))
    const outcome = await call('file_head', { path: 'PLAN.md' })
    expect(outcome.type).toBe(sameFile ? 'result' : 'error')
  })

  it('cannot pretend to be another in what a person is shown', async () => {
    const { preview } = grounds()
    const shown = await preview('write_file', {
      path: 'a\n+++ b/other\u202Egnp.sh',
      content: 'x\n',
    })
    expect(shown?.title).toBe('Make a\\u{a}+++ b/other\\u{202e}gnp.sh with 1 line')
    expect(shown?.diff?.split('\n')[1]).toBe('+++ b/a\\u{a}+++ b/other\\u{202e}gnp.sh')
  })
})

describe('what is no text file', () => {
  it('is told for a socket, a folder and a missing name', async () => {
    const { at, error } = grounds()
    const server = net.createServer().listen(at('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      for (const call of ['file_head', 'file_tail'])
        expect(await error(call, { path: 'socket' })).toBe(
          'Error: socket is a device or a pipe, not a file',
        )
      const written = await error('write_file', { path: 'socket', content: '' })
      expect(written).toBe('Error: socket is a device or a pipe, not a file')
    } finally {
      server.close()
    }
    expect(await error('file_head', { path: 'sub' })).toBe('Error: sub is a folder, not a file')
    expect(await error('write_file', { path: 'sub', content: '' })).toMatch(/is a folder/)
    expect(await error('file_head', { path: 'none' })).toBe('Error: none is not there')
  })

  it.runIf(process.platform === 'linux')('is told for a device and for /proc', async () => {
    const { error } = calling(temp(), { allowedPaths: ['/'] })
    expect(await error('file_head', { path: 'dev/zero' })).toMatch(/device/)
    expect(await error('file_head', { path: '/proc/self/environ' })).toMatch(
      /is not available to tools/,
    )
  })
})

describe('a home inside the allowed folders', () => {
  const kept = [
    'config.toml',
    'contexts/zoo/transcript/active.jsonl',
    'contexts/zoo/TRANSCRIPT/active.jsonl',
    'contexts/zoo/transcript/new.jsonl',
    'contexts/zoo/transcript.jsonl',
    'contexts/zoo/context.jsonl',
    'contexts/zoo/context_meta.json',
    'contexts/zoo/inbox.jsonl',
    'contexts/zoo/local.toml',
    'contexts/zoo/local.toml.old',
    'contexts/zoo/.lock',
    'config.toml~',
    'config.tmp.4711',
    'models.toml',
    'contexts/new/transcript/active.jsonl',
  ]

  it.each(kept)('keeps %s from the tools', async (name) => {
    const root = temp()
    const { call, home } = calling(root, { allowedPaths: [root] })
    fs.writeFileSync(path.join(home, 'contexts/zoo/transcript/active.jsonl'), 'secret\n')
    const before = tree(root)
    const target = path.join(home, name)
    for (const outcome of [
      await call('file_head', { path: target }),
      await call('write_file', { path: target, content: 'mine' }),
    ])
      expect(outcome).toEqual({
        type: 'error',
        text: expect.stringMatching(/^Error: .* is not available to tools$/),
      })
    expect(tree(root)).toEqual(before)
  })

  const ofHome = [
    ...['state.json', 'session.json', 'site.json', 'AGENTS.md', 'prompts/chibi.md', 'vfs/shared/x'],
    ...['plugins/new', 'plugins/pack/module.py', 'PLUGINS/new', 'plug\u200dins/new', 'state.json.'],
    ...['contexts/zoo/todos.md', 'contexts/zoo/system_prompt.md', 'contexts/new/x', 'contexts/x'],
    ...['contexts.skein.json', 'titles.skein.json', '.state.skein', '.hidden', 'state.tmp.12'],
  ]
  const written = 'is a part of the home that only chibi and Skein write'

  it.each(ofHome)('lets nobody write %s, whatever is allowed, and says why', async (name) => {
    const root = temp()
    const home = path.join(root, 'home')
    const { error, preview } = calling(root, {
      allowedPaths: [root, home, path.join(home, 'plugins'), path.join(home, 'contexts/zoo')],
    })
    fs.mkdirSync(path.join(home, 'plugins'))
    const before = tree(root)
    const args = { path: path.join(home, name), content: 'mine' }
    expect(await error('write_file', args)).toMatch(new RegExp(`^Error: .* ${written}$`))
    expect((await preview('write_file', args))?.title).toMatch(/^write_file cannot run: /)
    expect(tree(root)).toEqual(before)
  })

  it('lets them read what is not kept, and write only below a folder that is allowed by itself', async () => {
    const root = temp()
    const home = path.join(root, 'home')
    const all = calling(root, { allowedPaths: [root, home] })
    const todos = path.join(home, 'contexts/zoo/todos.md')
    fs.writeFileSync(todos, '- feed\n')
    expect(await all.text('file_head', { path: todos })).toBe('- feed\n')
    const note = { path: path.join(home, 'work/note.md'), content: 'x\n' }
    fs.mkdirSync(path.join(home, 'work'))
    expect(await all.error('write_file', note)).toMatch(
      /is in the home, where files can be written only in folders that are allowed explicitly$/,
    )
    const one = calling(root, { allowedPaths: [root, path.join(home, 'work')] })
    expect(await one.text('write_file', note)).toMatch(/^Made /)
  })

  it('keeps its files with keys under their other names, and lets nobody write its parts there', async () => {
    const root = temp()
    const { call, put, at, home } = calling(root)
    put('dotfiles/chibi.toml', 'api_key = "secret"\n')
    put('dotfiles/zoo.toml', 'api_key = "secret"\n')
    put('dotfiles/plugins/run', '#!/bin/sh\n')
    fs.symlinkSync(at('dotfiles/chibi.toml'), path.join(home, 'config.toml'))
    fs.symlinkSync(at('dotfiles/zoo.toml'), path.join(home, 'contexts/zoo/local.toml'))
    fs.symlinkSync(at('dotfiles/plugins'), path.join(home, 'plugins'))
    for (const name of ['dotfiles/chibi.toml', 'dotfiles/zoo.toml'])
      expect((await call('file_head', { path: name })).text).toMatch(/is not available to tools$/)
    for (const name of ['dotfiles/plugins/run', 'dotfiles/plugins/new'])
      expect((await call('write_file', { path: name, content: 'x' })).text).toMatch(
        new RegExp(`${written}$`),
      )
    expect((await call('file_head', { path: 'dotfiles/plugins/run' })).type).toBe('result')
  })

  it('keeps a transcript that is there by a link, under its other name too', async () => {
    const root = temp()
    const { call, home, at } = calling(root)
    fs.mkdirSync(at('moved/transcript'), { recursive: true })
    fs.writeFileSync(at('moved/transcript/active.jsonl'), 'secret\n')
    fs.mkdirSync(at('apart'))
    fs.writeFileSync(at('apart/active.jsonl'), 'secret\n')
    fs.symlinkSync(at('moved'), path.join(home, 'contexts', 'moved'))
    fs.mkdirSync(path.join(home, 'contexts', 'apart'))
    fs.symlinkSync(at('apart'), path.join(home, 'contexts', 'apart', 'transcript'))
    for (const name of ['moved/transcript/active.jsonl', 'apart/active.jsonl'])
      expect((await call('file_head', { path: name })).text).toMatch(/is not available to tools$/)
  })
})

describe('Skein’s own folders', () => {
  it('are kept from the tools whole, whatever is allowed, but for a home that lies in one', async () => {
    const root = temp()
    const own = path.join(root, 'Skein')
    const home = path.join(own, 'sample-library')
    const { call, text } = calling(root, { allowedPaths: [root], ownFolders: [own], home })
    for (const name of ['keys', 'settings.json', 'trusted-plugins/a.json', 'plugin-copies/x/run']) {
      const target = path.join(own, name)
      fs.mkdirSync(path.dirname(target), { recursive: true })
      fs.writeFileSync(target, 'secret\n')
      for (const outcome of [
        await call('file_head', { path: target }),
        await call('write_file', { path: target, content: 'mine' }),
        await call('write_file', { path: `${target}.new`, content: 'mine' }),
      ])
        expect(outcome.text).toMatch(/is not available to tools$/)
      expect(fs.readFileSync(target, 'utf8')).toBe('secret\n')
    }
    expect(await text('grep_files', { pattern: 'secret' })).toMatch(/^\(no line/)
    fs.mkdirSync(path.join(home, 'contexts/zoo'), { recursive: true })
    fs.writeFileSync(path.join(home, 'contexts/zoo/todos.md'), '- feed\n')
    expect(await text('file_head', { path: path.join(home, 'contexts/zoo/todos.md') })).toBe(
      '- feed\n',
    )
  })
})

describe('a file with other names, by hard links', () => {
  it('is read by no tool, since one of them may lie outside, and says so', async () => {
    const root = temp()
    const { error, text, at, put } = calling(root)
    const secret = path.join(root, 'id_rsa')
    fs.writeFileSync(secret, 'secret\n')
    fs.linkSync(secret, at('notes.md'))
    put('plain.md', 'secret, or not\n')
    const why =
      'Error: notes.md has other names (hard links), which may lie outside the allowed folders; it is not read'
    for (const name of ['file_head', 'file_tail'])
      expect(await error(name, { path: 'notes.md' })).toBe(why)
    expect(await error('file_lines', { path: 'notes.md', start: 1, end: 1 })).toBe(why)
    expect(await error('file_grep', { path: 'notes.md', pattern: 'secret' })).toBe(why)
    expect(await text('grep_files', { pattern: 'secret' })).toBe(
      'plain.md:1:secret, or not\n[Not searched: 1 file with other names (hard links), which may lie outside.]',
    )
    expect(await text('glob_files', { pattern: '*' })).toBe('notes.md\nplain.md')
  })

  it('is written as a file of its own: what lies outside keeps its words and its permissions', async () => {
    const root = temp()
    const { text, at, preview } = calling(root)
    const outside = path.join(root, 'profile')
    fs.writeFileSync(outside, 'old\n')
    fs.chmodSync(outside, 0o640)
    fs.linkSync(outside, at('notes.md'))
    const args = { path: 'notes.md', content: 'new\n' }
    expect(await preview('write_file', args)).toMatchObject({
      title: 'Write 1 line to notes.md, whose other names (hard links) keep the old content',
      diff: expect.stringContaining('-old\n+new\n'),
    })
    expect(await text('write_file', args)).toBe(
      'Replaced notes.md: 4 bytes, 1 line. Its other names (hard links) keep the old content.',
    )
    expect(fs.readFileSync(outside, 'utf8')).toBe('old\n')
    expect(fs.readFileSync(at('notes.md'), 'utf8')).toBe('new\n')
    expect(fs.statSync(at('notes.md')).mode & 0o777).toBe(0o640)
  })
})

describe('a link put into the way meanwhile', () => {
  /** Does something once, right after the given call of the disk. */
  function rightAfter(
    method: 'open' | 'stat',
    when: (path: string) => boolean,
    then: () => void,
  ): Disk {
    let done = false
    const once = (target: string) => {
      if (done || !when(target)) return
      done = true
      then()
    }
    return {
      ...nodeDisk,
      async open(target, mode) {
        const file = await nodeDisk.open(target, mode)
        if (method === 'open') once(target)
        return file
      },
      async stat(target) {
        const stat = await nodeDisk.stat(target)
        if (method === 'stat') once(target)
        return stat
      },
    }
  }

  it('gives nothing away to a reader', async () => {
    const root = temp()
    const secret = path.join(root, 'secret.txt')
    fs.writeFileSync(secret, 'secret\n')
    const plan = path.join(root, 'allowed', 'plan.md')
    const disk = rightAfter(
      'stat',
      (target) => target === plan,
      () => {
        fs.unlinkSync(plan)
        fs.symlinkSync(secret, plan)
      },
    )
    const { put, error } = calling(root, { disk })
    put('plan.md', 'plan\n')
    expect(await error('file_head', { path: 'plan.md' })).toBe(
      'Error: plan.md was replaced while it was opened; try again',
    )
  })

  it('lets nothing be written elsewhere', async () => {
    const root = temp()
    const elsewhere = path.join(root, 'elsewhere')
    fs.mkdirSync(elsewhere)
    const sub = path.join(root, 'allowed', 'sub')
    const disk = rightAfter(
      'open',
      (target) => target.includes('.tmp.'),
      () => {
        fs.renameSync(sub, `${sub}-moved`)
        fs.symlinkSync(elsewhere, sub)
      },
    )
    const { put, error } = calling(root, { disk })
    put('sub/x', 'x\n')
    expect(await error('write_file', { path: 'sub/y', content: 'y' })).toMatch(
      /^Error: the folder of sub\/y was replaced while it was written; try again$/,
    )
    expect(fs.readdirSync(elsewhere)).toEqual([])
  })

  /** The folder `sub` is swapped for a link to another at one point, and back at a later one. */
  function swapping(root: string) {
    let at = 0
    let [from, to, reached] = [0, 0, 0]
    const sub = path.join(root, 'allowed', 'sub')
    const elsewhere = path.join(root, 'elsewhere')
    const step = () => {
      at += 1
      if (at === from) {
        fs.renameSync(sub, `${sub}-moved`)
        fs.symlinkSync(elsewhere, sub)
      }
      if (at === to && fs.lstatSync(sub).isSymbolicLink()) {
        fs.unlinkSync(sub)
        fs.renameSync(`${sub}-moved`, sub)
      }
    }
    const calls = calling(root, { disk: watchedDisk({ before: step, after: step }) })
    fs.mkdirSync(sub)
    fs.mkdirSync(elsewhere)
    fs.writeFileSync(path.join(sub, 'x'), 'plan\n')
    fs.writeFileSync(path.join(elsewhere, 'x'), 'secret\n')
    return {
      ...calls,
      elsewhere,
      async during(begin: number, end: number, name: string, args: object) {
        ;[at, from, to] = [0, begin, end]
        const outcome = await calls.call(name, { ...args })
        reached = at
        ;[at, from, to] = [0, 0, 1]
        step()
        return outcome
      },
      points: () => reached,
    }
  }

  it.runIf(process.platform === 'linux')(
    'and taken away again, at any two points, gives nothing away and lets nothing be written elsewhere',
    async () => {
      const root = temp()
      const { during, elsewhere, points } = swapping(root)
      const outcomes = new Set<string>()
      for (const [name, args] of [
        ['file_head', { path: 'sub/x' }],
        ['write_file', { path: 'sub/x', content: 'plan\n' }],
        ['write_file', { path: 'sub/new', content: 'plan\n' }],
      ] as const) {
        await during(0, 0, name, args)
        const all = points()
        expect(all).toBeGreaterThan(20)
        for (let begin = 1; begin <= all; begin += 1)
          for (const later of [1, 2, 4, 7]) {
            const { text } = await during(begin, begin + later, name, args)
            expect(text).not.toContain('secret')
            outcomes.add(text.replace(/^(Error).*(; try again|replaced).*/s, '$1$2'))
            expect(fs.readFileSync(path.join(elsewhere, 'x'), 'utf8')).toBe('secret\n')
            expect(fs.readdirSync(elsewhere)).toEqual(['x'])
            fs.rmSync(path.join(root, 'allowed', 'sub', 'new'), { force: true })
          }
      }
      // Both came out: nothing was in the way, and something was.
      expect([...outcomes]).toEqual(expect.arrayContaining(['plan\n', 'Error; try again']))
    },
  )
})

/** Every name below a folder with what it is and holds. */
function tree(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const target = path.join(folder, entry.name)
      if (entry.isDirectory()) return [target, ...tree(target)]
      if (entry.isSymbolicLink()) return [`${target} -> ${fs.readlinkSync(target)}`]
      return [`${target}: ${entry.isFile() ? fs.readFileSync(target, 'utf8') : ''}`]
    })
    .sort()
}
