import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, interpreter, noPython, pluginHomes, python, shell, tool } from './plugin-home'

const pluginHome = pluginHomes()

const weather = (reads: string) =>
  python(
    tool('weather', {
      parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
      hooks: ['pre_message', 'post_message'],
    }),
    `
hook = os.environ.get("CHIBI_HOOK", "")
data = ${reads}
if hook == "pre_message":
    print(json.dumps({"prompt": data["prompt"].upper()}))
elif hook:
    pass
else:
    print("rain in " + data["town"], end="")
`,
  )

/** The program that chibi's documentation shows. */
const documented = `#!/usr/bin/env -S uv run --quiet --script
# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///

import json, os, sys

if len(sys.argv) > 1 and sys.argv[1] == "--schema":
    print(json.dumps({
        "name": "tool_name",
        "description": "...",
        "parameters": {"type": "object", "properties": {}, "required": []},
        "hooks": ["on_start"]  # optional
    }))
    sys.exit(0)

hook = os.environ.get("CHIBI_HOOK", "")
if hook:
    print("{}")  # Hook response
    sys.exit(0)

params = json.loads(os.environ["CHIBI_TOOL_ARGS"])
print("result")
`

describe.skipIf(noPython !== undefined)(`a plugin in Python (${noPython ?? 'python3'})`, () => {
  it.each([
    ['the environment', 'json.loads(os.environ["CHIBI_HOOK_DATA" if hook else "CHIBI_TOOL_ARGS"])'],
    ['stdin', 'json.loads(sys.stdin.read())'],
  ])('serves a tool and a hook with its arguments from %s', async (_, reads) => {
    const { plugins, write, trust } = pluginHome()
    write('weather', weather(reads))
    await trust('weather')
    const [offered] = await plugins.tools()
    expect(offered).toMatchObject({
      name: 'weather',
      description: 'What weather does.',
      effect: 'runs',
      parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
    })
    expect(await call(plugins, 'weather', { town: 'Zürich 🌧' })).toEqual({
      type: 'result',
      text: 'rain in Zürich 🌧',
    })
    expect(plugins.hooks.hears('pre_message')).toBe(true)
    expect(plugins.hooks.hears('pre_tool')).toBe(false)
    expect(await plugins.hooks.call('pre_message', { prompt: 'hello' })).toEqual([
      { plugin: 'weather', value: { prompt: 'HELLO' } },
    ])
    expect(await plugins.hooks.call('post_message', { prompt: 'hello' })).toEqual([])
  })

  it('of the form that chibi documents is run by the uv of the PATH, as uv runs scripts', async () => {
    const { userFolder, write, trust, open } = pluginHome()
    const programs = path.join(userFolder, 'bin')
    fs.mkdirSync(programs, { recursive: true })
    const told = path.join(userFolder, 'uv-was-told')
    // It takes the options of the first line and runs the script with what follows, as uv does.
    const uv = `#!/bin/sh
echo "$@" >> '${told}'
[ "$1 $2 $3" = "run --quiet --script" ] || exit 64
shift 3
exec '${interpreter}' "$@"
`
    fs.writeFileSync(path.join(programs, 'uv'), uv, { mode: 0o755 })
    const plugins = open({ environment: { PATH: `${programs}:/usr/bin:/bin` } })
    write('tool_name', documented)
    await trust('tool_name')
    expect((await plugins.tools()).map(({ name }) => name)).toEqual(['tool_name'])
    expect(await call(plugins, 'tool_name', { town: 'Bern' })).toEqual({
      type: 'result',
      text: 'result\n',
    })
    expect(plugins.hooks.hears('on_start')).toBe(true)
    expect(await plugins.hooks.call('on_start', {})).toEqual([{ plugin: 'tool_name', value: {} }])
    const starts = fs.readFileSync(told, 'utf8').trimEnd().split('\n')
    expect(starts.map((line) => line.replace(/ \/\S+/, ' PLUGIN'))).toEqual([
      'run --quiet --script PLUGIN --schema',
      'run --quiet --script PLUGIN',
      'run --quiet --script PLUGIN',
    ])
  })

  it('gets 200 KB of arguments on stdin, and none in its environment', async () => {
    const { plugins, write, trust } = pluginHome()
    write(
      'long',
      python(
        tool('long'),
        'print(len(json.load(sys.stdin)["text"]), "CHIBI_TOOL_ARGS" in os.environ)',
      ),
    )
    await trust('long')
    expect(await call(plugins, 'long', { text: 'é'.repeat(100_000) })).toEqual({
      type: 'result',
      text: '100000 False\n',
    })
    expect(await call(plugins, 'long', { text: 'é'.repeat(1_000) })).toEqual({
      type: 'result',
      text: '1000 True\n',
    })
  })
})

