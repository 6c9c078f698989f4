import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { exportCommand } from '../../src/cli/commands/export'
import { labelCommand } from '../../src/cli/commands/label'
import { importCommand } from '../../src/cli/commands/sources/import'
import { appDisk } from '../../src/main/disk/app-disk'
import { historyDisk } from '../../src/main/readers/history-disk'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { run } from './run'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const secret = 'C:\\Users\\annsecret'

/** An export whose lines have a folder of Windows in them, imported. */
async function importedExport(head: object = {}, entry: object = {}, end: object = {}) {
  const config = temp()
  const file = path.join(temp(), 'one.jsonl')
  const lines = [
    {
      ...{ skeinExport: 1, source: 'codex', key: 'garden', title: 'Garden' },
      ...{ project: `${secret}\\x`, created: '2026-09-10T09:00:00.000Z', models: [] },
      ...{ parent: null, forkRule: 'every-child' },
      ...head,
    },
    {
      ...{ id: 'one', timestamp: 1_789_030_800, from: 'user', to: 'garden' },
      ...{ content: `Is "${secret}\\x" ripe?`, entry_type: 'message', role: 'user' },
      ...{ file: 'a.jsonl', line: 1, offset: 0, length: 9, parent: null, ...entry },
    },
    { skeinExportEnd: 1, entries: 1, brokeOff: true, ...end },
  ]
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await run(importCommand, [file], { config, disk })
  const root = ['--root', `skein=${path.join(config, 'Skein/imports')}`]
  const exported = async (...argv: readonly string[]) => {
    const given = ['skein:codex-garden', '--format', 'jsonl', ...argv, ...root]
    return (await run(exportCommand, given, { config, disk })).out
  }
  return { config, root, exported }
}

const parsed = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

it('redacts in the first line of an earlier export what JSON has to escape', async () => {
  const seen = [secret]
  const nested = { seen, [`of ${secret}`]: 1, parent: { key: `${secret} "a"`, entries: 1 } }
  const { exported } = await importedExport({ ...nested, created: [secret] })
  const out = await exported('--redact-pattern', secret)
  expect(out).not.toContain('annsecret')
  const [head] = parsed(out)
  expect(head.project).toMatch(/^\[redacted: .*\]\\x$/)
  expect(head.parent).toMatchObject({ entries: 1, key: expect.stringMatching(/ "a"$/) })
})

it('keeps the lines of an earlier export in form, whatever an own pattern matches', async () => {
  const { exported } = await importedExport()
  const lines = parsed(await exported('--redact-pattern', '/[a-z0-9":{},-]+/i'))
  expect(lines).toMatchObject([
    { skeinExport: 1, source: 'codex', forkRule: 'every-child', created: expect.any(String) },
    { id: 'one', entry_type: 'message' },
    { skeinExportEnd: 1, entries: 1, brokeOff: true, redacted: true },
  ])
})

it('writes no label that is too long to come back in', async () => {
  const { config, root, exported } = await importedExport()
  const argv = ['skein:codex-garden', 'one', 'a b c d e f g h', ...root]
  await run(labelCommand, argv, { config, disk })
  const [, entry] = parsed(await exported('--redact-pattern', '/[a-h]/'))
  expect(entry.label.word).toMatch(/^\[redacted/)
  expect(entry.label.word).toHaveLength(40)
})

it('redacts in what a cycod history says of itself what JSON has to escape', async () => {
  const folder = path.join(temp(), 'history')
  fs.mkdirSync(folder)
  const meta = { title: 'Plums', titleLocked: true, folder: `${secret}\\x` }
  const message = { role: 'user', content: 'Are they ripe?' }
  const lines = [{ _meta: meta }, message].map((line) => `${JSON.stringify(line)}\n`)
  fs.writeFileSync(path.join(folder, 'chat-history-1780000000000.jsonl'), lines.join(''))
  const argv = ['--format', 'cycod', '--root', `cycod=${folder}`, '--redact-pattern', secret]
  const { out } = await run(exportCommand, ['chat-history-1780000000000', ...argv], {
    config: temp(),
    disk,
  })
  expect(out).toContain('"titleLocked":true')
  expect(out).toContain('[redacted')
  expect(out).not.toContain('annsecret')
})

it('says in the last line that times and reasoning were left out, also of what was left out before', async () => {
  const { exported } = await importedExport({}, {}, { withoutReasoning: true })
  const [, , end] = parsed(await exported('--times', 'none'))
  expect(end).toMatchObject({ withoutTimes: true, withoutReasoning: true })
  const whole = await importedExport()
  expect(await whole.exported()).not.toContain('without')
  const [, , other] = parsed(await whole.exported('--reasoning', 'none'))
  expect(other).toMatchObject({ withoutReasoning: true })
  expect(other).not.toHaveProperty('withoutTimes')
})
