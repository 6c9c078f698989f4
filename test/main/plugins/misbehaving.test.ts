import fs from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { call, isAlive, noPython, pluginHomes, python, shell, tool, until } from './plugin-home'

const pluginHome = pluginHomes()

/** The processes whose numbers a plugin wrote into a file of the home. */
function pids(file: string): readonly number[] {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}

const writesPid = 'echo $$ >> "$CHIBI_HOME/pids"'

describe('a plugin that', () => {
  it('hangs is ended when its time is over, with everything it started', async () => {
    const { write, trust, at, plugins } = pluginHome({ limits: { timeoutMs: 700 } })
    write(
      'hangs',
      shell(tool('hangs'), `${writesPid}; sleep 300 & echo $! >> "$CHIBI_HOME/pids"; wait`),
    )
    await trust('hangs')
    const calling = call(plugins, 'hangs')
    await until(() => pids(at('pids')).length === 2)
    vi.advanceTimersByTime(700)
    expect(await calling).toEqual({
      type: 'error',
      text: 'Error: hangs took longer than 0.7 seconds, and was ended',
    })
    expect(pids(at('pids')).filter(isAlive)).toEqual([])
  })

  it('refuses the polite signal is ended all the same', async () => {
    const { write, trust, at, plugins } = pluginHome({ limits: { timeoutMs: 700 } })
    write(
      'stubborn',
      shell(tool('stubborn'), `trap '' TERM; ${writesPid}; while :; do sleep 0.05; done`),
    )
    await trust('stubborn')
    const calling = call(plugins, 'stubborn')
    await until(() => pids(at('pids')).length === 1)
    vi.advanceTimersByTime(700)
    expect((await calling).text).toContain('took longer than 0.7 seconds')
    expect(pids(at('pids')).filter(isAlive)).toEqual([])
  })

  it('hangs when it is asked for its schema offers nothing, and can be asked again', async () => {
    const { write, trust, at, plugins, view } = pluginHome({ limits: { timeoutMs: 500 } })
    write(
      'slow',
      `#!/bin/sh\n${writesPid}\n[ -e "$CHIBI_HOME/go" ] || sleep 300\necho '${JSON.stringify(tool('slow'))}'\n`,
    )
    await trust('slow')
    const asking = plugins.tools()
    await until(() => pids(at('pids')).length === 1)
    vi.advanceTimersByTime(500)
    expect(await asking).toEqual([])
    expect((await view('slow')).problem).toBe(
      'When Skein asked for its schema, it took longer than 0.5 seconds, and was ended.',
    )
    fs.writeFileSync(at('go'), '')
    expect(await plugins.tools()).toEqual([])
    plugins.askAgain('slow')
    expect(await plugins.tools()).toHaveLength(1)
  })

  it('floods its output is ended at the limit', async () => {
    const { write, trust, at, plugins } = pluginHome({ limits: { stdoutBytes: 1_000_000 } })
    write('floods', shell(tool('floods'), `${writesPid}; exec yes`))
    await trust('floods')
    expect(await call(plugins, 'floods')).toEqual({
      type: 'error',
      text: 'Error: floods wrote more than 1000000 bytes, and was ended',
    })
    expect(pids(at('pids')).filter(isAlive)).toEqual([])
  })

  it('floods stderr goes on, and the last of it is kept', async () => {
    const { write, trust, view, plugins } = pluginHome()
    write(
      'noisy',
      shell(tool('noisy'), 'yes 0123456789 | head -c 5500000 >&2; echo last >&2; echo fine'),
    )
    await trust('noisy')
    expect(await call(plugins, 'noisy')).toEqual({ type: 'result', text: 'fine\n' })
    const { stderr = '' } = (await view('noisy')).runs[0] ?? {}
    expect(Buffer.byteLength(stderr)).toBe(64 * 1024)
    expect(stderr.endsWith('\nlast\n')).toBe(true)
  })

  it('leaves a process that holds its output open is not waited for, and the process is ended', async () => {
    const { write, trust, at, plugins } = pluginHome()
    write(
      'forks',
      shell(
        tool('forks'),
        `(trap '' TERM; echo $$ > /dev/null; exec sleep 3000) & echo $! >> "$CHIBI_HOME/pids"; echo answered`,
      ),
    )
    await trust('forks')
    expect(await call(plugins, 'forks')).toEqual({ type: 'result', text: 'answered\n' })
    expect(pids(at('pids'))).toHaveLength(1)
    expect(pids(at('pids')).filter(isAlive)).toEqual([])
  })

  it.skipIf(noPython !== undefined)(
    'leaves a process in a session of its own, with its output open, is not waited for',
    async () => {
      const { write, trust, at, plugins } = pluginHome()
      write(
        'daemon',
        python(
          tool('daemon'),
          `
if os.fork() == 0:
    os.setsid()
    with open(os.environ["CHIBI_HOME"] + "/pids.new", "w") as f: f.write(str(os.getpid()))
    os.rename(os.environ["CHIBI_HOME"] + "/pids.new", os.environ["CHIBI_HOME"] + "/pids")
    import time; time.sleep(300)
print("answered", flush=True)
os._exit(0)
`,
        ),
      )
      await trust('daemon')
      try {
        expect(await call(plugins, 'daemon')).toEqual({ type: 'result', text: 'answered\n' })
      } finally {
        // It left the group, which nobody can prevent: docs/plugins.md says so.
        await until(() => fs.existsSync(at('pids')))
        for (const pid of pids(at('pids'))) process.kill(pid, 'SIGKILL')
      }
    },
  )

  it('is stopped by its run ends with what it started, and says that it was', async () => {
    const { write, trust, at, plugins } = pluginHome()
    write(
      'long',
      shell(tool('long'), `sleep 300 & echo $! >> "$CHIBI_HOME/pids"; ${writesPid}; wait`),
    )
    await trust('long')
    const run = new AbortController()
    const calling = call(plugins, 'long', {}, run.signal)
    await until(() => pids(at('pids')).length === 2)
    run.abort()
    expect(await calling).toEqual({ type: 'error', text: 'Error: long was stopped' })
    expect(pids(at('pids')).filter(isAlive)).toEqual([])
    expect(await call(plugins, 'long', {}, run.signal)).toEqual({
      type: 'error',
      text: 'Error: long was not started: the run was stopped',
    })
    expect(pids(at('pids'))).toHaveLength(2)
  })

  it('runs when the home is closed is ended before that resolves, and none is started after it', async () => {
    const { write, trust, at, plugins } = pluginHome()
    write('long', shell(tool('long', { hooks: ['on_end'] }), `${writesPid}; sleep 300`))
    await trust('long')
    const [long] = await plugins.tools()
    const calling = long?.run({}, new AbortController().signal)
    await until(() => pids(at('pids')).length === 1)
    await plugins.close()
    expect(pids(at('pids')).filter(isAlive)).toEqual([])
    expect((await calling)?.text).toBe('Error: long was stopped')
    expect((await long?.run({}, new AbortController().signal))?.type).toBe('error')
    expect(await plugins.hooks.call('on_end', {})).toEqual([])
    expect(pids(at('pids'))).toHaveLength(1)
  })

  it('is ended by a signal of its own says which', async () => {
    const { write, trust, plugins } = pluginHome()
    write('dies', shell(tool('dies'), 'kill -SEGV $$'))
    await trust('dies')
    expect((await call(plugins, 'dies')).text).toBe('Error: dies was ended by SIGSEGV')
  })
})

describe('what failed', () => {
  it('is still shown when the plugin has run well many times since', async () => {
    const { write, trust, plugins, view } = pluginHome()
    write('moody', shell(tool('moody'), 'grep -q fail || exit 0; echo why >&2; exit 7'))
    await trust('moody')
    await call(plugins, 'moody', { please: 'fail' })
    for (let i = 0; i < 8; i++) await call(plugins, 'moody')
    const { runs } = await view('moody')
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 7])
    expect(runs.at(-1)?.stderr).toBe('why\n')
  })
})
