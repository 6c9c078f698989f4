import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { makePrivateFolder } from '../../../src/main/disk/process/private-folder'
import { watchedDisk } from '../../support/watched-disk'
import { call, noPython, pluginHomes, python, sha256, shell, tool, until } from './plugin-home'

const pluginHome = pluginHomes()

/** Leaves a trace where it runs, in whatever language. */
const evil = (home: string) => ({
  sh: `#!/bin/sh\ntouch "${home}/evil-ran"\necho evil\n`,
  js: `require('node:fs').writeFileSync(${JSON.stringify(`${home}/evil-ran`)}, ''); module.exports = {}\n`,
  py: `open(${JSON.stringify(`${home}/evil-ran`)}, "w").close()\n`,
})

const node = (schema: object, body: string) => `#!${process.execPath}
if (process.argv[2] === '--schema') console.log(${JSON.stringify(JSON.stringify(schema))})
else { ${body} }
`

const result = (text: string) => ({ type: 'result', text })

describe('what lies beside a trusted script in the plugins folder', () => {
  it.skipIf(noPython !== undefined)(
    `is imported by none of Python (${noPython ?? 'python3'}), whatever it is called`,
    async () => {
      const { plugins, write, trust, home, at } = pluginHome()
      for (const name of ['json.py', 'os.py', 'weather.py', 'sitecustomize.py', 'usercustomize.py'])
        write(name, evil(home).py)
      write('encodings/__init__.py', evil(home).py)
      write('script', python(tool('script'), 'print("fine", end="")'))
      await trust('script')
      expect(await call(plugins, 'script')).toEqual(result('fine'))
      expect(fs.existsSync(at('evil-ran'))).toBe(false)
    },
  )

  it('is required by none of Node', async () => {
    const { plugins, write, trust, home, at } = pluginHome()
    write('beside.js', evil(home).js)
    write('node_modules/pack/index.js', evil(home).js)
    write('package.json', '{"type":"module"}')
    const tries = ['./beside', 'pack', 'beside']
      .map((name) => `try { require('${name}') } catch (error) { console.log(error.code) }`)
      .join(';')
    write('script', node(tool('script'), tries))
    await trust('script')
    expect(await call(plugins, 'script')).toEqual(result('MODULE_NOT_FOUND\n'.repeat(3)))
    expect(fs.existsSync(at('evil-ran'))).toBe(false)
  })

  it('is found by no script of sh beside itself; where the plugin came from is in SKEIN_PLUGIN_PATH', async () => {
    const { plugins, write, trust, home, at } = pluginHome()
    write('lib.sh', evil(home).sh)
    write(
      'script',
      shell(
        tool('script'),
        'ls -a "$(dirname "$0")"; cd "$(dirname "$0")" && pwd; echo "$SKEIN_PLUGIN_PATH"',
      ),
    )
    await trust('script')
    const { text } = await call(plugins, 'script')
    const [itself, above, name, folder = '', from] = text.trim().split('\n')
    expect([itself, above, name, from]).toEqual(['.', '..', 'script', at('plugins', 'script')])
    expect(path.relative(home, folder)).toMatch(/^\.\./)
  })

  it('is imported where it lies in the folder that was trusted, from the copy', async () => {
    const { plugins, write, trust, at } = pluginHome()
    write('pack/lib/words.js', 'module.exports = "trusted words"')
    write('pack/lib/main.js', node(tool('pack'), 'console.log(require("./words"))'))
    fs.symlinkSync('lib/main.js', at('plugins', 'pack', 'pack'))
    await trust('pack')
    expect(await call(plugins, 'pack')).toEqual(result('trusted words\n'))
    fs.writeFileSync(at('plugins', 'pack', 'lib', 'words.js'), 'module.exports = "other words"')
    await expect(call(plugins, 'pack')).rejects.toThrow('no tool pack')
  })
})

