import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openPlugins } from '../../../src/main/plugins/plugins'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { openTestHome, placesIn, testSettings } from '../../support/home'
import { heardIn, pointsIn, recorder } from '../../support/hook-recorder'
import { answerWith, chunk, rawServer } from '../../support/raw-server'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A home in the window with a trusted plugin that takes down what it hears; the model says these, then "Yes.". */
async function heardHome(answers: (readonly object[])[] = []) {
  const root = fs.realpathSync(folder())
  const { home, userFolder } = placesIn(root)
  // Another system's conversation that a person opens too.
  fs.mkdirSync(path.join(root, 'cycod'))
  fs.writeFileSync(
    path.join(root, 'cycod/chat-history-1.jsonl'),
    '{"role":"user","content":"tulips?"}\n',
  )
  const log = path.join(root, 'heard.jsonl')
  fs.mkdirSync(path.join(home, 'plugins'), { recursive: true })
  fs.writeFileSync(path.join(home, 'plugins/recorder'), recorder(log), { mode: 0o755 })
  const plugins = openPlugins({ home, userFolder, environment: process.env, builtInNames: [] })
  closers.push(() => plugins.close())
  await plugins.trust('recorder', (await plugins.look('recorder')).hash)
  const server = await rawServer(answerWith(() => answers.shift()))
  closers.push(server.close)
  const phases: string[] = []
  const session = await openTestHome(root, {
    settings: await testSettings(placesIn(root), server.url),
    roots: [{ source: 'cycod', path: path.join(root, 'cycod') }],
    hooks: plugins.hooks,
    moreTools: (_, signal) => plugins.tools(signal),
    events: {
      runChanged: ({ phase }) => void phases.push(phase),
      approvalAsked: ({ consentId, digest }) =>
        void session.approvals.decide(consentId, digest, 'once'),
    },
  })
  closers.unshift(() => session.close())
  return {
    home,
    session,
    heard: heardIn(log),
    /** Says something in a context, and waits for the answer. */
    async says(context: string, text: string) {
      const before = phases.length
      const create = !fs.existsSync(path.join(home, 'contexts', context))
      await session.runs.start({ context: LibraryKey.parse(context), text, create })
      await expect.poll(() => phases.slice(before)).toContain('complete')
    },
    /** Makes room as a person asks for it. */
    async compacts(context: string, mode: 'rolling' | 'full' | 'drop') {
      const { type } = await session.compactions.compact({ context, mode })
      expect([mode, type]).toEqual([mode, 'compacted'])
    },
  }
}

it('plugins hear once that the window opened a home, of each other context that a person opens, and of its end', async () => {
  const { home, session, heard } = await heardHome()
  for (const name of ['garden', 'shed']) await session.contexts.create(name)
  for (const key of ['garden', 'cycod:chat-history-1', 'garden', 'shed'])
    await session.feed.follow(LibraryKey.parse(key))
  await session.close()
  await session.feed.follow(LibraryKey.parse('garden'))
  session.unfollow()
  expect(heard()).toEqual([
    {
      point: 'on_start',
      data: {
        chibi_home: home,
        project_root: home,
        tool_count: 1,
        current_context: '',
        verbose: false,
      },
    },
    {
      point: 'on_context_switch',
      data: { from_context: 'garden', to_context: 'shed', is_transient: false },
    },
    { point: 'on_end', data: {} },
  ])
})

it('plugins hear of answers, tools, compactions and clearings in the window at all points of the documentation', async () => {
  const call = (name: string, args: object) => [
    chunk({
      tool_calls: [
        {
          index: 0,
          id: 'c1',
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        },
      ],
    }),
    chunk({}, 'tool_calls'),
  ]
  const { session, heard, says, compacts, home } = await heardHome([
    call('update_todos', { content: '- as asked' }),
    call('send_message', { to: 'garden', content: 'Hi' }),
  ])
  const all: string[] = []
  const hear = () => {
    const points = heard().map(({ point }) => point)
    all.push(...points)
    return points
  }
  await says('garden', 'Go')
  expect(fs.readFileSync(path.join(home, 'contexts/garden/todos.md'), 'utf8')).toBe(
    '- as the plugin wants',
  )
  const prompt = ['pre_system_prompt', 'post_system_prompt']
  const spoken = hear().filter((point) => !prompt.includes(point))
  expect(spoken).toEqual([
    'on_start',
    'pre_message',
    ...['pre_tool', 'post_tool'],
    ...['pre_tool', 'pre_send_message', 'post_send_message', 'post_tool'],
    'post_message',
  ])
  expect(all).toEqual(expect.arrayContaining(prompt))

  for (const mode of ['rolling', 'full', 'drop'] as const) {
    for (const text of ['One?', 'Two?', 'Three?']) await says('garden', text)
    hear()
    await compacts('garden', mode)
    const name = mode === 'rolling' ? 'rolling_compact' : 'compact'
    expect([mode, hear()]).toEqual([mode, [`pre_${name}`, `post_${name}`]])
  }

  await says('garden', 'Four?')
  hear()
  await session.contexts.clear('garden')
  expect(hear()).toEqual(['pre_clear', 'post_clear'])
  await says('shed', 'Hello')
  expect(hear()).toContain('on_context_switch')
  await session.close()
  expect(hear()).toEqual(['on_end'])
  expect(new Set(all)).toEqual(pointsIn('window'))
})
