import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openHome } from '../../../src/main/compose/home'
import { nodeDisk } from '../../../src/main/disk/node-disk'
import { openPlugins } from '../../../src/main/plugins/plugins'
import { readers } from '../../../src/main/readers/index'
import { environmentVault } from '../../../src/main/settings/key-vault'
import { openSettings } from '../../../src/main/settings/settings'
import { LibraryKey } from '../../../src/shared/model/conversation'
import { heardIn, recorder } from '../../support/hook-recorder'
import { allowedAll } from '../../support/permissions'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A home in the window with a trusted plugin that takes down what it hears. */
async function heardHome() {
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
      state: () => {},
      consentAsked: () => {},
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
  return { home, session, heard: heardIn(log) }
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
