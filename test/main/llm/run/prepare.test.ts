import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { checkHome } from '../../../support/chibi-checker/home'
import { atDrawnCalls } from '../../../support/every-call'
import { faultyDisk } from '../../../support/faulty-disk'
import { scriptedHooks } from '../../../support/scripted-hooks'
import type { ScriptStep } from '../../../support/scripted-provider'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { asks, call, chatFaults, chibiFaults, content, finish, tool } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
let home: ReturnType<typeof preparedHome>
beforeEach(() => {
  home = preparedHome(temp())
})
const answer: readonly ScriptStep[] = [content('Done.'), finish()]
const message = (id: string, text: string, from = 'zoo') =>
  `${JSON.stringify({ id, timestamp: 7, from, to: 'garden', content: text })}\n`
const systemOf = (request: { readonly messages: readonly object[] } | undefined) => {
  const first = request?.messages[0] as { readonly role: string; readonly content: string }
  return first.role === 'system' ? first.content : undefined
}

/** The process that held them lives on in a test; a dead one's are taken over at once, and others go stale. */
function freeLocks(one: { readonly home: string; readonly folder: string }): void {
  fs.rmSync(path.join(one.folder, '.lock'), { force: true })
  fs.rmSync(path.join(one.home, '.state.skein'), { force: true })
}

describe('the system prompt', () => {
  it('is nothing where nothing was written', async () => {
    const { requests } = await home.play([answer])
    expect(requests[0]?.messages).toEqual([{ role: 'user', content: 'Hi' }])
    const meta = JSON.parse(home.text('context_meta.json'))
    expect(meta).toEqual({ created_at: expect.any(Number) })
  })

  it('has its parts in chibi’s order', async () => {
    home.put('prompts/chibi.md', 'The home’s prompt.')
    home.put('prompts/reflection.md', 'I like beans.')
    home.put('AGENTS.md', 'Use tabs.\n')
    home.put('contexts/garden/summary.md', 'We sowed.')
    home.put('contexts/garden/goals.md', 'A harvest.')
    home.put('contexts/garden/todos.md', '- water')
    const hooks = scriptedHooks({
      pre_system_prompt: { a: { inject: 'first' }, b: { inject: 'second' } },
      post_system_prompt: { a: { inject: 'last' } },
    })
    const { requests } = await home.play([answer], { username: 'mira', deps: { hooks } })
    const parts = [
      'second',
      'first',
      'The home’s prompt.',
      '--- AGENT INSTRUCTIONS ---\nUse tabs.',
      'The user speaking to you is called: mira',
      '--- CONVERSATION SUMMARY ---\nWe sowed.',
      '--- CURRENT GOALS ---\nA harvest.',
      '--- CURRENT TODOS ---\n- water',
      '--- FUEL ---\nYou can go on by yourself for 30 rounds of tool calls; then the user has to speak again.',
      'I like beans.',
      'last',
    ]
    expect(systemOf(requests[0])).toBe(parts.join('\n\n'))
    const told = {
      context_name: 'garden',
      summary: 'We sowed.',
      todos: '- water',
      goals: 'A harvest.',
    }
    expect(hooks.heard.filter(([point]) => /system_prompt/.test(point))).toEqual([
      ['pre_system_prompt', told],
      ['post_system_prompt', told],
    ])
    expect(JSON.parse(home.text('context_meta.json')).last_combined_prompt).toBe(parts.join('\n\n'))
  })

  it('is the context’s own before the home’s, without a reflection where that is off', async () => {
    home.put('prompts/chibi.md', 'The home’s prompt.')
    home.put('prompts/reflection.md', 'I like beans.')
    home.put('contexts/garden/system_prompt.md', 'My own.')
    const off = { reflectionEnabled: false, fuel: 0 }
    const { requests } = await home.play([answer], { settings: off })
    expect(systemOf(requests[0])).toBe('My own.')
    expect(requests[0]?.tools?.map(({ name }) => name)).not.toContain('update_reflection')
  })

  it('is built anew for a turn that the model begins itself', async () => {
    home.put('contexts/garden/todos.md', '- water')
    const { requests } = await home.play([
      [...asks(call('t', 'update_todos', '{"content":"- weed"}'))],
      [...asks(call('a', 'call_agent', '{"prompt":"On."}'))],
      answer,
    ])
    expect(requests.map(systemOf).map((text) => /- (water|weed)/.exec(text ?? '')?.[0])).toEqual([
      '- water',
      '- water',
      '- weed',
    ])
  })

  it('stands in the transcript, whole, where it is another one than in the last run', async () => {
    home.put('prompts/chibi.md', 'One.')
    await home.play([answer])
    await home.play([answer])
    home.put('prompts/chibi.md', 'Two.')
    const { requests } = await home.play([answer])
    home.put('contexts/garden/system_prompt.md', 'Three.')
    await home.play([answer])
    await home.play([answer])
    const entries = await home.entriesOf()
    const changes = entries.filter(({ entry_type: type }) => type === 'system_prompt_changed')
    expect(changes.map(({ content: text, from, to }) => [text, from, to])).toEqual([
      ['Two.', 'system', 'garden'],
      ['Three.', 'system', 'garden'],
    ])
    expect(requests[0]?.messages.filter(({ role }) => role === 'system')).toHaveLength(1)
    expect(home.text('context.jsonl')).not.toContain('system_prompt_changed')
  })
})

