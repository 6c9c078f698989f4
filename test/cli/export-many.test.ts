import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportCommand } from '../../src/cli/commands/export'
import { appDisk } from '../../src/main/disk/app-disk'
import { type Disk, DiskError } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { readZipDirectory } from '../../src/main/disk/unpack/zip-directory'
import { zipMembersFolder } from '../../src/main/disk/unpack/zip-path'
import { historyDisk } from '../../src/main/readers/history-disk'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders()
const home = ['--home', `${fixtures}/chibi/home-v09`]
const cycod = ['--root', `cycod=${fixtures}/readers/cycod/input`]
const voicemode = ['--root', `voicemode=${fixtures}/readers/voicemode/basic`]

const exported = (...argv: readonly string[]) => run(exportCommand, argv, { config: temp() })

/** The names and contents of a folder. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fs
      .readdirSync(folder)
      .sort()
      .map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]),
  )
}

describe('several conversations', () => {
  it('are each the file that an export of one alone is', async () => {
    const folder = path.join(temp(), 'new')
    const { code, words, out } = await exported('default', 'fresh', '-o', folder, ...home)
    expect([code, out]).toEqual([0, ''])
    const files = filesIn(folder)
    expect(Object.keys(files)).toEqual(['chibi-default.md', 'chibi-fresh.md'])
    for (const name of ['default', 'fresh'])
      expect(files[`chibi-${name}.md`]).toBe((await exported(name, ...home)).out)
    expect(words.trim().split('\n').at(-1)).toMatch(/^2 conversations with \d+ entries in .*new\.$/)
  })

  it('are all that is read with --all, of one system with --source', async () => {
    const folder = temp()
    const all = await exported(
      '--all',
      '-o',
      folder,
      '--format',
      'jsonl',
      '--json',
      ...home,
      ...voicemode,
    )
    const { files, failed } = JSON.parse(all.out)
    expect(failed).toBe(0)
    expect(Object.keys(filesIn(folder))).toEqual(
      files.map((one: { file: string }) => one.file).sort(),
    )
    expect(new Set(files.map((one: { source: string }) => one.source))).toEqual(
      new Set(['chibi', 'voicemode']),
    )
    const one = temp()
    await exported('--all', '--source', 'voicemode', '-o', one, ...home, ...voicemode)
    expect(Object.keys(filesIn(one)).every((name) => name.startsWith('voicemode-'))).toBe(true)
    expect(Object.keys(filesIn(one))).toHaveLength(
      files.filter(({ source }: { source: string }) => source === 'voicemode').length,
    )
  })

  it('overwrite nothing: a name that is taken gets a number', async () => {
    const folder = temp()
    fs.writeFileSync(path.join(folder, 'chibi-default.md'), 'mine')
    await exported('default', 'fresh', '-o', folder, ...home)
    await exported('default', 'fresh', '-o', folder, ...home)
    const files = filesIn(folder)
    expect(Object.keys(files)).toEqual([
      ...['chibi-default-2.md', 'chibi-default-3.md', 'chibi-default.md'],
      ...['chibi-fresh-2.md', 'chibi-fresh.md'],
    ])
    expect(files['chibi-default.md']).toBe('mine')
  })

  it('have names that are safe and differ, also where upper and lower case are one', async () => {
    const root = temp()
    const contexts = ['Garden', 'garden', 'g_1']
    for (const name of contexts) {
      const folder = path.join(root, 'contexts', name, 'transcript')
      fs.mkdirSync(folder, { recursive: true })
      const entry = {
        id: 'a',
        timestamp: 1,
        from: 'x',
        to: name,
        content: name,
        entry_type: 'message',
      }
      fs.writeFileSync(path.join(folder, 'active.jsonl'), `${JSON.stringify(entry)}\n`)
    }
    const folder = temp()
    const { code } = await exported('--all', '-o', folder, '--format', 'chibi', '--home', root)
    expect(code).toBe(0)
    const names = Object.keys(filesIn(folder))
    expect(names).toHaveLength(contexts.length)
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(contexts.length)
    for (const name of names) expect(name).toMatch(/^[\p{L}\p{N}._-]+\.jsonl$/u)
  })

  it('keep the names of cycod, by which it finds its histories', async () => {
    const folder = temp()
    await exported('--all', '-o', folder, '--format', 'cycod', ...cycod)
    const names = Object.keys(filesIn(folder))
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) expect(name).toMatch(/^chat-history-\d{13}(?:-\d+)?\.jsonl$/)
  })

  it('add up what they lose', async () => {
    const folder = temp()
    const { words, out } = await exported(
      '--all',
      '-o',
      folder,
      '--format',
      'fluux',
      '--json',
      ...cycod,
    )
    const { files } = JSON.parse(out)
    const count = files
      .flatMap(({ losses }: { losses: readonly { kind: string; count: number }[] }) => losses)
      .filter(({ kind }: { kind: string }) => kind === 'tool')
      .reduce((sum: number, one: { count: number }) => sum + one.count, 0)
    expect(count).toBeGreaterThan(0)
    expect(words).toContain(`${count} tool calls and results are left out.`)
  })
})

describe('an export of several', () => {
  it('that is stopped leaves whole files alone, and says how many', async () => {
    const folder = temp()
    const stop = new AbortController()
    let made = 0
    // Ctrl+C comes while the third file is written.
    const disk: Disk = {
      ...nodeDisk,
      async open(file, mode, permissions) {
        if (mode === 'create-new' && ++made === 3) stop.abort()
        return nodeDisk.open(file, mode, permissions)
      },
    }
    const said: string[] = []
    const argv = ['--all', '-o', folder, ...home]
    await expect(
      run(exportCommand, argv, { disk, signal: stop.signal, config: temp(), say: said }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    expect(said.at(-1)).toMatch(/^Stopped: 2 of \d+ conversations are in /)
    const files = filesIn(folder)
    expect(Object.keys(files)).toHaveLength(2)
    for (const [name, text] of Object.entries(files)) {
      const key = name.replace(/^chibi-|\.md$/g, '')
      expect(text).toBe((await exported(key, ...home)).out)
    }
  })

  it('goes on behind one that cannot be read, and says so', async () => {
    const root = temp()
    fs.cpSync(`${fixtures}/chibi/home-v09`, root, { recursive: true })
    const folder = temp()
    const broken = path.join(root, 'contexts/fresh/transcript/active.jsonl')
    const disk: Disk = {
      ...nodeDisk,
      open: (file, mode, permissions) =>
        file === broken
          ? nodeDisk.open(path.join(root, 'missing'), 'read')
          : nodeDisk.open(file, mode, permissions),
    }
    const { code, words } = await run(
      exportCommand,
      ['default', 'fresh', 'compacted', '-o', folder, '--home', root],
      { disk, config: temp() },
    )
    expect(code).toBe(1)
    expect(Object.keys(filesIn(folder))).toEqual(
      expect.arrayContaining(['chibi-compacted.md', 'chibi-default.md']),
    )
    expect(words).toMatch(/; 1 could not be exported whole\.\n$/)
  })

  it('names each one that is not whole, with what of it could not be read', async () => {
    const root = temp()
    fs.cpSync(`${fixtures}/chibi/home-v09`, root, { recursive: true })
    // No file of titles can be read in a folder's place.
    fs.mkdirSync(path.join(root, 'titles.skein.json'))
    const folder = temp()
    const { code, words } = await exported('default', 'fresh', '-o', folder, '--home', root)
    expect(code).toBe(1)
    expect(Object.keys(filesIn(folder))).toEqual(['chibi-default.md', 'chibi-fresh.md'])
    for (const key of ['default', 'fresh'])
      expect(words).toMatch(new RegExp(`^chibi:${key} is not whole: .*titles`, 'm'))
    expect(words).not.toContain('damaged line')
    expect(words).toMatch(/; 2 could not be exported whole\.\n$/)
  })

  it.each([
    [
      ['default', 'fresh', ...home],
      'Several conversations need a folder or a zip: -o FOLDER, -o FILE.zip.',
    ],
    [['--all', ...home], 'Several conversations need a folder or a zip: -o FOLDER, -o FILE.zip.'],
    [['--all', 'default', '-o', 'x', ...home], '--all takes no KEY.'],
    [['default', '--source', 'chibi', ...home], /^--source belongs to --all/],
    [[...home], /needs a KEY, several, or --all/],
  ])('asks for what it needs: %j', async (argv, message) => {
    await expect(exported(...argv)).rejects.toThrow(message)
  })

  it('writes nothing among what is read, and into no file', async () => {
    const root = temp()
    fs.cpSync(`${fixtures}/chibi/home-v09`, root, { recursive: true })
    const inside = path.join(root, 'contexts/new')
    await expect(exported('--all', '-o', inside, '--home', root)).rejects.toMatchObject({
      code: 'bad-argument',
    })
    expect(fs.existsSync(inside)).toBe(false)
    const file = path.join(temp(), 'file')
    fs.writeFileSync(file, 'mine')
    await expect(exported('--all', '-o', file, '--home', root)).rejects.toThrow('names a folder')
    expect(fs.readFileSync(file, 'utf8')).toBe('mine')
  })
})

describe('a zip of several', () => {
  /** The members of a zip as a folder would have them. */
  async function membersOf(zip: string): Promise<Readonly<Record<string, string>>> {
    const folder = zipMembersFolder(zip)
    const names = [...(await appDisk.list(folder))].sort()
    const members: [string, string][] = []
    for (const name of names) {
      const file = await appDisk.open(path.join(folder, name), 'read')
      const bytes = Buffer.alloc((await file.stat()).sizeBytes)
      for (let at = 0; at < bytes.length; ) at += await file.read(bytes.subarray(at), at)
      await file.close()
      members.push([name, bytes.toString('utf8')])
    }
    return Object.fromEntries(members)
  }

  const both = [...home, ...voicemode, ...cycod]

  it('has the files that a folder gets, and the same bytes each time', async () => {
    const base = temp()
    const [folder, zip, again] = ['all', 'all.zip', 'again.zip'].map((name) =>
      path.join(base, name),
    ) as [string, string, string]
    const asFolder = await exported('--all', '-o', folder, '--json', ...both)
    const asZip = await exported('--all', '-o', zip, '--json', ...both)
    expect([asZip.code, asZip.words.split('\n').at(-2)]).toEqual([
      asFolder.code,
      expect.stringMatching(/^\d+ conversations with \d+ entries in .*all\.zip, \d+ bytes\.$/),
    ])
    const { files, failed } = JSON.parse(asFolder.out)
    const bytes = fs.statSync(zip).size
    expect(JSON.parse(asZip.out)).toEqual({ zip, bytes, files, failed })
    expect(await membersOf(zip)).toEqual(filesIn(folder))
    await exported('--all', '-o', again, ...both)
    expect(fs.readFileSync(again).equals(fs.readFileSync(zip))).toBe(true)
  })

  it('has the times of the conversations, or none where times are left out', async () => {
    const base = temp()
    const timesIn = async (...argv: readonly string[]) => {
      const zip = path.join(base, 'times.zip')
      await exported('--all', '-o', zip, ...argv, ...cycod)
      const file = await nodeDisk.open(zip, 'read')
      const { members } = await readZipDirectory(file)
      await file.close()
      return members.map(({ modifiedMs }) => new Date(modifiedMs ?? 0).toISOString())
    }
    const { conversations } = JSON.parse(
      (await exported('chat-history-1754437000000', '--format', 'json', ...cycod)).out,
    )
    expect(await timesIn()).toContain(conversations[0].updated)
    const first = '1980-01-01T00:00:00.000Z'
    expect(new Set(await timesIn('--times', 'none'))).toEqual(new Set([first]))
  })

  it('replaces a zip, and never one that is read', async () => {
    const zip = path.join(temp(), 'all.ZIP')
    fs.writeFileSync(zip, 'mine')
    expect((await exported('--all', '-o', zip, ...home)).code).toBe(0)
    expect(Object.keys(await membersOf(zip)).length).toBeGreaterThan(1)
    const source = path.join(temp(), 'export.zip')
    fs.copyFileSync(zip, source)
    const before = fs.readFileSync(source)
    await expect(
      exported('--all', '-o', source, ...home, '--root', `chatgpt=${source}`),
    ).rejects.toMatchObject({ code: 'bad-argument' })
    expect(fs.readFileSync(source).equals(before)).toBe(true)
  })

  it('says which conversation is not in it, and has the others', async () => {
    const root = temp()
    fs.cpSync(`${fixtures}/chibi/home-v09`, root, { recursive: true })
    const zip = path.join(temp(), 'all.zip')
    const broken = path.join(root, 'contexts/fresh/transcript/active.jsonl')
    const disk: Disk = {
      ...nodeDisk,
      open: (file, mode, permissions) =>
        file === broken
          ? nodeDisk.open(path.join(root, 'missing'), 'read')
          : nodeDisk.open(file, mode, permissions),
    }
    const { code, words } = await run(
      exportCommand,
      ['default', 'fresh', '-o', zip, '--home', root],
      { disk, config: temp() },
    )
    expect(code).toBe(1)
    expect(words).toContain('could not be exported whole')
    expect(Object.keys(await membersOf(zip))).toContain('chibi-default.md')
  })

  it('is not there after a stop', async () => {
    const zip = path.join(temp(), 'all.zip')
    const stopping = new AbortController()
    const disk: Disk = {
      ...nodeDisk,
      async open(file, mode, permissions) {
        if (mode === 'create-new') stopping.abort()
        return nodeDisk.open(file, mode, permissions)
      },
    }
    const stopped = run(exportCommand, ['--all', '-o', zip, ...home], {
      ...{ disk, config: temp(), signal: stopping.signal },
    })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    expect(fs.readdirSync(path.dirname(zip))).toEqual([])
  })

  it('of one KEY is a zip too, and no text under its name', async () => {
    const zip = path.join(temp(), 'one.zip')
    const { code, words } = await exported('default', '-o', zip, ...home)
    expect([code, words]).toEqual([0, expect.stringContaining('1 conversation with ')])
    expect(await membersOf(zip)).toEqual({
      'chibi-default.md': (await exported('default', ...home)).out,
    })
  })

  it('is said to be there where what is told of it cannot be written', async () => {
    const zip = path.join(temp(), 'all.zip')
    const said: string[] = []
    const write = async () => {
      throw new Error('the device is full')
    }
    await expect(
      run(exportCommand, ['--all', '--json', '-o', zip, ...home], {
        ...{ config: temp(), say: said, write },
      }),
    ).rejects.toThrow('the device is full')
    expect(fs.existsSync(zip)).toBe(true)
    expect(said.join('\n')).not.toContain('no zip was written')
  })

  it('that has its name is told of, whatever stops behind that', async () => {
    const zip = path.join(temp(), 'all.zip')
    const stopping = new AbortController()
    const disk: Disk = {
      ...nodeDisk,
      async rename(from, to) {
        await nodeDisk.rename(from, to)
        if (to === zip) stopping.abort()
      },
    }
    const { code, words } = await run(exportCommand, ['--all', '-o', zip, ...home], {
      ...{ disk, config: temp(), signal: stopping.signal },
    })
    expect(code).toBe(0)
    expect(words).not.toContain('no zip was written')
    expect(words).toMatch(/conversations with \d+ entries in .*all\.zip, \d+ bytes\.\n$/)
  })

  it('whose name may not outlast a power failure is said to be there', async () => {
    const zip = path.join(temp(), 'all.zip')
    const disk: Disk = {
      ...nodeDisk,
      async syncFolder(folder) {
        throw new DiskError('io', folder, 'the drive did not answer')
      },
    }
    const said: string[] = []
    await expect(
      run(exportCommand, ['--all', '-o', zip, ...home], { disk, config: temp(), say: said }),
    ).rejects.toThrow(`The export is in ${zip}, whole; whether it outlasts a power failure`)
    expect(said.join('\n')).not.toContain('no zip was written')
    expect(Object.keys(await membersOf(zip))).toContain('chibi-default.md')
  })

  it('says which folder is missing', async () => {
    const folder = path.join(temp(), 'missing')
    await expect(
      exported('--all', '-o', path.join(folder, 'x.zip'), ...home),
    ).rejects.toMatchObject({
      message: `The export was not written: there is no folder at ${folder}.`,
    })
  })
})

