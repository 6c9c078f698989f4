import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Command } from '../../src/cli/command/command'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { exportCommand } from '../../src/cli/commands/export'
import { labelCommand } from '../../src/cli/commands/label'
import { listCommand } from '../../src/cli/commands/list'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { backupCommand } from '../../src/cli/commands/sources/backup'
import { importCommand } from '../../src/cli/commands/sources/import'
import { snapshotCommand } from '../../src/cli/commands/sources/snapshot'
import { statsCommand } from '../../src/cli/commands/stats'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../src/main/disk/unpack/unpacking-disk'
import { trustKeeper } from '../../src/main/plugins/trust'
import { historyDisk } from '../../src/main/readers/history-disk'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders(memoryFolder)
const before = process.umask()
afterEach(() => {
  process.umask(before)
})

/** The permissions of all that lies below a folder, and of itself. */
function modesBelow(folder: string): ReadonlyMap<string, number> {
  const names = ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })]
  return new Map(names.map((name) => [name, fs.statSync(path.join(folder, name)).mode & 0o777]))
}

it.skipIf(process.platform === 'win32').each([0, 0o022, 0o077])(
  'titles, tags, labels, imports, backups, caches, trust and snapshots are for their owner alone, and exports go by the umask: %o',
  async (umask) => {
    const folder = temp()
    const home = path.join(folder, 'home')
    fs.cpSync(path.join(fixtures, 'chibi/home-v010'), home, { recursive: true })
    for (const name of modesBelow(home).keys()) {
      const target = path.join(home, name)
      fs.chmodSync(target, fs.statSync(target).isDirectory() ? 0o700 : 0o600)
    }
    const claude = path.join(folder, 'claude')
    fs.cpSync(path.join(fixtures, 'readers/claude-code/input'), claude, { recursive: true })
    const [config, cache] = [path.join(folder, 'config'), path.join(folder, 'cache')]
    const skein = (command: Command, ...words: readonly string[]) =>
      run(command, [...words, '--home', home], { config, cache })
    const [{ key: name }] = JSON.parse((await skein(listCommand, '--json')).out).conversations
    const [{ id }] = JSON.parse((await skein(showCommand, name, '--json')).out).entries

    process.umask(umask)
    await skein(contextsCommand, 'tag', name, 'spring')
    await skein(contextsCommand, 'title', name, 'Two beds')
    await skein(contextsCommand, 'pin', name)
    await skein(labelCommand, name, id, 'plan')
    const zip = path.join(fixtures, 'readers/chatgpt/input/later.zip')
    await run(importCommand, [zip], { config, disk: historyDisk(unpackingDisk(nodeDisk)) })
    await run(backupCommand, ['on', 'claude-code', '--root', `claude-code=${claude}`], {
      config,
      cache,
    })
    await skein(searchCommand, 'the')
    await skein(statsCommand)
    await trustKeeper(nodeDisk, path.join(config, 'Skein'), home).trust('run-me', 'a'.repeat(64))
    const out = path.join(folder, 'out')
    fs.mkdirSync(out)
    await skein(snapshotCommand, 'take', out)
    const [snapshot = ''] = fs.readdirSync(out)
    await skein(snapshotCommand, 'restore', path.join(out, snapshot), path.join(out, 'restored'))

    for (const root of [
      home,
      config,
      cache,
      path.join(out, snapshot),
      path.join(out, 'restored'),
    ]) {
      const isFile = fs.statSync(root).isFile()
      const modes = isFile ? new Map([['.', fs.statSync(root).mode & 0o777]]) : modesBelow(root)
      const open = [...modes].filter(([, mode]) => (mode & 0o077) !== 0)
      expect([root, open]).toEqual([root, []])
    }
    const made = [
      ...modesBelow(config).keys(),
      ...modesBelow(home).keys(),
      ...modesBelow(cache).keys(),
    ]
    for (const wanted of ['titles.skein.json', 'settings.json', 'later.zip', 'trusted-plugins'])
      expect(made.map((one) => path.basename(one))).toContain(wanted)
    expect(made.some((one) => one.includes('/backups/'))).toBe(true)
    expect(modesBelow(cache).size).toBeGreaterThan(2)

    const file = path.join(out, 'garden.md')
    await skein(exportCommand, name, '-o', file, '--format', 'md')
    expect((fs.statSync(file).mode & 0o777).toString(8)).toBe((0o666 & ~umask).toString(8))
  },
)
