import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { exportCommand } from '../../src/cli/commands/export'
import { labelCommand } from '../../src/cli/commands/label'
import { readCommand } from '../../src/cli/commands/read'
import { importCommand } from '../../src/cli/commands/sources/import'
import { appDisk } from '../../src/main/disk/app-disk'
import { jsonlExporter } from '../../src/main/exporters/data/jsonl'
import { toExportable } from '../../src/main/exporters/parts/exporter'
import { historyDisk } from '../../src/main/readers/history-disk'
import { readers } from '../../src/main/readers/index'
import { EntryId } from '../../src/shared/model/conversation/entry'
import { entryTree, idsAt } from '../../src/shared/model/family/entry-tree'
import { entryAt, readShape, written } from '../support/exported'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)

/** Of every system's fixture. */
const roots = readers.flatMap(({ id }) => {
  const folder = path.join(fixtures, 'readers', id)
  const input = fs.existsSync(path.join(folder, 'input')) ? path.join(folder, 'input') : folder
  return ['--root', `${id}=${id === 'chibi' ? path.join(fixtures, 'chibi/home-v09') : input}`]
})

const chibi = ['--home', path.join(fixtures, 'chibi/home-v09')]
const rules = ['every-child', 'human-turns'] as const
const rootOf = (config: string) => ['--root', `skein=${importsIn(config)}`]

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const line = {
  id: 'one',
  timestamp: 1_780_000_000,
  from: 'ann',
  to: 'garden',
  content: 'Is it ripe?',
  entry_type: 'message',
  role: 'user',
}

function writeContext(home: string, name: string, lines: readonly unknown[]): void {
  const folder = path.join(home, 'contexts', name, 'transcript')
  fs.mkdirSync(folder, { recursive: true })
  const texts = lines.map((one) => `${JSON.stringify(one)}\n`)
  fs.writeFileSync(path.join(folder, 'active.jsonl'), texts.join(''))
}

/** The file of an export, and its text with other words. */
async function exportedGarden(config: string): Promise<readonly [file: string, text: string]> {
  const home = path.join(temp(), 'home')
  writeContext(home, 'garden', [line])
  const file = path.join(await exportAll(config, '--home', home), 'chibi-garden.jsonl')
  return [file, fs.readFileSync(file, 'utf8').replace('ripe', 'sour')]
}

async function entryIds(config: string, key: string, argv: readonly string[]) {
  const { out } = await run(exportCommand, [key, '--format', 'jsonl', ...argv], { config, disk })
  return out
    .trim()
    .split('\n')
    .slice(1, -1)
    .map((text) => JSON.parse(text).id as string)
}

const importsIn = (config: string) => path.join(config, 'Skein/imports')

async function exportAll(config: string, ...argv: readonly string[]): Promise<string> {
  const folder = path.join(temp(), 'out')
  await run(exportCommand, ['--all', '--format', 'jsonl', '-o', folder, ...argv], { config, disk })
  return folder
}

/** The export of what was imported. */
const exportAgain = (config: string) => exportAll(config, '--root', `skein=${importsIn(config)}`)

const textsIn = (folder: string) =>
  fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    .sort()

async function importing(config: string, ...argv: readonly string[]) {
  const { out, code } = await run(importCommand, [...argv, '--json'], { config, disk })
  return { code, imported: JSON.parse(out).imported as { conversations?: unknown }[] }
}

