import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openPromptRecord } from '../../../../src/main/store/texts/prompt-record'
import { faultyDisk } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
let folder: string
let home: string
beforeEach(() => {
  home = temp()
  folder = path.join(home, 'contexts', 'garden')
  fs.mkdirSync(folder, { recursive: true })
})
const meta = () => path.join(folder, 'context_meta.json')
const readMeta = () => JSON.parse(fs.readFileSync(meta(), 'utf8'))
const record = (disk = nodeDisk) => openPromptRecord(disk, home, 'garden')
const own = (text: string, seconds: number) => {
  const file = path.join(folder, 'system_prompt.md')
  fs.writeFileSync(file, text)
  fs.utimesSync(file, seconds, seconds)
}

it('a first run changes nothing, and is taken down in chibi’s keys', async () => {
  own('Be kind.', 1000)
  const first = await record()
  expect(first.isChanged('Be kind.')).toBe(false)
  await first.keep('Be kind.', 'Be kind.\n\nAll of it')
  expect(readMeta()).toEqual({
    system_prompt_md_mtime: 1000,
    last_combined_prompt: 'Be kind.\n\nAll of it',
    skein_prompt: 'Be kind.',
  })
  expect(fs.readFileSync(meta(), 'utf8')).toContain('\n  "last_combined_prompt"')
})

it('tells a change by the text where it was ours that wrote, and none for a file that was touched', async () => {
  own('Be kind.', 1000)
  await (await record()).keep('Be kind.', 'Be kind.')
  own('Be kind.', 2000)
  expect((await record()).isChanged('Be kind.')).toBe(false)
  own('Be', 2000)
  expect((await record()).isChanged('Be')).toBe(true)
  fs.rmSync(path.join(folder, 'system_prompt.md'))
  expect((await record()).isChanged('')).toBe(true)
})

it('tells a change by the time of the file where chibi wrote last, as chibi does', async () => {
  own('Be kind.', 1000)
  fs.writeFileSync(meta(), '{"system_prompt_md_mtime": 1000, "last_combined_prompt": "x"}')
  expect((await record()).isChanged('Be kind.')).toBe(false)
  own('Be kind.', 1001)
  expect((await record()).isChanged('Be kind.')).toBe(true)
})

it('writes nothing where nothing is new, or nothing ever was, and keeps keys that are not ours', async () => {
  await (await record()).keep('', '')
  expect(fs.existsSync(meta())).toBe(false)
  fs.writeFileSync(meta(), '{"created_at": 7}')
  await (await record()).keep('Be', 'Be')
  expect(readMeta()).toEqual({ created_at: 7, last_combined_prompt: 'Be', skein_prompt: 'Be' })
  const disk = faultyDisk(nodeDisk)
  await (await record(disk)).keep('Be', 'Be')
  expect(disk.calls()).toBe(0)
})

it('leaves the file whole when the disk fails at any call', async () => {
  fs.writeFileSync(meta(), '{"created_at": 7}')
  const before = fs.readFileSync(meta(), 'utf8')
  for (let at = 1; ; at++) {
    const disk = faultyDisk(nodeDisk, { at, fault: 'no-space' })
    const failed = await (await record(disk)).keep('Be', 'Be').then(
      () => false,
      () => true,
    )
    if (!failed) break
    expect([before, readMeta().skein_prompt === 'Be' ? 'new' : before]).toContain(
      fs.readFileSync(meta(), 'utf8') === before ? before : 'new',
    )
    fs.writeFileSync(meta(), before)
  }
})