describe('a plugin', () => {
  it('is told its tool, the home, and runs in the folder that was given', async () => {
    const folder = fs.realpathSync('/tmp')
    const { plugins, home, write, trust } = pluginHome({ folder })
    write('where', shell(tool('where'), 'echo "$CHIBI_TOOL_NAME|$CHIBI_HOME|$(pwd)|$CHIBI_HOOK"'))
    await trust('where')
    expect(await call(plugins, 'where')).toEqual({
      type: 'result',
      text: `where|${home}|${folder}|\n`,
    })
  })

  it('that ends at once and reads nothing has still answered', async () => {
    const { plugins, write, trust } = pluginHome()
    write('quick', shell(tool('quick'), 'echo done; exit 0'))
    await trust('quick')
    expect(await call(plugins, 'quick', { text: 'x'.repeat(1_000_000) })).toEqual({
      type: 'result',
      text: 'done\n',
    })
  })

  it('that fails is an error for the model, with its words but without what it wrote on stderr', async () => {
    const { plugins, write, trust, view, events } = pluginHome()
    write('fails', shell(tool('fails'), 'echo "no such town"; echo "secret trace" >&2; exit 3'))
    await trust('fails')
    expect(await call(plugins, 'fails')).toEqual({
      type: 'error',
      text: 'Error: fails ended with exit code 3: no such town',
    })
    expect((await view('fails')).runs[0]).toMatchObject({
      asked: 'tool fails',
      exitCode: 3,
      problem: 'ended with exit code 3',
      stderr: 'secret trace\n',
    })
    expect(events).toContainEqual({
      type: 'failed',
      plugin: 'fails',
      asked: 'tool fails',
      problem: 'ended with exit code 3',
    })
  })

  it('that answers in binary is an error that says how much', async () => {
    const { plugins, write, trust } = pluginHome()
    write('binary', shell(tool('binary'), "printf '\\377\\376abc'"))
    await trust('binary')
    expect(await call(plugins, 'binary')).toEqual({
      type: 'error',
      text: 'Error: binary answered with 5 bytes of binary data instead of text',
    })
  })

  it('whose interpreter is missing says so', async () => {
    const { write, trust, view, plugins } = pluginHome()
    write('lost', '#!/nowhere/python\n')
    await trust('lost')
    expect(await plugins.tools()).toEqual([])
    expect((await view('lost')).problem).toContain('the interpreter in its first line')
  })

  it('is heard at a hook after those whose names come before, and nobody is after the run was stopped', async () => {
    const { plugins, write, trust, at } = pluginHome()
    const hears = (name: string, body: string) =>
      write(name, shell(tool(`t_${name}`, { hooks: ['pre_tool'] }), body))
    hears('b', 'echo b >> "$CHIBI_HOME/order"; echo plain words')
    hears('a', 'echo a >> "$CHIBI_HOME/order"; echo \'{"block":true}\'')
    hears('Z', 'echo Z >> "$CHIBI_HOME/order"')
    hears('c', 'echo c >> "$CHIBI_HOME/order"; echo \'{}\'; exit 1')
    await trust('a', 'b', 'c', 'Z')
    expect(await plugins.hooks.call('pre_tool', { tool_name: 'x', arguments: {} })).toEqual([
      { plugin: 'a', value: { block: true } },
      { plugin: 'b', value: 'plain words' },
    ])
    expect(fs.readFileSync(at('order'), 'utf8')).toBe('Z\na\nb\nc\n')
    const stopped = AbortSignal.abort()
    expect(await plugins.hooks.call('pre_tool', {}, stopped)).toEqual([])
    expect(fs.readFileSync(at('order'), 'utf8')).toBe('Z\na\nb\nc\n')
  })

  it('whose hook answers with the wrong shape is heard, and the fault is shown', async () => {
    const { plugins, write, trust, view } = pluginHome()
    write('odd', shell(tool('odd', { hooks: ['pre_tool'] }), 'echo \'{"block":"yes"}\''))
    await trust('odd')
    expect(await plugins.hooks.call('pre_tool', {})).toHaveLength(1)
    expect((await view('odd')).runs[0]).toMatchObject({ asked: 'hook pre_tool', exitCode: 0 })
    expect((await view('odd')).runs[0]?.problem).toContain('answered pre_tool with block: ')
  })
})

