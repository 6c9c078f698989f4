import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { conversationsAt } from '../../../../src/main/compose/reveal-place'
import { openSources } from '../../../../src/main/compose/sources/sources'
import type { SourcesSession } from '../../../../src/main/compose/sources/sources-session'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { sourcesHandlers } from '../../../../src/main/ipc/handlers/sources'
import { openHistories } from '../../../../src/main/library/sources/histories'
import type { LibraryRoot } from '../../../../src/main/library/sources/roots'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { openSettingsFile } from '../../../../src/main/settings/stored/settings-file'
import { openStore } from '../../../../src/main/store/open-store'
import { createApi } from '../../../../src/renderer/api'
import { AppError } from '../../../../src/shared/model/basics/errors'
import type { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type {
  RootsFrom,
  SourceRoot,
  SourcesView,
} from '../../../../src/shared/model/settings/source-roots'
import { createMemoryApi } from '../../../support/memory-api'
import { tempFolders } from '../../../support/temp-folder'
import { zipped } from '../../../support/zipped'

const folder = tempFolders()
let own: string
beforeEach(() => {
  own = folder('person')
  vi.stubEnv('HOME', own)
})
const opened: SourcesSession[] = []
afterEach(() => {
  for (const session of opened.splice(0)) session.close()
  vi.unstubAllEnvs()
})

function writeChat(place: string, name: string): string {
  fs.mkdirSync(place, { recursive: true })
  const file = path.join(place, name)
  fs.writeFileSync(file, '{"role":"user","content":"How deep do tulips go?"}\n')
  return file
}

const cycodRoot = () => ({ source: 'cycod' as const, path: path.join(own, '.cycod') })

/** The sources of a window behind the contract, and what they did. */
async function window(
  options: {
    readonly from?: RootsFrom
    readonly given?: readonly LibraryRoot[]
    readonly disk?: Disk
    readonly pick?: string
    readonly exported?: string
    readonly refusal?: AppError
    readonly isRead?: boolean
    readonly openedWith?: readonly string[]
  } = {},
) {
  const shown: LibraryKey[] = []
  let waiting = options.openedWith ?? []
  const reopened: (readonly LibraryRoot[])[] = []
  const told: SourcesView[] = []
  const allowed: string[] = []
  const noted: string[] = []
  const settings = path.join(own, 'settings')
  const disk = options.disk ?? nodeDisk
  const session = openSources({
    disk,
    readers,
    settings: openSettingsFile(nodeDisk, settings),
    given: options.given ?? [],
    ask: async () => options.pick,
    imports: { folder: path.join(own, 'imports'), plain: nodeDisk, userFolder: own },
    askForExport: async () => options.exported,
    backups: path.join(own, 'backups'),
    async allowDelete() {
      if (options.refusal !== undefined) throw options.refusal
    },
    opened: {
      isWaiting: () => waiting.length > 0,
      take() {
        const files = waiting
        waiting = []
        return files
      },
      conversationsAt(file) {
        const roots = reopened.at(-1) ?? []
        const contexts = { find: openStore({ home: own, disk }).findContext }
        return conversationsAt(disk, own, contexts, openHistories(disk, roots), file)
      },
      show: (key) => shown.push(key),
    },
    note: (words) => noted.push(words),
    async allowImport(files) {
      allowed.push(...files)
      if (options.refusal !== undefined) throw options.refusal
    },
    changed: (view) => told.push(view),
  })
  opened.push(session)
  const roots = await session.enter(options.from ?? 'settings', options.isRead ?? true, (on) =>
    reopened.push(on),
  )
  const api = createApi(createMemoryApi({ sources: sourcesHandlers(session, noHome) }).transport)
  const kept = () =>
    JSON.parse(fs.readFileSync(path.join(settings, 'settings.json'), 'utf8')).sources
  return { session, api: api.sources, roots, reopened, told, kept, settings, allowed, noted, shown }
}

const noHome = () => {
  throw new Error('no home is open')
}

function stateOf(view: SourcesView, root: SourceRoot) {
  return view.roots.find(({ source, path }) => source === root.source && path === root.path)?.state
}

describe('the roots of other systems', () => {
  it('are told with what is there: found with numbers, not there, or why not', async () => {
    const first = writeChat(path.join(own, '.cycod', 'history'), 'chat-history-1754437000000.jsonl')
    const file = writeChat(path.join(own, '.cycod'), 'chat-history-1754437000001.jsonl')
    fs.utimesSync(first, 1_780_000_000, 1_780_000_000)
    fs.utimesSync(file, 1_789_000_000, 1_789_000_000)
    const { api } = await window()
    expect(stateOf(await api.get(), cycodRoot())).toEqual({ type: 'waiting' })
    const view = await api.look({ again: false })
    const bytes = 2 * fs.statSync(file).size
    expect(stateOf(view, cycodRoot())).toEqual({
      type: 'found',
      conversations: 2,
      bytes,
      newestMs: 1_789_000_000_000,
    })
    expect(view.roots.filter(({ state }) => state.type === 'missing').length).toBe(
      view.roots.length - 1,
    )
    expect(view.roots.find(({ source }) => source === 'cycod')).toMatchObject({
      label: 'cycod',
      shown: '~/.cycod',
      origin: 'default',
    })
    expect(view.systems.map(({ source }) => source)).toEqual(
      readers.flatMap(({ id }) => (id === 'chibi' ? [] : id)),
    )
    expect(view.looking).toBeNull()
  })

  it('tell what the library finds when it lists them, and that one came', async () => {
    const { session, api, roots } = await window()
    expect(stateOf(await api.look({ again: false }), cycodRoot())).toEqual({ type: 'missing' })
    writeChat(path.join(own, '.cycod', 'history'), 'chat-history-1754437000000.jsonl')
    const histories = openHistories(nodeDisk, roots, () => {}, session.readers)
    expect(await histories.list()).toHaveLength(1)
    expect(stateOf(await api.get(), cycodRoot())).toMatchObject({ type: 'found', conversations: 1 })
  })

  it('say in words what cannot be read, and are looked at again', async () => {
    let isLocked = true
    const disk: Disk = {
      ...nodeDisk,
      async list(place) {
        if (isLocked && place.startsWith(own)) throw new Error(`${place}: permission denied`)
        return nodeDisk.list(place)
      },
    }
    writeChat(path.join(own, '.cycod', 'history'), 'chat-history-1754437000000.jsonl')
    const { api } = await window({ disk })
    const locked = stateOf(await api.look({ again: false }), cycodRoot())
    expect(locked).toMatchObject({ type: 'unreadable', why: expect.stringContaining('.cycod') })
    isLocked = false
    expect(stateOf(await api.look({ again: false }), cycodRoot())).toEqual(locked)
    expect(stateOf(await api.look({ again: true }), cycodRoot())).toMatchObject({ type: 'found' })
  })

  it('are turned off and on, which holds at the next start', async () => {
    const { api, reopened, kept } = await window()
    const off = await api.turn({ ...cycodRoot(), isOn: false })
    expect(stateOf(off, cycodRoot())).toEqual({ type: 'off' })
    expect(kept()).toEqual({ off: [cycodRoot()] })
    expect(reopened.at(-1)).not.toContainEqual(cycodRoot())
    expect((await window()).roots).not.toContainEqual(cycodRoot())
    await api.turn({ ...cycodRoot(), isOn: true })
    expect(reopened.at(-1)).toContainEqual(cycodRoot())
    expect((await window()).roots).toContainEqual(cycodRoot())
  })

  it('lose none of two changes at the same time', async () => {
    const { api, reopened, roots } = await window()
    const [first, second] = roots
    if (first === undefined || second === undefined) throw new Error('two systems are read')
    await Promise.all([api.turn({ ...first, isOn: false }), api.turn({ ...second, isOn: false })])
    expect(reopened.at(-1)).toEqual(roots.slice(2))
  })

  it('are not changed where the command line says what is read', async () => {
    const root = { source: 'cycod' as const, path: path.join(own, 'elsewhere') }
    const { api, reopened } = await window({ from: 'root-option', given: [root], pick: own })
    const view = await api.get()
    expect(view.roots).toMatchObject([{ ...root, shown: '~/elsewhere', origin: 'given' }])
    for (const change of [
      () => api.add({ kind: 'folder' }),
      () => api.turn({ ...root, isOn: false }),
      () => api.remove(root),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'read-only' })
    expect(reopened).toEqual([])
  })

  it('tell of settings that were not understood', async () => {
    const settings = path.join(own, 'settings')
    fs.mkdirSync(settings)
    fs.writeFileSync(path.join(settings, 'settings.json'), '{"model": 5, "sources": {"off": [7]}}')
    const { api } = await window()
    expect((await api.get()).faults).toEqual(['sources.off[0] has an unknown value.'])
  })
})

describe('roots that are not read', () => {
  const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/readers')
  /** A disk on which nothing can be opened: names, sizes and times are all there is. */
  const closedDisk: Disk = {
    ...historyDisk(appDisk),
    open: (file) => Promise.reject(new Error(`${file} was opened`)),
  }

  it('are counted by names, sizes and times before a home is open, each with its newest time', async () => {
    fs.cpSync(path.join(fixtures, 'claude-code/input'), path.join(own, '.claude'), {
      recursive: true,
    })
    const session = fs
      .readdirSync(path.join(own, '.claude'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => path.join(own, '.claude', name))
    for (const [n, file] of session.entries())
      fs.utimesSync(file, 1_780_000_000 + n, 1_780_000_000 + n)
    const { api } = await window({ disk: closedDisk, isRead: false })
    const view = await api.look({ again: false })
    expect(stateOf(view, { source: 'claude-code', path: path.join(own, '.claude') })).toEqual({
      type: 'waiting',
      counted: {
        counts: [{ kind: 'conversation', count: 2 }],
        bytes: session.reduce((sum, file) => sum + fs.statSync(file).size, 0),
        newestMs: 1_780_000_001_000,
      },
    })
    const others = view.roots.filter(({ source }) => source !== 'claude-code')
    expect(new Set(others.map(({ state }) => state.type))).toEqual(new Set(['missing']))
  })

  it('are counted where they are turned off, before a home is open and after', async () => {
    writeChat(path.join(own, '.cycod', 'history'), 'chat-history-1754437000000.jsonl')
    for (const isRead of [false, true]) {
      const { api } = await window({ isRead })
      await api.turn({ ...cycodRoot(), isOn: false })
      const view = await api.look({ again: false })
      expect(stateOf(view, cycodRoot())).toMatchObject({
        type: 'off',
        counted: { counts: [{ kind: 'conversation', count: 1 }] },
      })
    }
  })

  it('say why they cannot be counted', async () => {
    const disk: Disk = {
      ...closedDisk,
      list: (place) => Promise.reject(new Error(`${place}: permission denied`)),
    }
    writeChat(path.join(own, '.cycod', 'history'), 'chat-history-1754437000000.jsonl')
    const { api } = await window({ disk, isRead: false })
    expect(stateOf(await api.look({ again: false }), cycodRoot())).toMatchObject({
      type: 'unreadable',
      why: expect.stringContaining('permission denied'),
    })
  })
})

describe('a folder or a file that is picked', () => {
  it('is added as the one system that finds conversations there, kept, and removed again', async () => {
    const place = path.join(own, 'old machine')
    writeChat(place, 'chat-history-1754437000000.jsonl')
    const { api, reopened, kept } = await window({ pick: `${place}${path.sep}` })
    const root = { source: 'cycod' as const, path: place }
    const answer = await api.add({ kind: 'folder' })
    expect(answer).toMatchObject({ type: 'added', root })
    expect(kept()).toEqual({ added: [root] })
    expect(reopened.at(-1)).toContainEqual(root)
    expect(stateOf(await api.look({ again: false }), root)).toMatchObject({ conversations: 1 })
    await expect(api.add({ kind: 'folder' })).rejects.toMatchObject({ code: 'exists' })
    const removed = await api.remove(root)
    expect(removed.roots.filter(({ origin }) => origin === 'added')).toEqual([])
    expect(reopened.at(-1)).not.toContainEqual(root)
    expect(kept()).toEqual({})
    expect(fs.readdirSync(place)).toEqual(['chat-history-1754437000000.jsonl'])
    await expect(api.remove(root)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('waits for its source where none finds something, and takes no other path', async () => {
    const place = path.join(own, 'empty')
    fs.mkdirSync(place)
    const { api, reopened } = await window({ pick: place })
    const other = { source: 'cycod' as const, path: path.join(own, 'other') }
    await expect(api.addAs(other)).rejects.toMatchObject({ code: 'bad-argument' })
    expect(await api.add({ kind: 'folder' })).toEqual({
      type: 'choose',
      path: place,
      shown: '~/empty',
      found: [],
    })
    await expect(api.addAs(other)).rejects.toMatchObject({ code: 'bad-argument' })
    await expect(api.addAs({ source: 'chibi', path: place })).rejects.toMatchObject({
      code: 'bad-argument',
    })
    expect(reopened).toEqual([])
    await api.addAs({ source: 'fluux', path: place })
    expect(reopened.at(-1)).toContainEqual({ source: 'fluux', path: place })
    await expect(api.addAs({ source: 'cycod', path: place })).rejects.toMatchObject({
      code: 'bad-argument',
    })
  })

  it('is turned on where it is a default root that was turned off', async () => {
    writeChat(path.join(own, '.cycod', 'history'), 'chat-history-1754437000000.jsonl')
    const { api, kept } = await window({ pick: path.join(own, '.cycod') })
    await api.turn({ ...cycodRoot(), isOn: false })
    const answer = await api.add({ kind: 'folder' })
    expect(answer).toMatchObject({ type: 'added', root: cycodRoot() })
    expect(kept()).toEqual({})
  })

  it('changes nothing when the dialog was cancelled, or the settings cannot be written', async () => {
    const { api, reopened } = await window()
    expect(await api.add({ kind: 'file' })).toEqual({ type: 'cancelled' })
    const place = path.join(own, 'chats')
    writeChat(place, 'chat-history-1754437000000.jsonl')
    const blocked = await window({ pick: place })
    fs.rmSync(blocked.settings, { recursive: true, force: true })
    fs.writeFileSync(blocked.settings, 'a file where the folder should be')
    await expect(blocked.api.add({ kind: 'folder' })).rejects.toMatchObject({ code: 'io' })
    expect([...reopened, ...blocked.reopened]).toEqual([])
    const { roots } = await blocked.api.get()
    expect(roots.filter(({ origin }) => origin === 'added')).toEqual([])
  })
})

describe('looking at thousands of files', () => {
  /** A disk that answers no look at one file until `go` is called. */
  function slowDisk(name: string): { disk: Disk; go: () => void } {
    let go = () => {}
    const open = new Promise<void>((resolve) => {
      go = resolve
    })
    const disk: Disk = {
      ...nodeDisk,
      async stat(target) {
        if (path.basename(target) === name) await open
        return nodeDisk.stat(target)
      },
    }
    return { disk, go: () => go() }
  }

  it('tells how many it saw, stops at once, keeps what was found, and looks again', async () => {
    const history = path.join(own, '.cycod', 'history')
    // One in the root comes first, and is whole when the slow one is waited for.
    writeChat(path.join(own, '.cycod'), 'chat-history-1754437000000.jsonl')
    writeChat(history, 'chat-history-1754437000001.jsonl')
    const slow = slowDisk('chat-history-1754437000001.jsonl')
    const { session, api, roots, told } = await window({ disk: slow.disk })
    const histories = openHistories(slow.disk, roots, () => {}, session.readers)
    const listing = histories.list()
    await expect.poll(() => told.at(-1)?.looking).toEqual({ files: 1 })
    expect(stateOf(told.at(-1) as SourcesView, cycodRoot())).toMatchObject({ type: 'looking' })
    const stopped = await api.stop()
    expect(await listing).toHaveLength(1)
    expect(stopped.looking).toBeNull()
    expect(stateOf(stopped, cycodRoot())).toMatchObject({ type: 'stopped', conversations: 1 })
    expect(stateOf(await api.look({ again: false }), cycodRoot())).toMatchObject({
      type: 'stopped',
    })
    expect(await histories.list()).toHaveLength(1)
    slow.go()
    expect(stateOf(await api.look({ again: true }), cycodRoot())).toMatchObject({
      type: 'found',
      conversations: 2,
    })
    expect(await histories.list()).toHaveLength(2)
  })

  it('also stops while it finds out whose a folder is: then a person says it', async () => {
    const place = path.join(own, 'chats')
    writeChat(place, 'chat-history-1754437000001.jsonl')
    const slow = slowDisk('chat-history-1754437000001.jsonl')
    const { api, told } = await window({ disk: slow.disk, pick: place })
    const adding = api.add({ kind: 'folder' })
    await expect.poll(() => told.at(-1)?.looking).toEqual({ files: 0 })
    await api.stop()
    expect(await adding).toMatchObject({ type: 'choose', found: [] })
    slow.go()
  })
})

describe('exports that are imported', () => {
  const zip = path.join(__dirname, '../../../fixtures/readers/chatgpt/input/later.zip')
  const kept = () => path.join(own, 'imports', 'later.zip')
  const importsRoot = () => ({ source: 'chatgpt' as const, path: path.join(own, 'imports') })

  it('are kept in a folder that is read, and listed at once', async () => {
    const { api, reopened, told } = await window({ disk: historyDisk(appDisk), exported: zip })
    const before = await api.look({ again: false })
    expect(stateOf(before, importsRoot())).toEqual({ type: 'missing' })
    const answer = await api.import()
    expect(answer).toMatchObject({
      type: 'imported',
      items: [{ name: 'later.zip', sources: ['chatgpt'], isNew: true }],
      view: { importing: null },
    })
    expect(fs.readFileSync(kept())).toEqual(fs.readFileSync(zip))
    expect(stateOf(await api.look({ again: false }), importsRoot())).toMatchObject({
      type: 'found',
      conversations: 1,
    })
    expect(reopened.at(-1)).toContainEqual(importsRoot())
    await expect.poll(() => told.some(({ importing }) => importing === null)).toBe(true)
  })

  it('say what of them cannot be read', async () => {
    const cut = path.join(folder('exports'), 'cut.zip')
    const node = { title: 'x', mapping: {}, conversation_id: 'id', create_time: 1_780_000_000 }
    const text = JSON.stringify(Array.from({ length: 40 }, () => node))
    const content = Buffer.from(text.slice(0, text.length / 2))
    fs.writeFileSync(cut, zipped([{ name: 'conversations.json', content }]))
    const { api } = await window({ disk: historyDisk(appDisk), exported: cut })
    expect(await api.import()).toMatchObject({
      items: [{ name: 'cut.zip', unread: expect.stringContaining('conversations.json') }],
    })
  })

  it('are imported also before and behind one that cannot be, which says why', async () => {
    const { api, reopened } = await window({ disk: historyDisk(appDisk) })
    const notes = path.join(folder('exports'), 'notes.json')
    fs.writeFileSync(notes, '[{"note": 1}]')
    const later = path.join(path.dirname(notes), 'another.zip')
    fs.copyFileSync(zip, later)
    const answer = await api.importDropped([zip, notes, later])
    expect(answer).toMatchObject({
      items: [{ name: 'later.zip' }, { name: 'another.zip' }],
      failures: [expect.stringMatching(/^notes\.json was not imported: /)],
    })
    expect(reopened.at(-1)).toContainEqual(importsRoot())
    expect(stateOf(await api.look({ again: false }), importsRoot())).toMatchObject({
      type: 'found',
      conversations: 1,
    })
  })

  it('are asked about where they were dropped: their paths come from the page', async () => {
    const denied = new AppError('denied', 'Nothing was imported.')
    const { api, allowed } = await window({ disk: historyDisk(appDisk), refusal: denied })
    await expect(api.importDropped([zip])).rejects.toMatchObject({ code: 'denied' })
    await expect(api.importDropped(['later.zip'])).rejects.toMatchObject({ code: 'bad-argument' })
    expect(allowed).toEqual([zip])
    expect(fs.existsSync(kept())).toBe(false)
    const other = await window({ disk: historyDisk(appDisk) })
    expect(await other.api.importDropped([zip])).toMatchObject({ type: 'imported' })
    expect(await other.api.importDropped([zip])).toMatchObject({ items: [{ isNew: false }] })
  })

  it('are not imported where the dialog was cancelled, or Settings do not say what is read', async () => {
    expect(await (await window()).api.import()).toEqual({ type: 'cancelled' })
    const { api } = await window({ from: 'root-option', exported: zip })
    await expect(api.import()).rejects.toMatchObject({ code: 'read-only' })
    expect(fs.existsSync(kept())).toBe(false)
  })

  it('turn their root on again where it was turned off', async () => {
    const { api } = await window({ disk: historyDisk(appDisk), exported: zip })
    await api.turn({ ...importsRoot(), isOn: false })
    const answer = await api.import()
    const view = answer.type === 'cancelled' ? undefined : answer.view
    expect(view && stateOf(view, importsRoot())?.type).not.toBe('off')
  })
})

describe('files that Skein is opened with', () => {
  const zip = path.resolve(import.meta.dirname, '../../../fixtures/readers/chatgpt/input/later.zip')
  const disk = historyDisk(appDisk)
  const exported = path.resolve(
    import.meta.dirname,
    '../../../fixtures/readers/skein/input/claude-code-5e1f.skein.jsonl',
  )
  const kept = () => path.join(own, 'imports')

  it('are imported without a question, once, and the one conversation in them is shown', async () => {
    const { api, allowed, shown } = await window({ disk, openedWith: [zip] })
    expect(await api.isOpenedWith()).toBe(true)
    expect(await api.importOpened()).toMatchObject({
      items: [{ name: 'later.zip', isNew: true }],
      failures: [],
    })
    expect(allowed).toEqual([])
    expect(fs.readdirSync(kept())).toEqual(['later.zip'])
    expect(shown).toEqual([expect.stringMatching(/^chatgpt:/)])
    expect(await api.isOpenedWith()).toBe(false)
    // The page has nothing to name: what it asks for is nothing.
    expect(await api.importOpened()).toEqual({ type: 'cancelled' })
    const again = await window({ disk, openedWith: [exported] })
    await again.api.importOpened()
    expect(again.shown).toEqual(['skein:claude-code-5e1f'])
  })

  it('are read where they lie where they are a program’s history, and only shown where they are read already', async () => {
    const place = path.join(folder('elsewhere'), 'a b – 夢')
    fs.mkdirSync(place)
    const session = path.join(place, 'rollout.jsonl')
    const of = path.resolve(import.meta.dirname, '../../../fixtures/readers/codex/input/sessions')
    const name = '2026/09/10/rollout-2026-09-10T11-00-00-019cd6a1-5b1e-7c32-9a44-0d6f3b8e2a10.jsonl'
    fs.copyFileSync(path.join(of, name), session)
    const { api, shown } = await window({ disk, openedWith: [session] })
    expect(await api.importOpened()).toMatchObject({
      items: [
        {
          sources: ['codex'],
          isNew: true,
          isInPlace: true,
          added: { source: 'codex', path: session },
        },
      ],
    })
    expect(fs.existsSync(kept())).toBe(false)
    expect(shown).toEqual([expect.stringMatching(/^codex:/)])

    // By another name of the same file.
    const link = path.join(folder('links'), 'rollout.jsonl')
    fs.symlinkSync(session, link)
    const next = await window({ disk, openedWith: [link] })
    next.reopened.push([{ source: 'codex', path: session }])
    expect(await next.api.importOpened()).toMatchObject({
      items: [{ sources: ['codex'], isNew: false, isInPlace: true }],
    })
    expect(next.shown).toEqual(shown)
    expect((await next.api.get()).roots.filter(({ origin }) => origin === 'added')).toHaveLength(1)
    const context = path.join(own, 'contexts/garden/transcript/active.jsonl')
    fs.mkdirSync(path.dirname(context), { recursive: true })
    fs.writeFileSync(context, '')
    const home = await window({ from: 'home-option', disk, openedWith: [context] })
    await home.api.importOpened()
    expect(home.shown).toEqual(['garden'])
  })

  it('are imported from the folder of contexts, too, where they are no file of a transcript there', async () => {
    const contexts = path.join(own, 'contexts')
    fs.mkdirSync(path.join(contexts, 'garden/transcript'), { recursive: true })
    fs.writeFileSync(path.join(contexts, 'garden/transcript/active.jsonl'), '')
    for (const place of ['loose.skein.jsonl', 'garden/beside.skein.jsonl']) {
      const file = path.join(contexts, place)
      fs.copyFileSync(exported, file)
      const { api, shown } = await window({ disk, openedWith: [file] })
      expect(await api.importOpened()).toMatchObject({ items: [{ name: path.basename(place) }] })
      expect(shown).toEqual(['skein:claude-code-5e1f'])
    }
  })

  it('say of an address why it is no file here', async () => {
    const openedWith = [
      'smb://server/x.jsonl',
      'file://server/x.jsonl',
      'file:///tmp/%FF',
      'file:///tmp/a%2Fb.jsonl',
      zip,
    ]
    const { api } = await window({ disk, openedWith })
    expect(await api.importOpened()).toMatchObject({
      items: [{ name: 'later.zip' }],
      failures: [
        expect.stringContaining('smb://server/x.jsonl does not lie on this computer'),
        expect.stringContaining('file://server/x.jsonl does not lie on this computer'),
        expect.stringContaining('file:///tmp/%FF has a name that is no text in UTF-8'),
        expect.stringContaining('file:///tmp/a%2Fb.jsonl is no path on this computer'),
      ],
    })
  })

  it('wait for a person’s word where several systems understand them', async () => {
    const chat = writeChat(folder('elsewhere'), 'chat-history-1754437000000.jsonl')
    const { api, shown } = await window({ disk, openedWith: [chat] })
    await expect(api.importOpened()).rejects.toMatchObject({
      message: expect.stringMatching(/can be of cycod or /),
    })
    expect(shown).toEqual([])
  })

  it('say of each why it is not taken in, the others are; several show none', async () => {
    const place = folder('exports')
    const notes = path.join(place, 'notes.json')
    fs.writeFileSync(notes, '[{"note": 1}]')
    const gone = path.join(place, 'gone.jsonl')
    const { api, shown } = await window({ disk, openedWith: [notes, zip, gone, exported, place] })
    const answer = await api.importOpened()
    expect(answer).toMatchObject({
      items: [{ name: 'later.zip' }, { name: path.basename(exported) }],
      failures: [
        expect.stringMatching(/^notes\.json was not imported: .*no conversations/),
        'gone.jsonl was not imported: gone.jsonl is not there any more.',
        expect.stringMatching(/was not imported: .*no conversations/),
      ],
    })
    expect(shown).toEqual([])
  })

  it('are refused with a reason where one cannot be taken in, or the window shows what the command line named', async () => {
    const gone = path.join(folder('exports'), 'gone.jsonl')
    const { api } = await window({ disk, openedWith: [gone] })
    await expect(api.importOpened()).rejects.toMatchObject({ code: 'not-found' })
    const fixed = await window({ from: 'home-option', disk, openedWith: [zip] })
    await expect(fixed.api.importOpened()).rejects.toMatchObject({ code: 'read-only' })
    const sample = await window({ from: 'sample', disk, openedWith: [zip] })
    await expect(sample.api.importOpened()).rejects.toMatchObject({
      message: expect.stringContaining('sample library'),
    })
    expect(fs.existsSync(kept())).toBe(false)
  })
})
