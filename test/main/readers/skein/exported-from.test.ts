import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { skeinReader } from '../../../../src/main/readers/skein/skein'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()

const head = { skeinExport: 1, source: 'chibi', key: 'garden', title: 'Garden' }
const entry = (id: string, content = 'ripe') => ({
  ...{ id, timestamp: 1_780_000_000, from: 'ann', to: 'garden', content },
  ...{ entry_type: 'message', role: 'user', file: 'a.jsonl', line: 1, offset: 0, length: 9 },
})
const end = (entries: number, more: object = {}) => ({ skeinExportEnd: 1, entries, ...more })

/** What the reader notices in an export of these lines, but for where it comes from, and the number of entries. */
async function noticed(...lines: readonly object[]) {
  const folder = temp()
  const texts = lines.map((line) => `${JSON.stringify(line)}\n`)
  fs.writeFileSync(path.join(folder, 'garden.jsonl'), texts.join(''))
  const notices: string[] = []
  let entries = 0
  for await (const ref of skeinReader.list(folder, disk, signal))
    for await (const fact of requireWhole(skeinReader.read(ref, disk, signal)))
      if (fact.type === 'entry') entries += 1
      else if (fact.type === 'notice') notices.push(fact.notice)
  return [entries, ...notices.slice(1)]
}

it('notices nothing in an export as it was written', async () => {
  expect(await noticed(head, entry('a'), end(1))).toEqual([1])
})

it('notices entries that the last line does not count', async () => {
  expect(await noticed(head, entry('a'), entry('b'), end(1))).toEqual([
    2,
    'It has 1 entry more than its last line says: the file was changed.',
  ])
})

it('notices entries behind the last line', async () => {
  expect(await noticed(head, entry('a'), end(3), entry('b'), entry('c'))).toEqual([
    3,
    '2 entries stand behind its last line.',
  ])
})

it('notices several exports in one file', async () => {
  expect(await noticed(head, entry('a'), end(1), head, entry('b'), end(1))).toEqual([
    2,
    'It has 1 entry more than its last line says: the file was changed.',
    'It has 2 first lines: the first one counts.',
    'It has 2 last lines: the last one counts.',
    '1 entry stands behind its last line.',
  ])
})

it('notices a line that is there twice', async () => {
  expect(await noticed(head, entry('a'), entry('a'), end(1))).toEqual([
    1,
    '1 line is there more than once, byte for byte: each counts once.',
  ])
  expect(await noticed(head, entry('a'), entry('a', 'sour'), end(1))).toEqual([
    2,
    'It has 1 entry more than its last line says: the file was changed.',
  ])
})

it('notices that times and reasoning were left out', async () => {
  const without = { withoutTimes: true, withoutReasoning: true }
  expect(await noticed(head, entry('a'), end(1, without))).toEqual([
    1,
    'The times of its entries were left out.',
    'The reasoning in its entries was left out.',
  ])
})
