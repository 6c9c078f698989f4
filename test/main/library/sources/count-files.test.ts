import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { countFiles } from '../../../../src/main/library/sources/count-files'
import { readers } from '../../../../src/main/readers/index'

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/readers')
const { signal } = new AbortController()
/** A disk on which nothing can be opened. */
const closedDisk: Disk = {
  ...nodeDisk,
  open: (file) => Promise.reject(new Error(`${file} was opened`)),
}

it.each([
  ['claude-code', '2 conversation'],
  ['cycod', '3 conversation'],
  ['fluux', '5 conversation'],
  ['voicemode', '2 day, 3 file'],
  ['codex', '4 conversation'],
  ['copilot', '6 conversation'],
  ['cline', '2 conversation'],
  ['lm-studio', '1 conversation'],
  ['opencode', '3 conversation, 1 database'],
  ['cursor', '3 conversation, 1 database'],
  ['pi', '1 conversation'],
  ['gemini', '5 conversation'],
  ['qwen', '2 conversation'],
  ['openclaw', '2 conversation'],
  ['droid', '2 conversation'],
  ['kimi', '4 conversation'],
  ['goose', '2 conversation, 1 database'],
  ['open-webui', '1 database'],
])('counts the files of %s by their names alone', async (source, words) => {
  const reader = readers.find(({ id }) => id === source)
  if (reader === undefined) throw new Error('no such reader')
  const root = path.join(fixtures, source, 'input')
  const found = await countFiles(reader, root, closedDisk, signal)
  if (found.type !== 'counted') throw new Error(found.type)
  const { counts, bytes, newestMs } = found.files
  expect(counts.map(({ kind, count }) => `${count} ${kind}`).join(', ')).toBe(words)
  expect(bytes).toBeGreaterThan(0)
  expect(newestMs).toBeGreaterThan(0)
})

it('counts the databases of an editor, with their logs', async () => {
  const reader = readers.find(({ id }) => id === 'cursor')
  if (reader === undefined) throw new Error('no such reader')
  const root = path.join(fixtures, 'cursor/input/User')
  const found = await countFiles(reader, root, closedDisk, signal)
  const sizes = ['state.vscdb', 'state.vscdb-wal'].map(
    (name) => fs.statSync(path.join(root, 'globalStorage', name)).size,
  )
  expect(found).toMatchObject({
    type: 'counted',
    files: {
      counts: [{ kind: 'database', count: 1 }],
      bytes: sizes.reduce((sum, size) => sum + size),
    },
  })
})

it('counts a root that is one file, and tells one that is not there', async () => {
  const reader = readers.find(({ id }) => id === 'aider')
  if (reader === undefined) throw new Error('no such reader')
  const file = path.join(fixtures, 'aider/input/terrace/.aider.chat.history.md')
  expect(await countFiles(reader, file, closedDisk, signal)).toMatchObject({
    type: 'counted',
    files: { counts: [{ kind: 'file', count: 1 }] },
  })
  expect(await countFiles(reader, `${file}.gone`, closedDisk, signal)).toEqual({ type: 'missing' })
})

it('only finds a root whose reader names no files', async () => {
  expect(await countFiles({}, fixtures, closedDisk, signal)).toEqual({ type: 'there' })
  expect(await countFiles({}, path.join(fixtures, 'none'), closedDisk, signal)).toEqual({
    type: 'missing',
  })
})
