import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Disk, DiskFile } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { TranscriptFile } from '../../../../src/main/store/files/context-files'
import { FileMovedError } from '../../../../src/main/store/lines/file-facts'
import { readTranscriptEnds } from '../../../../src/main/store/reading/transcript-ends'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

function line(timestamp: number | null, content = 'words'): string {
  const entry = { id: `id-${timestamp}`, timestamp, from: 'a', to: 'b', content }
  return `${JSON.stringify({ ...entry, entry_type: 'message', metadata: {} })}\n`
}

async function written(name: string, text: string, root = folder()): Promise<TranscriptFile> {
  const file = path.join(root, name)
  fs.writeFileSync(file, text)
  const stat = await nodeDisk.stat(file)
  if (stat === undefined) throw new Error('it was just written')
  const { sizeBytes, mtimeMs, identity } = stat
  return { path: file, place: name, kind: 'active', sizeBytes, mtimeMs, identity }
}

/** The real disk, and the files that are open on it and were. */
function watched() {
  const opened: string[] = []
  const open = new Set<DiskFile>()
  const disk: Disk = {
    ...nodeDisk,
    async open(target, mode) {
      const file = await nodeDisk.open(target, mode)
      opened.push(path.basename(target))
      const own: DiskFile = {
        ...file,
        close() {
          open.delete(own)
          return file.close()
        },
      }
      open.add(own)
      return own
    },
  }
  return { disk, opened, open }
}

it('tells both ends of one file, and opens it once', async () => {
  const { disk, opened, open } = watched()
  const file = await written('active.jsonl', line(10) + line(20) + line(30))
  expect(await readTranscriptEnds(disk, [file], { first: true, words: true })).toEqual({
    first: 10,
    last: 30,
    words: 'words',
  })
  expect(await readTranscriptEnds(disk, [file], { first: false, words: false })).toEqual({
    first: undefined,
    last: 30,
    words: undefined,
  })
  expect(opened).toEqual(['active.jsonl', 'active.jsonl'])
  expect(open.size).toBe(0)
})

it('looks on in the files beside where one tells no time, from either end', async () => {
  const root = folder()
  const files = [
    await written('1.jsonl', 'noise\n', root),
    await written('2.jsonl', line(null) + line(10) + line(20), root),
    await written('3.jsonl', '', root),
    await written('4.jsonl', line(30) + line(null), root),
    await written('5.jsonl', line(null), root),
  ]
  const { disk, opened, open } = watched()
  expect(await readTranscriptEnds(disk, files, { first: true, words: false })).toEqual({
    first: 10,
    last: 30,
    words: undefined,
  })
  expect(opened).toEqual(['1.jsonl', '2.jsonl', '5.jsonl', '4.jsonl'])
  expect(open.size).toBe(0)
})

it('finds ends in lines that are longer than what is read at once', async () => {
  const long = 'ü'.repeat(150_000)
  const file = await written('active.jsonl', line(10, long) + line(20) + line(30, long).trimEnd())
  expect(await readTranscriptEnds(nodeDisk, [file], { first: true, words: true })).toEqual({
    first: 10,
    last: 30,
    words: expect.stringMatching(/^ü+…$/),
  })
})

it('leaves nothing open where a file is another one meanwhile', async () => {
  const root = folder()
  const first = await written('1.jsonl', line(10), root)
  const second = await written('2.jsonl', line(20), root)
  fs.renameSync(first.path, `${second.path}.new`)
  fs.renameSync(`${second.path}.new`, second.path)
  const { disk, open } = watched()
  await expect(
    readTranscriptEnds(disk, [second], { first: true, words: false }),
  ).rejects.toBeInstanceOf(FileMovedError)
  await expect(
    readTranscriptEnds(disk, [first], { first: true, words: false }),
  ).rejects.toBeInstanceOf(FileMovedError)
  expect(open.size).toBe(0)
})

it('reads the first words of a person, past what the system wrote before and damaged lines', async () => {
  const said = { from: 'mira', to: 'chat', entry_type: 'message', timestamp: 5 }
  const text = [
    JSON.stringify({ ...said, id: '1', entry_type: 'context_created', content: 'Context created' }),
    'noise',
    JSON.stringify({
      ...said,
      id: '2',
      role: 'user',
      content: '[20261128-1048+0200]  Plant\n tulips',
    }),
    JSON.stringify({ ...said, id: '3', role: 'user', content: 'Later' }),
  ].join('\n')
  const file = await written('active.jsonl', `${text}\n`)
  const { words } = await readTranscriptEnds(nodeDisk, [file], { first: false, words: true })
  expect(words).toBe('Plant tulips')
  const machine = await written(
    '2.jsonl',
    `${JSON.stringify({ ...said, id: '4', role: 'agent', content: 'Hi' })}\n`,
  )
  const none = await readTranscriptEnds(nodeDisk, [machine], { first: false, words: true })
  expect(none.words).toBeUndefined()
})