describe('an interpreter', () => {
  const inHome = (named: string) =>
    `Its first line names ${named}, which is in the home or is reached through it: a program that can write there could change what runs. Use an interpreter outside the home.`

  /** What first line a plugin has, given the home and a folder outside of it, and what is said of it. */
  const lines: readonly (readonly [
    what: string,
    line: (home: string, outside: string) => string,
    why: (home: string, outside: string) => string,
  ])[] = [
    [
      'in the plugins folder',
      (home) => `${home}/plugins/interp`,
      (home) => inHome(`${home}/plugins/interp`),
    ],
    [
      'that is missing there, and may come',
      (home) => `${home}/plugins/later`,
      (home) => inHome(`${home}/plugins/later`),
    ],
    [
      'found through a link in the home',
      (home) => `${home}/plugins/sh`,
      (home) => inHome(`${home}/plugins/sh`),
    ],
    [
      'outside that is a link into the home',
      (_, outside) => `${outside}/into`,
      (_, outside) => inHome(`${outside}/into`),
    ],
    [
      'outside, by a link through the home',
      (_, outside) => `${outside}/through/sh`,
      (_, outside) => inHome(`${outside}/through/sh`),
    ],
    [
      'whose argument is a script of the home',
      (home) => `/bin/sh ${home}/plugins/interp`,
      (home) => inHome(`${home}/plugins/interp`),
    ],
    [
      'with an option that names the home',
      (home) => `/bin/sh -I${home}/plugins`,
      (home) => inHome(`-I${home}/plugins`),
    ],
    [
      'by a relative path',
      () => 'plugins/interp',
      () => 'Its first line names its interpreter by a relative path: plugins/interp.',
    ],
    [
      'by env and a path from where plugins run',
      () => '/usr/bin/env plugins/interp',
      () => inHome('plugins/interp'),
    ],
    [
      'by env and any relative path',
      () => '/usr/bin/env ../interp',
      () => 'Its first line names its interpreter by a relative path: ../interp.',
    ],
    [
      'by env and a path of the home',
      (home) => `/usr/bin/env -S A=b ${home}/plugins/interp -u`,
      (home) => inHome(`${home}/plugins/interp`),
    ],
    [
      'by env with a PATH of its own',
      () => '/usr/bin/env -S PATH=plugins interp',
      () => 'Its first line gives env arguments from which Skein cannot tell which program runs.',
    ],
    [
      'by env in another folder',
      () => '/usr/bin/env -S -C plugins interp',
      () => 'Its first line gives env arguments from which Skein cannot tell which program runs.',
    ],
    [
      'by env, which is a link into the home in PATH',
      () => '/usr/bin/env into',
      (_, outside) => inHome(`${outside}/into`),
    ],
    [
      'outside that is a script with its own interpreter in the home',
      (_, outside) => `${outside}/chain`,
      (home) =>
        inHome(`${home}/plugins/interp`).replace(
          'Its first line',
          'The first line of its interpreter',
        ),
    ],
    [
      'that is its own interpreter',
      (_, outside) => `${outside}/circle`,
      () => 'The first line of its interpreter leads through too many scripts to an interpreter.',
    ],
    [
      'in a line that systems cut',
      () => `/bin/sh ${'x'.repeat(260)}`,
      () => 'Its first line is longer than operating systems read.',
    ],
  ]

  it.each(lines)('%s is refused in words, before trust and after', async (_, line, why) => {
    const { write, home, userFolder, open, at, view } = pluginHome()
    const outside = path.join(userFolder, 'outside')
    fs.mkdirSync(outside)
    write('interp', evil(home).sh)
    fs.symlinkSync('/bin/sh', at('plugins', 'sh'))
    fs.symlinkSync(at('plugins', 'interp'), path.join(outside, 'into'))
    fs.symlinkSync('/bin', at('bin'))
    fs.symlinkSync(at('bin'), path.join(outside, 'through'))
    const script = (name: string, text: string) =>
      fs.writeFileSync(path.join(outside, name), text, { mode: 0o755 })
    script('chain', `#!${home}/plugins/interp\n`)
    script('circle', `#!${outside}/circle\n`)
    const plugins = open({
      environment: { PATH: `${at('plugins')}:.::plugins:${outside}:${process.env.PATH}` },
      folder: home,
    })
    const content = `#!${line(home, outside)}\necho '${JSON.stringify(tool('odd'))}'\n`
    write('odd', content)
    expect(await view('odd')).toMatchObject({ state: 'broken', problem: why(home, outside) })
    await expect(plugins.trust('odd', sha256(content))).rejects.toMatchObject({
      code: 'unreadable',
    })
    expect(await plugins.tools()).toEqual([])
    expect(fs.existsSync(at('evil-ran'))).toBe(false)
  })

  it.each([
    '/bin/sh NAME',
    '/bin/sh -INAME',
    '/usr/bin/env -S A=NAME/plugins sh',
    '/usr/bin/env -S sh -r./NAME/x',
  ])(
    'with the home among its arguments, named from where plugins run, is refused: %s',
    async (line) => {
      const { write, home, open, view } = pluginHome()
      open({ folder: path.dirname(home) })
      const named = line.replace('NAME', path.basename(home))
      write('odd', `#!${named}\necho odd\n`)
      const word = named.split(' ').find((one) => one.includes(path.basename(home)))
      expect(await view('odd')).toMatchObject({ state: 'broken', problem: inHome(`${word}`) })
    },
  )

  it('by env is looked for in PATH without the folders of the home and without relative ones', async () => {
    const { write, trust, home, userFolder, open, at } = pluginHome()
    write('sh', evil(home).sh)
    fs.symlinkSync(at('plugins'), path.join(userFolder, 'link'))
    const plugins = open({
      environment: {
        PATH: `${at('plugins')}:${userFolder}/link:.::plugins:/usr/bin:/bin`,
      },
      folder: at('plugins'),
    })
    write('plain', shell(tool('plain'), 'echo "$PATH"').replace('/bin/sh', '/usr/bin/env -S sh'))
    await trust('plain')
    expect(await call(plugins, 'plain')).toEqual(result('/usr/bin:/bin\n'))
    expect(fs.existsSync(at('evil-ran'))).toBe(false)
  })

  it('that is put into the way of a trusted plugin later is refused when it is run', async () => {
    const { write, trust, home, userFolder, plugins, at } = pluginHome()
    const link = path.join(userFolder, 'interp')
    fs.symlinkSync('/bin/sh', link)
    write('later', shell(tool('later'), 'echo fine').replace('/bin/sh', link))
    await trust('later')
    const [later] = await plugins.tools()
    const run = async () => (await later?.run({}, new AbortController().signal))?.text
    expect(await run()).toBe('fine\n')
    write('evil', evil(home).sh)
    fs.unlinkSync(link)
    fs.symlinkSync(at('plugins', 'evil'), link)
    expect(await run()).toBe(`Error: later cannot be run. ${inHome(link)}`)
    expect(fs.existsSync(at('evil-ran'))).toBe(false)
  })
})

