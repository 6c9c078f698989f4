import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../../src/main/disk/interface/disk'
import { DiskError } from '../../../../../src/main/disk/interface/disk'
import {
  anyName,
  findLaid,
  type Layout,
} from '../../../../../src/main/readers/common/sessions/layout'
import { memoryDisk } from '../../../../support/memory-disk'

const signal = new AbortController().signal
const lines = /\.jsonl$/
const layouts: readonly Layout[] = [
  ['projects', anyName, 'chats', lines],
  ['projects', anyName, 'agents', anyName, lines],
]
const files = [
  'projects/garden/chats/a.jsonl',
  'projects/garden/chats/notes.txt',
  'projects/garden/agents/a/b.jsonl',
  'projects/orchard/chats/c.jsonl',
  'projects/orchard/.chats/d.jsonl',
  'settings/chats/e.jsonl',
]

function diskWith(names: readonly string[]): Disk {
  const disk = memoryDisk()
  for (const name of names) disk.put(path.posix.join('/home/.tool', name), Buffer.from('{}\n'))
  return disk
}

async function found(root: string, disk: Disk = diskWith(files)) {
  const laid = await findLaid(layouts, path.posix.join('/home/.tool', root), disk, signal)
  const all: [file: string, layout: number, names: string][] = []
  if (laid !== undefined)
    for await (const { file, layout, names } of laid.files)
      all.push([
        path.posix.relative('/home/.tool', path.join(laid.base, file)),
        layout,
        names.join(' '),
      ])
  return all
}

const garden = ['projects/garden/chats/a.jsonl', 0, 'projects garden chats a.jsonl']
const agent = ['projects/garden/agents/a/b.jsonl', 1, 'projects garden agents a b.jsonl']
const orchard = ['projects/orchard/chats/c.jsonl', 0, 'projects orchard chats c.jsonl']

describe('files along layouts', () => {
  it('are found from the system’s own folder, and from every folder on the way', async () => {
    expect(await found('')).toEqual([garden, orchard, agent])
    expect(await found('projects')).toEqual([garden, orchard, agent])
    expect(await found('projects/garden')).toEqual([garden, agent])
    expect(await found('projects/garden/chats')).toEqual([garden])
    expect(await found('projects/garden/agents')).toEqual([agent])
    expect(await found('projects/orchard')).toEqual([orchard])
    expect(await found('nowhere')).toEqual([])
  })

  it('are found as one file, by the layout that its path is most like', async () => {
    expect(await found('projects/garden/agents/a/b.jsonl')).toEqual([agent])
    expect(await found('projects/garden/chats/a.jsonl')).toEqual([garden])
    expect(await found('settings/chats/e.jsonl')).toEqual([
      ['settings/chats/e.jsonl', 0, '.tool settings chats e.jsonl'],
    ])
    expect((await found('projects/garden/chats/notes.txt')).map(([file]) => file)).toEqual([
      'projects/garden/chats/notes.txt',
    ])
  })

  it('are found in a copy under another name, each file once', async () => {
    const copy = diskWith(['copy/x.jsonl', 'copy/garden/chats/a.jsonl'])
    expect((await found('copy', copy)).map(([file]) => file)).toEqual([
      'copy/x.jsonl',
      'copy/garden/chats/a.jsonl',
    ])
  })

  it('are all found before a folder that cannot be listed is reported', async () => {
    const disk = diskWith(files)
    const denying: Disk = {
      ...disk,
      list: (folder) =>
        folder.endsWith('garden/chats')
          ? Promise.reject(new DiskError('denied', folder, `${folder} cannot be used`))
          : disk.list(folder),
    }
    const laid = await findLaid(layouts, '/home/.tool', denying, signal)
    const seen: string[] = []
    const all = async () => {
      for await (const { file } of laid?.files ?? []) seen.push(file)
    }
    await expect(all()).rejects.toMatchObject({ code: 'unreadable' })
    expect(seen).toEqual([orchard[0], agent[0]])
  })
})