describe('the inbox', () => {
  it('is delivered with the next message, told in its metadata, and then empty', async () => {
    home.put('contexts/garden/inbox.jsonl', `${message('m1', 'Rain comes.')}{"torn\n`)
    const { requests } = await home.play([answer])
    const text = '--- INBOX MESSAGES ---\n[From: zoo] Rain comes.\n--- END INBOX ---\n\nHi'
    expect(requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: text })
    const said = (await home.entriesOf()).find(({ content: one }) => one === text)
    expect(said?.metadata).toEqual({
      typed: 'Hi',
      inbox: [{ id: 'm1', from: 'zoo', timestamp: 7, content: 'Rain comes.' }],
      inbox_damaged: 1,
    })
    expect(fs.existsSync(path.join(home.folder, 'inbox.jsonl'))).toBe(false)
    expect(home.text('inbox.damaged.skein.jsonl')).toBe('{"torn\n')
  })

  it('keeps what arrives while the request goes on, for the next one', async () => {
    home.put('contexts/garden/inbox.jsonl', message('m1', 'Rain comes.'))
    const { requests } = await home.play([
      [
        () => fs.appendFileSync(path.join(home.folder, 'inbox.jsonl'), message('m2', 'Hail too.')),
        ...asks(call('a', 'call_agent', '{"prompt":"On."}')),
      ],
      answer,
    ])
    expect(JSON.stringify(requests[0])).not.toContain('Hail')
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toMatch(/Hail too.*reengaged/)
  })

  it('delivers a message with another text under an id that was delivered, and the same one once', async () => {
    home.put('contexts/garden/inbox.jsonl', message('m1', 'Rain comes.'))
    await home.play([answer])
    // As a crash leaves it, before the message was taken out.
    home.put(
      'contexts/garden/inbox.jsonl',
      `${message('m1', 'Rain comes.')}${message('m1', 'Hail too.')}`,
    )
    const { requests } = await home.play([answer], { text: 'Again' })
    const text = '--- INBOX MESSAGES ---\n[From: zoo] Hail too.\n--- END INBOX ---\n\nAgain'
    expect(requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: text })
    expect(fs.existsSync(path.join(home.folder, 'inbox.jsonl'))).toBe(false)
  })

  it('waits where nothing is said: the model is merely asked again', async () => {
    await home.play([answer])
    home.put('contexts/garden/inbox.jsonl', message('m1', 'Rain comes.'))
    const { requests } = await home.play([answer], { text: null })
    expect(JSON.stringify(requests)).not.toContain('Rain')
    expect(home.text('inbox.jsonl')).toContain('Rain')
  })

  it('arrives once, whatever the disk does, and is never lost', async () => {
    await atDrawnCalls(async (at) => {
      const one = preparedHome(temp())
      one.put(
        'contexts/garden/inbox.jsonl',
        `${message('m1', 'Rain comes.')}${message('m2', 'Hail.')}`,
      )
      const disk = faultyDisk(nodeDisk, { at, fault: 'no-space', forEver: true })
      await one.play([answer], { disk }).catch(() => undefined)
      const kinds = disk.kinds()
      freeLocks(one)
      await one.play([answer], { text: 'Again' })
      const entries = await one.entriesOf()
      const text = entries.map(({ content: words }) => words).join('\n')
      expect([at, text.split('Rain comes.').length, text.split('Hail.').length]).toEqual([at, 2, 2])
      expect(fs.existsSync(path.join(one.folder, 'inbox.jsonl'))).toBe(false)
      return kinds
    })
  })

  it('arrives once when the program is killed at any event', async () => {
    let isWhole = false
    for (let at = 0; !isWhole; at++) {
      const one = preparedHome(temp())
      one.put('contexts/garden/inbox.jsonl', message('m1', 'Rain comes.'))
      const first = await one.play(
        [[...asks(call('t', 'update_todos', '{"content":"x"}'))], answer],
        {
          leaveAt: at,
        },
      )
      isWhole = first.isWhole
      const { requests } = await one.play([answer])
      const entries = await one.entriesOf()
      expect(entries.filter(({ content: words }) => words.includes('Rain'))).toHaveLength(1)
      expect([...chibiFaults(entries), ...chatFaults(requests[0]?.messages ?? [])]).toEqual([])
    }
  })
})