describe('a file that is swapped in time', () => {
  /** A home with a trusted plugin, on a disk whose calls are counted anew for each ask. */
  async function swapping(kind: 'file' | 'folder') {
    let at = 0
    let reached: (point: number) => void = () => {}
    const step = () => {
      at += 1
      reached(at)
    }
    const made = pluginHome({ disk: watchedDisk({ before: step, after: step }) })
    const name = kind === 'file' ? 'swap' : 'swap/swap'
    const file = made.write(name, shell(tool('swap'), 'echo good'))
    if (kind === 'folder') made.write('swap/more', 'x')
    await made.trust('swap')
    const [swap] = await made.plugins.tools()
    fs.copyFileSync(file, made.at('good'))
    fs.writeFileSync(made.at('evil'), evil(made.home).sh, { mode: 0o755 })
    // Whole at once, as one who is in a hurry does it.
    const put = (which: string) => {
      fs.copyFileSync(made.at(which), made.at('next'))
      fs.renameSync(made.at('next'), file)
    }
    /** Asks with the other file there from one point to another. */
    async function ask(from: number, to: number) {
      at = 0
      reached = (point) => {
        if (point === from) put('evil')
        if (point === to) put('good')
      }
      const { text = '' } = (await swap?.run({}, new AbortController().signal)) ?? {}
      reached = () => {}
      put('good')
      return text
    }
    return { ...made, ask, points: () => at }
  }

  it.each(['file', 'folder'] as const)(
    'at any point of an ask, and back at any other, never runs (a %s)',
    async (kind) => {
      const { ask, points, at, userFolder } = await swapping(kind)
      expect(await ask(0, 0)).toBe('good\n')
      const all = points()
      expect(all).toBeGreaterThan(10)
      let asks = 0
      const answers = new Map<string, number>()
      for (let from = 1; from <= all; from += 1)
        for (let to = from + 1; to <= all + 1; to += 1) {
          // Each beginning, with some of the ends: all of them would be a thousand processes.
          if ((from * 7 + to) % 13 !== 0 && to !== all + 1 && to !== from + 1) continue
          const said = await ask(from, to)
          answers.set(said, (answers.get(said) ?? 0) + 1)
          asks += 1
        }
      expect(asks).toBeGreaterThan(all * 1.8)
      expect(fs.existsSync(at('evil-ran'))).toBe(false)
      // Either what was trusted has run, or nothing has.
      expect([...answers.keys()].sort()).toEqual([
        'Error: swap has changed since it was trusted, and is not run',
        'good\n',
      ])
      expect(fs.readdirSync(path.join(userFolder, 'plugin-copies'))).toEqual([])
    },
  )

  it('is not what a person is shown with another hash: the text is from the bytes that were hashed', async () => {
    let point = 0
    let at = 0
    let put = () => {}
    const step = () => {
      at += 1
      if (at === point) put()
    }
    const {
      plugins,
      write,
      at: inHome,
    } = pluginHome({
      disk: watchedDisk({ before: step, after: step }),
    })
    const [benign, other] = ['#!/bin/sh\necho benign\n', '#!/bin/sh\necho other\n']
    const file = write('shown', benign)
    for (point = 1; ; point += 1) {
      fs.writeFileSync(file, benign, { mode: 0o755 })
      fs.writeFileSync(inHome('next'), other, { mode: 0o755 })
      put = () => fs.renameSync(inHome('next'), file)
      at = 0
      const look = await plugins.look('shown')
      expect(look.hash).toBe(sha256(look.text ?? ''))
      if (at < point) break
    }
    expect(point).toBeGreaterThan(10)
  })

  it('while it runs does not reach what runs: the answer is that of what was trusted', async () => {
    const { write, trust, plugins, at, home, view } = pluginHome()
    // sh reads a script as it goes: what is written into the file would be run.
    write(
      'slow',
      shell(
        tool('slow'),
        'touch "$CHIBI_HOME/running"; while ! [ -e "$CHIBI_HOME/go" ]; do sleep 0.02; done; echo good',
      ),
    )
    await trust('slow')
    const calling = call(plugins, 'slow')
    await until(() => fs.existsSync(at('running')))
    fs.writeFileSync(at('plugins', 'slow'), `${' \n'.repeat(500)}touch ${home}/evil-ran\n`)
    fs.writeFileSync(at('go'), '')
    expect(await calling).toEqual(result('good\n'))
    expect(fs.existsSync(at('evil-ran'))).toBe(false)
    expect((await view('slow')).state).toBe('changed')
  })
})