describe('an archive that a root has by a link', () => {
  /** A root of ChatGPT with a link to an export that lies elsewhere, and a link to a folder. */
  function linked() {
    const base = temp()
    const archive = path.join(base, 'data/chat.zip')
    const document = path.join(base, 'far/conversations-000.json')
    fs.mkdirSync(path.join(base, 'data'))
    fs.mkdirSync(path.join(base, 'far'))
    fs.mkdirSync(path.join(base, 'root'))
    const input = path.join(fixtures, 'readers/chatgpt/input')
    fs.copyFileSync(path.join(input, 'later.zip'), archive)
    fs.copyFileSync(path.join(input, 'conversations-000.json'), document)
    fs.symlinkSync('../data/chat.zip', path.join(base, 'root/chat.zip'))
    fs.symlinkSync('../far', path.join(base, 'root/far'))
    return { base, archive, document, root: ['--root', `chatgpt=${path.join(base, 'root')}`] }
  }
  const linkedRun = (...argv: readonly string[]) =>
    run(exportCommand, argv, { disk: historyDisk(appDisk), config: temp() })

  it('is written over by no zip, and by no export of one conversation', async () => {
    const { base, archive, document, root } = linked()
    const all = await linkedRun('--all', '--json', '-o', path.join(base, 'new.zip'), ...root)
    const keys = JSON.parse(all.out).files.map(({ key }: { key: string }) => key)
    expect(keys.length).toBeGreaterThan(2)
    const before = [archive, document].map((file) => fs.readFileSync(file))
    const each: readonly string[][] = keys.map((key: string) => [key])
    const wanted = [
      ...[['--all'], keys, ...each].map((what) => [...what, '-o', archive]),
      ...each.map((what) => [...what, '-o', document]),
    ]
    for (const argv of wanted)
      await expect(linkedRun(...argv, ...root)).rejects.toMatchObject({ code: 'bad-argument' })
    expect([archive, document].map((file) => fs.readFileSync(file))).toEqual(before)
  })
})