describe('JSONL that is imported', () => {
  it('is written again byte for byte, whatever system the conversations are of', async () => {
    const folder = await exportAll(temp(), ...roots)
    const texts = textsIn(folder)
    expect(texts.length).toBeGreaterThan(60)
    const config = temp()
    const { imported, code } = await importing(config, folder)
    expect(code).toBe(0)
    expect(imported).toMatchObject([{ sources: ['skein'], isNew: true }])
    const again = textsIn(await exportAgain(config))
    expect(again.length).toBe(texts.length)
    for (const [at, text] of again.entries()) expect(text).toBe(texts[at])
  })

  it('is written again byte for byte, however its branches are drawn', async () => {
    const config = temp()
    let count = 0
    const drawn = fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.string({ unit: 'binary' })))
    await fc.assert(
      fc.asyncProperty(drawn, fc.constantFrom(...rules), async (drawn, forkRule) => {
        const entries = drawn.map(([before, isPersons, content], at) =>
          entryAt(at + 1, {
            content,
            ...(isPersons ? {} : { role: 'agent' as const, to: 'user' }),
            parent: at === 0 ? null : EntryId.parse(`e${(before % at) + 1}`),
          }),
        )
        const tree = entryTree(entries, forkRule)
        const active = tree === undefined ? undefined : idsAt(entries, tree.active([]))
        const key = `drawn-${count++}`
        const one = { ...toExportable(readShape(entries, { key }), []), active }
        const text = await written(jsonlExporter, one, { forkRule })
        const file = path.join(temp(), 'one.jsonl')
        fs.writeFileSync(file, text)
        await importing(config, file)
        const argv = [`skein:chibi-${key}`, '--format', 'jsonl', ...rootOf(config)]
        expect((await run(exportCommand, argv, { config, disk })).out).toBe(text)
      }),
      { numRuns: 25 },
    )
  })

  it('is not doubled: in a folder, a zip or alone it is the same', async () => {
    const config = temp()
    const folder = await exportAll(temp(), ...chibi)
    const count = fs.readdirSync(folder).length
    const first = await importing(config, folder)
    expect(first.imported).toMatchObject([
      { isNew: true, conversations: { added: count, known: 0, beside: 0, others: 0 } },
    ])
    const zip = path.join(temp(), 'all.zip')
    await run(exportCommand, ['--all', '--format', 'jsonl', '-o', zip, ...chibi], { config, disk })
    const alone = path.join(folder, fs.readdirSync(folder)[0] ?? '')
    const { imported } = await importing(config, zip, alone)
    expect(imported).toMatchObject([
      { isNew: false, conversations: { added: 0, known: count } },
      { isNew: false, conversations: { added: 0, known: 1 } },
    ])
    const { out } = await run(importCommand, [zip], { config, disk })
    expect(out).toContain(`${count} conversations imported before.`)
    expect(fs.readdirSync(importsIn(config))).toHaveLength(count)
  })

  it('stands beside what was imported under its name with other contents', async () => {
    const config = temp()
    const [file = '', changed] = await exportedGarden(config)
    await importing(config, file)
    fs.writeFileSync(file, changed)
    const { imported } = await importing(config, file)
    expect(imported).toMatchObject([{ isNew: true, conversations: { added: 1, beside: 1 } }])
    const { out, words } = await run(importCommand, [file], { config, disk })
    expect([out, words]).toEqual([expect.stringContaining('imported before'), ''])
    expect(fs.readdirSync(importsIn(config)).sort()).toEqual([
      'chibi-garden (2).skein.jsonl',
      'chibi-garden.skein.jsonl',
    ])
  })

  it('brings the tags, the pin, the color, the labels and the hiding that it was exported with', async () => {
    const home = path.join(temp(), 'home')
    fs.cpSync(path.join(fixtures, 'chibi/home-v09'), home, { recursive: true })
    const before = temp()
    const [entry = ''] = await entryIds(before, 'default', ['--home', home])
    const own = ['--home', home]
    await run(contextsCommand, ['tag', 'default', 'orchard', ...own], { config: before })
    await run(contextsCommand, ['pin', 'default', ...own], { config: before })
    await run(contextsCommand, ['color', 'default', 'red', ...own], { config: before })
    await run(contextsCommand, ['hide', 'default', ...own], { config: before })
    await run(labelCommand, ['default', entry, 'begin', '--color', 'green', ...own], {
      config: before,
    })
    const folder = await exportAll(before, ...own)
    const config = temp()
    await importing(config, path.join(folder, 'chibi-default.jsonl'))
    expect(textsIn(await exportAgain(config))).toEqual([
      fs.readFileSync(path.join(folder, 'chibi-default.jsonl'), 'utf8'),
    ])
    const titles = JSON.parse(fs.readFileSync(path.join(config, 'Skein/titles.json'), 'utf8'))
    expect(titles.titles).toMatchObject([
      { key: 'skein:chibi-default', tags: ['orchard'], pinned: true },
    ])
    expect(titles.rows).toEqual([{ key: 'skein:chibi-default', color: 'red', hidden: true }])
    const labels = JSON.parse(fs.readFileSync(path.join(config, 'Skein/labels.json'), 'utf8'))
    expect(labels.labels).toMatchObject([{ entry, word: 'begin', color: 'green' }])
  })

  it('has the images of its messages in it', async () => {
    const home = path.join(temp(), 'home')
    const bytes = Buffer.from(pixel, 'base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = `attachments/${sha256}.png`
    const images = [{ file, mime: 'image/png', bytes: bytes.length, name: 'pear.png', sha256 }]
    writeContext(home, 'pear', [{ ...line, metadata: { images } }])
    const folder = path.join(home, 'contexts/pear/attachments')
    fs.mkdirSync(folder)
    fs.writeFileSync(path.join(home, 'contexts/pear', file), bytes)
    const argv = ['pear', '--format', 'jsonl', '--home', home]
    const { out } = await run(exportCommand, argv, { config: temp() })
    const [, entry = ''] = out.split('\n')
    const url = `data:image/png;base64,${pixel}`
    expect(JSON.parse(entry).metadata.images).toEqual([{ ...images[0], url }])
  })

  it('says what is not in it, and which lines of it are broken', async () => {
    const config = temp()
    const source = path.join(temp(), 'out.jsonl')
    const argv = ['default', '--format', 'jsonl', '--system', 'none', '--redact-pattern', '/a/']
    const { out } = await run(exportCommand, [...argv, ...chibi], { config: temp() })
    const end = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')
    expect(end).toMatchObject({ redacted: true, leftOut: expect.any(Number) })
    const [head, first, ...rest] = out.split('\n')
    fs.writeFileSync(source, [head, first?.slice(0, -9), ...rest].join('\n'))
    await importing(config, source)
    const { out: told } = await run(readCommand, ['--json', ...rootOf(config)], { config, disk })
    const { files, notices } = JSON.parse(told)
    expect(files[0].damaged).toHaveLength(1)
    expect(notices.map(({ notice }: { notice: string }) => notice)).toEqual([
      expect.stringMatching(/^This is an export of “.*” of chibi\.$/),
      '1 entry of the export cannot be read.',
      expect.stringMatching(/^Not in the export: \d+ entr(?:y|ies) that (?:was|were) left out\.$/),
      'What looked like a secret was replaced in it.',
    ])
  })

  it('is refused where a newer Skein wrote it, and where it is none nothing is copied', async () => {
    const config = temp()
    const file = path.join(temp(), 'one.jsonl')
    for (const [head, words] of [
      ['{"skeinExport":2,"source":"chibi","key":"a"}', 'exported by a newer Skein'],
      ['{"skeinExport":"1","source":"chibi","key":"a"}', 'holds no conversations'],
    ] as const) {
      fs.writeFileSync(file, `${head}\n`)
      const ran = await run(importCommand, [file], { config, disk })
      expect([ran.code, ran.words]).toEqual([1, expect.stringContaining(words)])
    }
    expect(fs.existsSync(importsIn(config))).toBe(false)
  })
})
