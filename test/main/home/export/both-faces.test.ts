import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportCommand } from '../../../../src/cli/commands/export'
import { openWorkToEnd } from '../../../../src/main/compose/ending-work'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { Home } from '../../../../src/main/home/home'
import { exportHandlers } from '../../../../src/main/ipc/handlers/exports'
import { openLabels } from '../../../../src/main/library/families/labels'
import { openTitles } from '../../../../src/main/library/families/titles'
import { LibraryKey, libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { fixtures, run } from '../../../cli/run'
import { equalFormats } from '../../../support/exported'
import { openTestHome } from '../../../support/home'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const folder = tempFolders(memoryFolder)
let base = ''
let home: Home

const places = () => ({
  chibi: path.join(base, 'chibi'),
  // Where the command line looks for what a person set.
  config: path.join(base, 'config'),
  user: path.join(base, 'config/Skein'),
  cycod: path.join(base, 'cycod'),
  fluux: path.join(base, 'fluux'),
  voicemode: path.join(base, 'voicemode'),
})

const others = ['cycod', 'fluux', 'voicemode'] as const
let keys: readonly LibraryKey[] = []

beforeAll(async () => {
  base = fs.mkdtempSync(path.join(memoryFolder, 'skein-both-faces-'))
  const { chibi, user } = places()
  fs.cpSync(path.join(fixtures, 'chibi/home-v09'), chibi, { recursive: true })
  for (const source of others)
    fs.cpSync(path.join(fixtures, 'readers', source, 'input'), places()[source], {
      recursive: true,
    })
  const titles = openTitles({ disk: nodeDisk, home: chibi, userFolder: user })
  await titles.give(LibraryKey.parse('default'), { title: 'A given title', by: 'person', at: 1 })
  home = await openTestHome(base, {
    home: chibi,
    userFolder: user,
    roots: others.map((source) => ({ source, path: places()[source] })),
  })
  keys = (await home.library.all(false)).map(({ key }) => key)
  await titles.changeTags(
    keys.find((key) => key.startsWith('cycod:')) ?? keys[0] ?? never(),
    () => ['herbs'],
  )
  const labels = openLabels({ disk: nodeDisk, home: chibi, userFolder: user })
  for (const key of keys) {
    const { rows } = await home.transcripts.page(key, 'start', 50)
    const [first] = rows.flatMap((row) => (row.type === 'entry' ? [row.entry.id] : []))
    if (first !== undefined) await labels.set(key, first, { word: 'to file', color: 'red' })
  }
})

afterAll(async () => {
  await home.close()
  fs.rmSync(base, { recursive: true, force: true })
})

function never(): never {
  throw new Error('there is no conversation')
}

/** What the window's calls do, with these answers of the system's dialogs. */
function inWindow(file: string) {
  return exportHandlers(
    () => home,
    { file: async () => file, folder: async () => file, shown: (place) => place },
    { progress: () => undefined },
    openWorkToEnd(),
    async () => [],
  )
}

async function atCommandLine(...argv: readonly string[]) {
  const { chibi, config } = places()
  const roots = others.flatMap((source) => ['--root', `${source}=${places()[source]}`])
  return run(exportCommand, [...argv, '--home', chibi, ...roots], { config })
}

function contentOf(target: string): ReadonlyMap<string, string> {
  return new Map(
    fs
      .readdirSync(target)
      .sort()
      .map((name) => [name, fs.readFileSync(path.join(target, name)).toString('latin1')]),
  )
}

describe.each(equalFormats)('an export as %s', (format) => {
  it('has the same bytes from the window and from the command line, of one conversation', async () => {
    expect(keys.length).toBeGreaterThan(4)
    for (const key of keys) {
      const target = folder()
      const window = path.join(target, 'window')
      const saved = await inWindow(window).save({ key, format })
      const { words } = await atCommandLine(
        key.includes(':') ? key : `chibi:${key}`,
        ...['--format', format, '-o', path.join(target, 'line')],
      )
      const bytes = fs.readFileSync(window)
      expect([key, bytes.equals(fs.readFileSync(path.join(target, 'line')))]).toEqual([key, true])
      expect(bytes.length).toBe(saved?.bytes)
      expect(words).toContain(`${saved?.entries} entries, ${saved?.bytes} bytes in `)
    }
  })

  it('has the same files with the same bytes, of several', async () => {
    const [window, line] = [folder(), folder()]
    const { out, words } = await atCommandLine('--all', '--json', '--format', format, '-o', line)
    const { files } = JSON.parse(out) as { files: { source: string; key: string }[] }
    // In its order: names that are taken get numbers.
    const ordered = files.map(({ source, key }) => libraryKeyOf(source, key))
    expect([...ordered].sort()).toEqual([...keys].sort())
    const saved = await inWindow(window).saveAll({ keys: ordered, format, into: 'folder' })
    expect(saved).toMatchObject({ conversations: keys.length, stopped: false })
    const written = contentOf(line)
    expect(written.size).toBe(keys.length)
    expect([...contentOf(window).keys()].sort()).toEqual([...written.keys()].sort())
    for (const [name, bytes] of contentOf(window))
      expect([name, written.get(name)]).toEqual([name, bytes])
    // What is lost is told in the same words.
    for (const { sentence } of saved?.losses.losses ?? []) expect(words).toContain(sentence)
  })
})

it('has what only the entries and the reader tell: models, and the conversation that it was forked from', async () => {
  const key = libraryKeyOf('chibi', 'default')
  const file = path.join(folder(), 'out.json')
  await inWindow(file).save({ key, format: 'json' })
  const [conversation] = JSON.parse(fs.readFileSync(file, 'utf8')).conversations
  expect(conversation).toMatchObject({ title: 'A given title', storedTitle: 'A given title' })
  const models = new Set<unknown>()
  for (const { metadata } of conversation.entries) if (metadata?.model) models.add(metadata.model)
  expect(conversation.models).toEqual([...models])
})