describe('the copy that is run', () => {
  it('is for its owner alone, and gone when the plugin has ended, however it ended', async () => {
    const { plugins, write, trust, userFolder } = pluginHome({ limits: { timeoutMs: 700 } })
    write('pack/pack', shell(tool('modes'), 'cd "$(dirname "$0")"; ls -ld . .. pack data'))
    fs.chmodSync(write('pack/data', 'x'), 0o666)
    write('hangs', shell(tool('hangs'), 'touch "$(dirname "$0")/left"; sleep 300'))
    write('fails', shell(tool('fails'), 'exit 3'))
    await trust('pack', 'hangs', 'fails')
    const { text } = await call(plugins, 'modes')
    expect(text.trim().split('\n')).toHaveLength(4)
    for (const line of text.trim().split('\n')) expect(line).toMatch(/^[d-]rwx------/)
    const copies = path.join(userFolder, 'plugin-copies')
    const calling = call(plugins, 'hangs')
    await until(() =>
      fs
        .readdirSync(copies, { recursive: true, encoding: 'utf8' })
        .some((name) => path.basename(name) === 'left'),
    )
    vi.advanceTimersByTime(700)
    expect((await calling).type).toBe('error')
    expect((await call(plugins, 'fails')).type).toBe('error')
    expect(fs.readdirSync(copies)).toEqual([])
  })

  it('of a Skein that was killed is removed at the next start, and that of one that lives is not', async () => {
    const { open, userFolder, plugins } = pluginHome()
    await plugins.close()
    const copies = path.join(userFolder, 'plugin-copies')
    const living = await makePrivateFolder(copies)
    await (await living.create('a/b')).close()
    const gone = spawn(process.execPath, ['-e', ''])
    await once(gone, 'exit')
    // As this process names its own, but for the number of a process that has ended.
    const [place, boot] = path.basename(living.path).split('_')
    const dead = path.join(copies, [place, boot, gone.pid, '1', 'abcdef'].join('_'))
    fs.cpSync(living.path, dead, { recursive: true })
    const elsewhere = path.join(copies, ['0123456789ab', boot, gone.pid, '1', 'abcdef'].join('_'))
    fs.mkdirSync(elsewhere)
    fs.utimesSync(elsewhere, new Date(0), new Date(0))
    const recent = path.join(copies, ['ba9876543210', boot, gone.pid, '1', 'abcdef'].join('_'))
    fs.mkdirSync(recent)
    await open().close()
    expect(fs.readdirSync(copies).sort()).toEqual(
      [path.basename(living.path), path.basename(recent)].sort(),
    )
    await living.remove()
  })

  it('is not made where it would lie in the home', async () => {
    const { home, at, write } = pluginHome()
    const { openPlugins } = await import('../../../src/main/plugins/plugins')
    write('one', shell(tool('one'), 'echo ok'))
    const plugins = openPlugins({
      home,
      userFolder: at('skein'),
      environment: process.env,
      builtInNames: [],
    })
    const { hash } = await plugins.look('one')
    await plugins.trust('one', hash)
    expect(await plugins.tools()).toEqual([])
    const [one] = (await plugins.list()).plugins
    expect(one?.problem).toContain('which is in the home')
    expect(fs.existsSync(at('skein', 'plugin-copies'))).toBe(false)
    await plugins.close()
  })
})