describe('the schema of a plugin', () => {
  it('may be a list, and says how each tool runs', async () => {
    const { plugins, write, trust } = pluginHome()
    write(
      'many',
      shell(
        [
          tool('one', { parallel: false, summary_params: ['path', 'count', 'missing'] }),
          tool('two', { flow_control: true, ends_turn: true }),
          tool('three', { flow_control: true, parameters: null }),
          tool('recurse', { parameters: { properties: { note: { type: 'string' } } } }),
        ],
        'printf %s "$CHIBI_TOOL_NAME"',
      ),
    )
    await trust('many')
    const [one, two, three, recurse] = await plugins.tools()
    expect([one?.alone, two?.alone]).toEqual([true, undefined])
    expect([one?.ends, two?.ends, three?.ends, recurse?.ends]).toEqual([
      undefined,
      'turn',
      'round',
      'round',
    ])
    expect(three?.parameters).toEqual({ type: 'object', properties: {} })
    expect(recurse?.parameters).toEqual({
      type: 'object',
      properties: { note: { type: 'string' } },
    })
    const signal = new AbortController().signal
    expect(await one?.preview?.({ path: 'a\nb', count: 3 }, signal)).toEqual({
      title: 'one: a b, 3',
    })
    expect(await two?.preview?.({ path: 'x' }, signal)).toEqual({ title: 'two' })
    expect(await two?.run({}, signal)).toEqual({ type: 'result', text: 'two' })
    // chibi 0.5: the next round begins with the note that the model left itself.
    expect(await recurse?.run({ note: 'look again' }, signal)).toEqual({
      type: 'result',
      text: '[Continuing from previous round]\n\nNote to self: look again',
    })
  })

  it('gives a name to one tool alone: Skein’s own first, then the first plugin’s, and the others say so', async () => {
    const { plugins, write, trust, view } = pluginHome()
    write('a', shell([tool('update_todos'), tool('shared')], 'printf a'))
    write('b', shell([tool('shared'), tool('own')], 'printf b'))
    await trust('b', 'a')
    expect((await plugins.tools()).map(({ name }) => name)).toEqual(['shared', 'own'])
    expect(await call(plugins, 'shared')).toEqual({ type: 'result', text: 'a' })
    const problems = async (name: string) =>
      (await view(name)).offer?.tools.map(({ name, problem }) => [name, problem])
    expect(await problems('a')).toEqual([
      ['update_todos', 'Skein has a tool of this name.'],
      ['shared', null],
    ])
    expect(await problems('b')).toEqual([
      ['shared', 'The plugin a has a tool of this name and takes precedence.'],
      ['own', null],
    ])
  })

  it.each([
    ['nothing', '', 'It printed no schema'],
    ['no JSON', 'usage: weather TOWN', 'is not JSON'],
    ['an empty list', '[]', 'is an empty list'],
    ['no name', '{"description":"d"}', 'wrong at "name"'],
    ['a name that no model takes', '{"name":"rm -rf","description":"d"}', 'letters, digits'],
    [
      'parameters that are a list',
      '{"name":"a","description":"d","parameters":[]}',
      '"parameters"',
    ],
    [
      'parameters of another type',
      '{"name":"a","description":"d","parameters":{"type":"string"}}',
      'must have the type "object"',
    ],
    [
      'parameters without a bottom',
      `{"name":"a","description":"d","parameters":${'{"x":'.repeat(500)}1${'}'.repeat(500)}}`,
      'nested too deeply',
    ],
  ])('that is %s is explained', async (_, printed, words) => {
    const { plugins, write, trust, view } = pluginHome()
    write('odd', shell(printed, ''))
    await trust('odd')
    expect(await plugins.tools()).toEqual([])
    const { problem, state, offer } = await view('odd')
    expect([state, offer]).toEqual(['trusted', null])
    expect(problem).toContain(words)
  })

  it('keeps its good tools and its known hooks where others are wrong, and says which', async () => {
    const { plugins, write, trust, view } = pluginHome()
    write(
      'half',
      shell([tool('good', { hooks: ['pre_tool', 'pre_spawn_agent'] }), { name: 'bad' }], ''),
    )
    await trust('half')
    expect((await plugins.tools()).map(({ name }) => name)).toEqual(['good'])
    expect((await view('half')).offer).toMatchObject({
      hooks: ['pre_tool'],
      notes: [
        expect.stringContaining('Tool 2 of its schema is wrong at "description"'),
        'It asks to run at unknown points: pre_spawn_agent.',
      ],
    })
  })

  it('is asked for once for a content, however often tools are', async () => {
    const { plugins, write, trust, at, view } = pluginHome()
    write(
      'once',
      shell(tool('once'), '').replace('then cat', 'then echo x >> "$CHIBI_HOME/asked"; cat'),
    )
    await trust('once')
    await Promise.all([plugins.tools(), plugins.tools(), plugins.list()])
    await plugins.tools()
    expect(fs.readFileSync(at('asked'), 'utf8')).toBe('x\n')
    plugins.askAgain('once')
    await plugins.tools()
    expect(fs.readFileSync(at('asked'), 'utf8')).toBe('x\nx\n')
    expect((await view('once')).isAsked).toBe(false)
  })
})
