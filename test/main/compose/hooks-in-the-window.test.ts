import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openHome } from '../../../src/main/compose/home'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { contextsDomain } from '../../../src/main/ipc/handlers/contexts'
import { openPlugins } from '../../../src/main/plugins/plugins'
import { readers } from '../../../src/main/readers/index'
import { openSettings } from '../../../src/main/settings/settings'
import { environmentVault } from '../../../src/main/settings/stored/key-vault'
import { ConsentId } from '../../../src/shared/ipc/runs/completion'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { heardIn, pointsIn, recorder } from '../../support/hook-recorder'
import { allowed, allowedAll } from '../../support/permissions'
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
  const [home, userFolder] = [path.join(root, 'chibi'), path.join(root, 'user')]
  const log = path.join(root, 'heard.jsonl')
  fs.mkdirSync(path.join(home, 'plugins'), { recursive: true })
  fs.writeFileSync(path.join(home, 'plugins/recorder'), recorder(log), { mode: 0o755 })
  const plugins = openPlugins({ home, userFolder, environment: process.env, builtInNames: [] })
  closers.push(() => plugins.close())
  await plugins.trust('recorder', (await plugins.look('recorder')).hash)
  const settings = openSettings({
    disk: nodeDisk,
    home,
    folder: userFolder,
    vault: environmentVault,
    environment: {},
  })
  const server = await rawServer(answerWith(() => answers.shift()))
  closers.push(server.close)
  await settings.setModel({ baseUrl: server.url, model: 'm' }, allowed)
  const phases: string[] = []
  const worker = path.join(root, 'not-built')
  const session = openHome({
    permissions: allowedAll,
    disk: nodeDisk,
    home,
    roots: [],
    readers,
    isPartial: () => false,
    cacheFolder: path.join(root, 'cache'),
    userFolder,
    settings,
    hooks: plugins.hooks,
    moreTools: (_, signal) => plugins.tools(signal),
    library: { changed: () => {} },
    completion: {
      delta: () => {},
      state: ({ phase }) => void phases.push(phase),
      consentAsked: ({ consentId, digest }) =>
        void session.consents.decide(ConsentId.parse(consentId), digest, 'once'),
      consentEnded: () => {},
    },
    branches: { changed: () => {} },
    search: { found: () => {}, progress: () => {}, index: () => {} },
    familiesWorker: worker,
    searchWorker: worker,
    countWorker: worker,
    tokensWorker: worker,
    poke: async () => {},
    note: () => {},
  })
  closers.unshift(() => session.close())
  const contexts = contextsDomain(
    () => session,
    { renamed: () => {}, destroyed: () => {}, archivedChanged: () => {}, notesChanged: () => {} },
    {
      trash: async () => {},
      hooks: () => async (point, data) => void (await plugins.hooks.call(point, { ...data })),
    },
  )
  closers.unshift(async () => contexts.close())
  return {
    home,
    session,
    contexts: contexts.handlers,
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
      const steps = session.compact({ context, mode }, new AbortController().signal)
      let step = await steps.next()
      while (!step.done) step = await steps.next()
      expect([mode, step.value.type]).toEqual([mode, 'compacted'])
    },
  }
}

it('plugins hear once that the window opened a home, of each other context that a person opens, and of its end', async () => {
  const { home, session, heard } = await heardHome()
  for (const key of ['garden', 'cycod:chat-history-1', 'garden', 'shed'])
    session.entered(LibraryKey.parse(key))
  await session.close()
  session.entered(LibraryKey.parse('garden'))
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
  const { session, contexts, heard, says, compacts, home } = await heardHome([
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
  await contexts.clear({ key: LibraryKey.parse('garden'), page: false })
  expect(hear()).toEqual(['pre_clear', 'post_clear'])
  await says('shed', 'Hello')
  expect(hear()).toContain('on_context_switch')
  await session.close()
  expect(hear()).toEqual(['on_end'])
  expect(new Set(all)).toEqual(pointsIn('window'))
})
