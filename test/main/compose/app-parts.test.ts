import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readAppParts } from '../../../src/main/compose/app-parts'
import { openUpdates } from '../../../src/main/compose/updates'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { tempFolders } from '../../support/temp-folder'

const tempFolder = tempFolders()
const versions = { electron: '45.5.0', chrome: '150.0.1', node: '24.1.0', v8: '15' }

const off = { place: async () => ({ type: 'off' as const }) }

function list(folder: string, part: string, names: readonly string[]): void {
  fs.mkdirSync(path.join(folder, part))
  const packages = names.map((name) => ({ name, version: '1.0.0', license: 'MIT', words: 'Yes.' }))
  fs.writeFileSync(path.join(folder, part, 'bundled.json'), JSON.stringify(packages))
}

it('names what main, preload and page bundle, each once, by name', async () => {
  const folder = tempFolder()
  list(folder, 'main', ['zod', 'openai'])
  list(folder, 'preload', ['zod'])
  list(folder, 'renderer', ['react', 'zod'])

  const parts = await readAppParts(nodeDisk, folder, versions, off)

  expect(parts.packages.map(({ name }) => name)).toEqual(['openai', 'react', 'zod'])
  expect(parts).toMatchObject({ electron: '45.5.0', chromium: '150.0.1', node: '24.1.0' })
})

it('has what there is where a part has no list, as the page of a development server', async () => {
  const folder = tempFolder()
  list(folder, 'main', ['openai'])

  const { packages } = await readAppParts(nodeDisk, folder, versions, off)

  expect(packages).toEqual([{ name: 'openai', version: '1.0.0', license: 'MIT', words: 'Yes.' }])
})

it.each(['{"feed":', '{"feed": "ftp://skein.example/"}'])(
  'has versions and licences where the place of updates is %s',
  async (words) => {
    const folder = tempFolder()
    list(folder, 'main', ['openai'])
    fs.writeFileSync(path.join(folder, 'update-feed.json'), words)
    const place = { resources: folder, version: '0.1.0', platform: 'linux' as const }

    const parts = await readAppParts(
      nodeDisk,
      folder,
      versions,
      openUpdates({ disk: nodeDisk, ...place }),
    )

    expect(parts).toMatchObject({ node: '24.1.0', updates: { type: 'unreadable' } })
    expect(parts.packages).toHaveLength(1)
  },
)