describe('the environment of a plugin', () => {
  const code = {
    LD_PRELOAD: '/evil.so',
    LD_LIBRARY_PATH: '/evil',
    DYLD_INSERT_LIBRARIES: '/evil.dylib',
    BASH_ENV: '/evil.sh',
    ENV: '/evil.sh',
    'BASH_FUNC_echo%%': '() { evil; }',
    PYTHONPATH: '/evil',
    PYTHONSTARTUP: '/evil.py',
    PYTHONHOME: '/evil',
    PERL5LIB: '/evil',
    PERL5OPT: '-Mevil',
    RUBYLIB: '/evil',
    RUBYOPT: '-revil',
    NODE_PATH: '/evil',
    NODE_OPTIONS: '--require /evil.js',
    ELECTRON_RUN_AS_NODE: '1',
    GIT_SSH_COMMAND: 'evil',
  }
  const secrets = {
    STRIPE_SK: 'secret',
    HF_HUB: 'secret',
    SENTRY_DSN: 'https://secret@sentry',
    OPENAI_API_KEY: 'secret',
    CHIBI_API_KEY: 'secret',
    DATABASE_URL: 'postgres://u:secret@h',
    HTTPS_PROXY: 'http://u:secret@proxy:80',
    SSH_AUTH_SOCK: '/run/agent',
  }
  const plain = {
    HOME: '/tmp',
    USER: 'somebody',
    LANG: 'C.UTF-8',
    LC_TIME: 'C',
    TZ: 'UTC',
    XDG_CACHE_HOME: '/tmp/cache',
    DISPLAY: ':0',
  }

  /** The names that a plugin of sh sees, without those that sh makes itself. */
  async function namesSeen(more: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const { plugins, write, trust } = pluginHome({
      environment: { ...code, ...secrets, ...plain, PATH: process.env.PATH, ...more },
    })
    write('env', node(tool('env'), 'console.log(Object.keys(process.env).sort().join("\\n"))'))
    await trust('env')
    return (await call(plugins, 'env')).text.trim().split('\n')
  }
  const own = [
    ...['CHIBI_HOME', 'CHIBI_TOOL_ARGS', 'CHIBI_TOOL_NAME', 'PATH', 'PYTHONDONTWRITEBYTECODE'],
    'SKEIN_PLUGIN_PATH',
  ]

  it('is what a list names: no key, and nothing that has a program load other code', async () => {
    expect(await namesSeen({})).toEqual([...own, ...Object.keys(plain)].sort())
  })

  it('holds more where the person names it, and never a key of Skein’s own', async () => {
    const SKEIN_PLUGIN_ENV = 'SSH_AUTH_SOCK, NOTES_DIR,,CHIBI_API_KEY ELECTRON_RUN_AS_NODE PATH'
    expect(await namesSeen({ SKEIN_PLUGIN_ENV, NOTES_DIR: '/notes' })).toEqual(
      [...own, ...Object.keys(plain), 'NOTES_DIR', 'SSH_AUTH_SOCK'].sort(),
    )
  })
})