it('an output that floods is kept in the context’s folder, and read by its id', async () => {
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n + 1} of the flood`).join('\n')
  const flood = tool('web fetch', 'runs', async () => lines)
  const deps = { moreTools: async () => [flood] }
  const id = /\[Output cached: ([\w-]+)\]/
  const { requests } = await home.play([[...asks(call('f', 'web fetch'))], answer], { deps })
  const notice = String(requests[1]?.messages.at(-1)?.content)
  const found = id.exec(notice)?.[1] ?? ''
  expect(found).toMatch(/^web_fetch_6553f100_[0-9a-f]{8}$/)
  expect(notice).toContain(`Tool: web fetch | Size: ${lines.length} chars`)
  expect(notice).toContain(
    `Use file_head, file_tail, file_lines, file_grep with cache_id="${found}"`,
  )
  expect(notice.length).toBeLessThan(1000)
  expect(home.text(`tool_cache/${found}.cache`)).toBe(lines)
  expect(JSON.parse(home.text(`tool_cache/${found}.meta.json`))).toMatchObject({
    id: found,
    tool_name: 'web fetch',
    char_count: lines.length,
    line_count: 400,
  })
  const read = (name: string, more: object) =>
    call(name, name, JSON.stringify({ cache_id: found, ...more }))
  const again = await home.play(
    [
      [
        ...asks(
          read('file_head', { lines: 1 }),
          read('file_tail', { lines: 1 }),
          read('file_lines', { start: 7, end: 7 }),
          read('file_grep', { pattern: 'line 40 ' }),
          call('none', 'file_head', '{"cache_id":"../../config"}'),
          call('both', 'file_head', `{"cache_id":"${found}","path":"x"}`),
        ),
      ],
      answer,
    ],
    { deps },
  )
  const results = again.requests[1]?.messages.slice(-6).map((one) => one.content)
  expect(results).toEqual([
    'line 1 of the flood\n',
    'line 400 of the flood',
    'line 7 of the flood\n',
    '40:line 40 of the flood',
    'Error: there is no cached output "../../config"',
    'Error: give either path or cache_id',
  ])
})

describe('the request log', () => {
  it('is written where it is asked for, in chibi’s shape, without the key', async () => {
    const logged = { logsRequests: async () => true }
    const picture = `data:image/png;base64,${'A'.repeat(5000)}`
    const hooks = scriptedHooks({ pre_api_request: { p: { request_body: { picture } } } })
    await home.play([[...asks(call('t', 'update_todos', '{"content":"x"}'))], answer], {
      text: `My key is ${home.key}`,
      deps: { ...logged, hooks },
      settings: { api: { temperature: 0.5, parallel_tool_calls: true, cache_prompt: true } },
    })
    const text = home.text('requests.jsonl')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ timestamp }) => timestamp)).toEqual([1_700_000_000, 1_700_000_000])
    expect(lines[0].request).toMatchObject({
      model: 'some/model',
      messages: [{ role: 'user', content: 'My key is [key]' }],
      temperature: 0.5,
      parallel_tool_calls: true,
      cache_prompt: true,
      picture: 'data:image/png;base64,(5000 characters)',
      stream: true,
    })
    expect(text).not.toMatch(/sk-or-v1|authorization/i)
  })

  it('is not written otherwise, and keeps no run from going on where it cannot be', async () => {
    await home.play([answer])
    expect(fs.existsSync(path.join(home.folder, 'requests.jsonl'))).toBe(false)
    fs.mkdirSync(path.join(home.folder, 'requests.jsonl'))
    const { isWhole } = await home.play([answer], { deps: { logsRequests: async () => true } })
    expect([isWhole, home.notes.join()]).toEqual([true, expect.stringMatching(/requests\.jsonl/)])
  })
})

it('images of a person’s message go with it: data URLs, and files of the context’s folder alone', async () => {
  home.put('contexts/garden/images/bean.png', Buffer.from([1, 2, 3]))
  home.put('secret.png', 'x')
  fs.symlinkSync(path.join(home.home, 'secret.png'), path.join(home.folder, 'linked.png'))
  await home.play([answer])
  const file = path.join(home.folder, 'transcript', 'active.jsonl')
  const images = [
    { url: 'data:image/jpeg;base64,QUJD' },
    'images/bean.png',
    '../../secret.png',
    'linked.png',
    'local.toml',
    'https://example.org/track.png',
    7,
  ]
  const line = {
    id: 'i',
    timestamp: 1,
    from: 'user',
    to: 'garden',
    content: 'See',
    entry_type: 'message',
    metadata: { images },
  }
  fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
  const { requests } = await home.play([answer])
  expect(requests[0]?.messages.at(-1)).toEqual({
    role: 'user',
    content: 'See\n\nHi',
    images: ['data:image/jpeg;base64,QUJD', 'data:image/png;base64,AQID'],
  })
})

it('plugins hear in which context a run is, and add tools of names that are free', async () => {
  const hooks = scriptedHooks({})
  const moreTools = async () => [
    tool('weather', 'runs', async () => 'rain'),
    tool('update_todos', 'runs', async () => 'mine'),
  ]
  const entered: string[] = []
  const lifecycle = { enter: async (context: string) => void entered.push(context) }
  const { requests } = await home.play([answer], { deps: { hooks, moreTools, lifecycle } })
  expect(entered).toEqual(['garden'])
  const names = requests[0]?.tools?.map(({ name }) => name) ?? []
  expect(names.filter((name) => /weather|update_todos/.test(name))).toEqual([
    'update_todos',
    'weather',
  ])
  expect(home.notes).toEqual(["garden: a plugin's tool has the name of another one: update_todos"])
})

it('send_message tells plugins, and one that delivers keeps the message from the inbox', async () => {
  home.put('contexts/zoo/todos.md', '')
  const sent = call('s', 'send_message', '{"to":"zoo","content":"Hello zoo"}')
  const allow = async () => ({ allowed: true }) as const
  const quiet = scriptedHooks({})
  await home.play([[...asks(sent)], answer], { deps: { hooks: quiet }, consent: allow })
  const inbox = fs.readFileSync(path.join(home.home, 'contexts/zoo/inbox.jsonl'), 'utf8')
  expect(JSON.parse(inbox)).toMatchObject({ from: 'garden', to: 'zoo', content: 'Hello zoo' })
  const data = { from: 'garden', to: 'zoo', content: 'Hello zoo', context_name: 'garden' }
  expect(quiet.heard.filter(([point]) => /send_message/.test(point))).toEqual([
    ['pre_send_message', data],
    ['post_send_message', { ...data, delivery_result: expect.stringContaining('inbox of zoo') }],
  ])
  const hooks = scriptedHooks({
    pre_send_message: { post: { delivered: true, via: 'carrier pigeon' } },
  })
  const { requests } = await home.play([[...asks(sent)], answer], {
    deps: { hooks },
    consent: allow,
  })
  expect(requests[1]?.messages.at(-1)?.content).toBe(
    'The message was delivered to zoo by carrier pigeon.',
  )
  expect(fs.readFileSync(path.join(home.home, 'contexts/zoo/inbox.jsonl'), 'utf8')).toBe(inbox)
})

it('a home in which everything was used is one that chibi takes', async () => {
  home.put('contexts/garden/system_prompt.md', 'Be kind.')
  await home.create('zoo')
  const sent = call('s', 'send_message', '{"to":"zoo","content":"Hello zoo"}')
  const flood = tool('flood', 'runs', async () => 'x '.repeat(3000))
  const options = {
    deps: { moreTools: async () => [flood], logsRequests: async () => true },
    consent: async () => ({ allowed: true }) as const,
  }
  await home.play(
    [
      [content('First.'), ...asks(sent, call('f', 'flood'))],
      [...asks(call('a', 'call_agent', '{"prompt":"On."}'))],
      [...asks(call('u', 'call_user', '{"message":"Yours."}'))],
    ],
    options,
  )
  home.put('contexts/garden/system_prompt.md', 'Be brief.')
  home.put('contexts/garden/inbox.jsonl', message('0b2f8c1e-7c1a-4a53-9a6f-111111111111', 'Rain.'))
  await home.play([answer], options)
  expect(checkHome(home.home, { secrets: [home.key] })).toEqual([])
})

it('a run in which everything is used goes on, or ends in words, when the disk fails at any call', async () => {
  const flood = tool('flood', 'runs', async () => 'x '.repeat(3000))
  const thought = { type: 'reasoning', text: 'Hm.' } as const
  const deps = { moreTools: async () => [flood], logsRequests: async () => true }
  const fill = (one: ReturnType<typeof preparedHome>) => {
    one.put('prompts/chibi.md', 'Be kind.')
    one.put('contexts/garden/context_meta.json', '{"skein_prompt": "Be brief."}')
    one.put('contexts/garden/inbox.jsonl', message('m1', 'Rain comes.'))
  }
  await atDrawnCalls(async (at) => {
    const one = preparedHome(temp())
    fill(one)
    const disk = faultyDisk(nodeDisk, { at, fault: 'io' })
    const scripts = [
      [
        content('I look.'),
        ...asks(call('f', 'flood'), call('t', 'update_todos', '{"content":"x"}')),
      ],
      [thought, ...asks(call('g', 'flood'))],
      answer,
    ]
    // Where the message itself could not be written, that is told, and nothing was asked.
    await one.play(scripts, { disk, deps }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
    const kinds = disk.kinds()
    freeLocks(one)
    const { requests, isWhole } = await one.play([answer], { text: 'Again', deps })
    const entries = await one.entriesOf()
    expect([
      at,
      isWhole,
      ...chibiFaults(entries),
      ...chatFaults(requests[0]?.messages ?? []),
    ]).toEqual([at, true])
    expect(entries.filter(({ content: words }) => words.includes('Rain comes.'))).toHaveLength(1)
    return kinds
  })
})
