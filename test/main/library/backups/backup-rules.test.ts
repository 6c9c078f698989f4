import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { backUpRoot, backupRootsFor } from '../../../../src/main/library/backups'
import type { HistoryReader } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { readRoot } from '../../../../src/main/readers/read-root'
import { treeOf } from '../../../support/file-tree'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const fixtures = path.join(__dirname, '../../../fixtures/readers')
const temp = tempFolders(memoryFolder)
const { signal } = new AbortController()

const backedUp = readers.flatMap((reader) =>
  reader.backup === undefined ? [] : [{ id: reader.id, reader, rule: reader.backup }],
)

const read = (reader: HistoryReader, root: string) =>
  readRoot(reader, root, historyDisk(appDisk), signal)

it('the systems that delete are known, and can be backed up', () => {
  const deleting = backedUp.filter(({ rule }) => rule.deletes !== undefined).map(({ id }) => id)
  expect(deleting).toEqual(expect.arrayContaining(['claude-code', 'gemini']))
})

it.each(backedUp)(
  'a backup of $id reads the same once the original is gone, and touches nothing there',
  async ({ id, reader, rule }) => {
    const root = path.join(temp(), 'home')
    fs.cpSync(path.join(fixtures, id, 'input'), root, { recursive: true, preserveTimestamps: true })
    const archive = path.join(temp(), 'backups')
    const files = treeOf(root)
    const before = await read(reader, root)
    const done = await backUpRoot(
      { disk: nodeDisk, archive },
      { source: id, path: root },
      rule,
      signal,
    )
    expect(done).toMatchObject({ changed: 0, gone: 0, failed: [], earlier: 0 })
    expect(treeOf(root)).toEqual(files)

    fs.rmSync(root, { recursive: true })
    const roots = await backupRootsFor(nodeDisk, archive, [{ source: id, path: root }], {
      note: (words) => expect.unreachable(words),
    })
    expect(roots).toMatchObject([{ source: id, backup: { of: root, version: 'newest' } }])
    expect(await read(reader, roots[0]?.path ?? '')).toEqual(before)
  },
)

it('copies the outputs that Gemini CLI saves, in every place where its versions put them', async () => {
  const root = path.join(temp(), '.gemini')
  fs.cpSync(path.join(fixtures, 'gemini/input'), root, { recursive: true })
  const outputs = ['a.output', 'tool-outputs/b.txt', 'tool-outputs/session-c/d.txt']
  const others = ['shell_history', 'chats/e.output', 'f/g.output']
  for (const name of [...outputs, ...others]) {
    const file = path.join(root, 'tmp/roses', name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, 'said')
  }
  const rule = backedUp.find(({ id }) => id === 'gemini')?.rule
  if (rule === undefined) throw new Error('Gemini CLI cannot be backed up')
  for (const [below, place] of [
    ['', 'tmp/roses'],
    ['tmp', 'roses'],
    ['tmp/roses', ''],
  ] as const) {
    const archive = path.join(temp(), 'backups')
    const source = { source: 'gemini', path: path.join(root, below) } as const
    await backUpRoot({ disk: nodeDisk, archive }, source, rule, signal)
    const copied = Object.keys(treeOf(archive)).join('\n')
    for (const name of outputs) expect(copied).toContain(path.posix.join('now', place, name))
    for (const name of others) expect(copied).not.toContain(path.posix.join('now', place, name))
  }
})

it('copies nothing that its reader does not read, such as keys', async () => {
  const root = path.join(temp(), '.claude')
  fs.cpSync(path.join(fixtures, 'claude-code/input'), root, { recursive: true })
  const secrets = ['.credentials.json', 'settings.json', 'history.jsonl', 'projects/.env']
  for (const name of [...secrets, 'projects/-home-ann-garden/memory.md'])
    fs.writeFileSync(path.join(root, name), 'secret')
  const archive = path.join(temp(), 'backups')
  const rule = readers.find(({ id }) => id === 'claude-code')?.backup
  if (rule === undefined) throw new Error('there is no rule')
  await backUpRoot({ disk: nodeDisk, archive }, { source: 'claude-code', path: root }, rule, signal)
  const contents = Object.values(treeOf(archive)).map(({ text }) => text ?? '')
  expect(contents.some((text) => text.includes('secret'))).toBe(false)
  expect(contents.length).toBeGreaterThan(3)
})
