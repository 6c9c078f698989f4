import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { importCommand } from '../../src/cli/commands/sources/import'
import { appDisk } from '../../src/main/disk/app-disk'
import { historyDisk } from '../../src/main/readers/history-disk'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const zip = path.join(fixtures, 'readers/chatgpt/input/later.zip')

it('keeps exports, says where, and imports the others where one is none', async () => {
  const config = temp()
  const other = path.join(temp(), 'other.txt')
  fs.writeFileSync(other, 'no export')
  const { code, out, words } = await run(importCommand, [other, zip], { config, disk })
  const place = path.join(config, 'Skein/imports/later.zip')
  expect(code).toBe(1)
  expect(out).toBe(`later.zip (ChatGPT) was imported: ${place}\n`)
  expect(words).toContain('other.txt holds no conversations')
  expect(fs.readFileSync(place)).toEqual(fs.readFileSync(zip))
})

it('tells scripts what was imported, also what was imported before', async () => {
  const config = temp()
  const place = path.join(config, 'Skein/imports/later.zip')
  for (const isNew of [true, false]) {
    const { code, out } = await run(importCommand, [zip, '--json'], { config, disk })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      imported: [{ from: zip, sources: ['chatgpt'], place, isNew }],
    })
  }
})

it('says that not all of an export can be read, and ends with 1', async () => {
  const from = path.join(temp(), 'conversations.json')
  const one = (id: string) => ({
    id,
    title: id,
    mapping: { a: { id: 'a', parent: null, message: null } },
  })
  fs.writeFileSync(from, JSON.stringify([one('first'), one('second')]).slice(0, -20))
  for (const json of [[], ['--json']]) {
    const { code, out, words } = await run(importCommand, [from, ...json], { config: temp(), disk })
    expect(code).toBe(1)
    if (json.length === 0) expect(out).toMatch(/^conversations\.json \(ChatGPT\) was imported: /)
    else
      expect(JSON.parse(out).imported).toMatchObject([{ isNew: true, unread: expect.any(String) }])
    expect(words).toMatch(/^Not all of conversations\.json can be read: /m)
  }
})

it('needs a file', async () => {
  await expect(run(importCommand, [])).rejects.toThrow('needs a FILE')
})
