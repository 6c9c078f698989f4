import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node-disk'
import { openPreparation } from '../../../src/main/llm/prepare'
import { environmentVault } from '../../../src/main/settings/key-vault'
import { openSettings } from '../../../src/main/settings/settings'
import { openStore } from '../../../src/main/store/open-store'
import type { HookData, Hooks } from '../../../src/main/tools/hooks'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()

it('plugins hear when a run begins in another context than the one before it', async () => {
  const home = path.join(folder(), 'home')
  const disk = nodeDisk
  const store = openStore({ home, disk })
  for (const name of ['garden', 'shed'])
    await (await store.openWriter(name, { create: true })).close()
  const settings = openSettings({
    disk,
    home,
    folder: path.join(home, 'none'),
    vault: environmentVault,
    environment: {},
  })
  const heard: HookData[] = []
  const hooks: Hooks = {
    hears: () => true,
    async call(point, data) {
      if (point === 'on_context_switch') heard.push(data)
      return []
    },
  }
  const runSettings = (context: string) => settings.runSettings(context)
  const preparation = openPreparation({ disk, store, runSettings, hooks })
  for (const context of ['garden', 'garden', 'shed', 'garden'])
    await preparation.prepare({ context, text: 'Hi', endpoint: await settings.endpoint(context) })
  await preparation.close()

  expect(heard).toEqual([
    { from_context: 'garden', to_context: 'shed', is_transient: false },
    { from_context: 'shed', to_context: 'garden', is_transient: false },
  ])
})
