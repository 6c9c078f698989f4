import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pluginHomes, sha256, shell, tool } from './plugin-home'

const pluginHome = pluginHomes()

describe('the plugins of a home', () => {
  it('are what chibi would run, in the order of the bytes of their names; the others say why not', async () => {
    const { plugins, write, at } = pluginHome()
    write('weather', '#!/bin/sh\n')
    write('Zoo', '#!/bin/sh\n')
    write('pack/pack', '#!/bin/sh\n')
    write('empty/other', '#!/bin/sh\n')
    write('off.disabled', '#!/bin/sh\n')
    fs.chmodSync(write('notes.md', 'words'), 0o644)
    fs.chmodSync(write('.hidden', 'words'), 0o644)
    fs.symlinkSync('weather', at('plugins', 'alias'))
    fs.symlinkSync(at('plugins', 'nothing'), at('plugins', 'dangling'))
    fs.symlinkSync('/bin/sh', at('plugins', 'escape'))
    fs.mkdirSync(at('plugins', 'inner'))
    fs.symlinkSync('/bin/sh', at('plugins', 'inner', 'inner'))
    execFileSync('mkfifo', [at('plugins', 'pipe')])
    const { plugins: all } = await plugins.list()
    expect(all.map(({ name, state, problem }) => [name, state, problem])).toEqual([
      ['Zoo', 'untrusted', null],
      ['alias', 'untrusted', null],
      ['dangling', 'broken', 'Nothing is there: it is a link to nothing, or was removed.'],
      ['empty', 'broken', 'It is a folder without a program of the same name in it.'],
      ['escape', 'broken', 'It is a link that leaves the plugins folder.'],
      ['inner', 'broken', 'It is a link that leaves the plugins folder.'],
      ['notes.md', 'broken', 'It is not executable.'],
      ['off.disabled', 'disabled', null],
      ['pack', 'untrusted', null],
      ['pipe', 'broken', 'It is neither a file nor a folder.'],
      ['weather', 'untrusted', null],
    ])
  })

  it('are none where there is no plugins folder', async () => {
    const { plugins, at } = pluginHome()
    fs.rmdirSync(at('plugins'))
    expect((await plugins.list()).plugins).toEqual([])
    expect(await plugins.tools()).toEqual([])
    expect(await plugins.hooks.call('on_start', {})).toEqual([])
    expect(plugins.hooks.hears('on_start')).toBe(false)
  })

  it('may lie elsewhere as a whole, by a link', async () => {
    const { plugins, at, write, trust, view } = pluginHome()
    write('one', shell(tool('one'), 'echo ok'))
    fs.renameSync(at('plugins'), at('dotfiles'))
    fs.symlinkSync(at('dotfiles'), at('plugins'))
    await trust('one')
    expect((await view('one')).state).toBe('trusted')
    expect(await plugins.tools()).toHaveLength(1)
  })

  it.skipIf(process.platform !== 'linux')(
    'whose names are no UTF-8 cannot be opened, and say so',
    async () => {
      const { plugins, at } = pluginHome()
      const name = Buffer.concat([Buffer.from(`${at('plugins')}/bad-`), Buffer.from([0xff])])
      fs.writeFileSync(name, '#!/bin/sh\n', { mode: 0o755 })
      const { plugins: all } = await plugins.list()
      expect(all).toMatchObject([
        {
          name: 'bad-\ufffd',
          state: 'broken',
          problem: expect.stringContaining('not valid UTF-8'),
        },
      ])
      await expect(plugins.look('bad-\ufffd')).rejects.toMatchObject({ code: 'unreadable' })
    },
  )

  it('are looked at by a name that is there, and by no path', async () => {
    const { plugins, write, at } = pluginHome()
    write('pack/pack', '#!/bin/sh\n')
    fs.writeFileSync(at('secret'), 'x', { mode: 0o755 })
    for (const name of ['../secret', 'pack/pack', '.', '..', at('secret'), 'nobody'])
      await expect(plugins.look(name), name).rejects.toMatchObject({ code: 'not-found' })
  })

  it('are shown before they are trusted: path, size, hash, and the beginning of their text', async () => {
    const { plugins, write, home } = pluginHome()
    const long = `#!/bin/sh\n${'# é\n'.repeat(20_000)}`
    write('long', long)
    write('pack/pack', 'all of it')
    write('pack/more', 'x')
    write('binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]))
    const look = await plugins.look('long')
    expect(look).toMatchObject({ hash: sha256(long), sizeBytes: Buffer.byteLength(long) })
    expect(look.isWhole).toBe(false)
    expect(long.startsWith(look.text ?? 'none')).toBe(true)
    expect(Buffer.byteLength(look.text ?? '')).toBeGreaterThan(32_000)
    expect(await plugins.look('pack')).toEqual({
      name: 'pack',
      shown: `${home}/plugins/pack`,
      program: `${home}/plugins/pack/pack`,
      kind: 'folder',
      hash: sha256(`${sha256('x')}  more\n${sha256('all of it')}  pack\n`),
      sizeBytes: 10,
      files: [
        { path: 'more', sizeBytes: 1 },
        { path: 'pack', sizeBytes: 9 },
      ],
      fileCount: 2,
      text: 'all of it',
      isWhole: true,
    })
    expect(await plugins.look('binary')).toMatchObject({ text: null, isWhole: false })
  })

  it('do not run on Windows, which is said', async () => {
    const { write, trust, open } = pluginHome()
    write('one', shell(tool('one', { hooks: ['on_start'] }), 'echo ok'))
    await trust('one')
    const plugins = open({ platform: 'win32' })
    expect((await plugins.list()).problem).toContain('not run on Windows')
    expect(await plugins.tools()).toEqual([])
    expect(plugins.hooks.hears('on_start')).toBe(false)
    expect(await plugins.hooks.call('on_start', {})).toEqual([])
    expect((await plugins.list()).plugins[0]?.runs).toEqual([])
  })
})
