import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import type { IpcMainInvokeEvent } from 'electron'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readAppParts } from '../../../src/main/compose/app-parts'
import { openBackgroundNotices } from '../../../src/main/compose/background-notices'
import { openCheckups } from '../../../src/main/compose/checkups'
import { openWorkToEnd } from '../../../src/main/compose/ending-work'
import { openHomeMoves } from '../../../src/main/compose/home-moves'
import { closeHomeState, openHomeState } from '../../../src/main/compose/home-state'
import { quickDraftFile } from '../../../src/main/compose/quick-draft'
import { openQuickEntry } from '../../../src/main/compose/quick-entry'
import { quickView } from '../../../src/main/compose/quick-view'
import { fileToReveal } from '../../../src/main/compose/reveal-place'
import { openSnapshots } from '../../../src/main/compose/snapshots'
import { openSources } from '../../../src/main/compose/sources/sources'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import { quickHandlers } from '../../../src/main/ipc/handlers/conversations/quick'
import { homeEvents } from '../../../src/main/ipc/home-events'
import { type CallHost, serve } from '../../../src/main/ipc/serve'
import { serveCalls } from '../../../src/main/ipc/serve-calls'
import { windowEvents } from '../../../src/main/ipc/window-events'
import { inlineSnapshots } from '../../../src/main/library/snapshots'
import { deleteBackupQuestion } from '../../../src/main/permission/backup-question'
import { importQuestion } from '../../../src/main/permission/import-question'
import { createLinkOpener } from '../../../src/main/permission/links'
import { askForSettings } from '../../../src/main/permission/settings-questions'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { createFileVault } from '../../../src/main/settings/stored/key-vault'
import { openSettingsFile } from '../../../src/main/settings/stored/settings-file'
import { contract, type Envelope } from '../../../src/shared/ipc/contract'
import type { Call, Domain } from '../../../src/shared/ipc/wire/primitives'
import { ErrorReport } from '../../../src/shared/model/basics/errors'
import { anyArguments, learnFrom } from '../../support/any-arguments'
import { sayingWhere } from '../../support/drawn'
import { drawnSeed, trialsOf } from '../../support/drawn-alike'
import { jsonLine } from '../../support/entries'
import { nothingOpened } from '../../support/nothing-opened'
import { scriptedPerson } from '../../support/permissions'
import { tempFolders } from '../../support/temp-folder'
import { watchedDisk } from '../../support/watched-disk'

const temp = tempFolders()
let own: string
beforeEach(() => {
  own = fs.realpathSync(temp('person'))
  vi.stubEnv('HOME', own)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const secret = 'the words that nobody may read'
const base = 'http://127.0.0.1:11434/v1'

/** Main behind the contract, put together as main/composition does it, with a home, another system's history, and no window. */
async function served() {
  const at = (name: string) => path.join(own, 'skein', name)
  const [home, user, cache, picked, foreign] = ['home', 'user', 'cache', 'picked', 'foreign'].map(
    at,
  ) as [string, string, string, string, string]
  for (const folder of [picked, foreign, path.join(home, 'plugins')])
    fs.mkdirSync(folder, { recursive: true })
  /** What is gone, or has another name now, is made again, as by another program. */
  function putContexts(): void {
    for (const context of ['garden', 'zoo']) {
      const folder = path.join(home, 'contexts', context, 'transcript')
      if (fs.existsSync(folder)) continue
      fs.mkdirSync(folder, { recursive: true })
      const lines = ['one', 'two', 'three'].map((id, n) =>
        jsonLine({ id: `${context}-${id}`, timestamp: 100 + n }),
      )
      fs.writeFileSync(path.join(folder, 'active.jsonl'), `${lines.join('\n')}\n`)
    }
  }
  putContexts()
  fs.writeFileSync(path.join(home, 'config.toml'), `base_url = "${base}"\nmodel = "m"\n`)
  fs.writeFileSync(path.join(home, 'plugins/run-me'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  fs.writeFileSync(
    path.join(foreign, 'chat.jsonl'),
    '{"role":"user","content":"tulips?"}\n{"role":"assistant","content":"yes"}\n',
  )
  const outside = path.join(own, 'outside')
  fs.mkdirSync(outside)
  fs.writeFileSync(path.join(outside, 'secret.txt'), secret)

  const strayed: string[] = []
  // A folder that is held open has this name in place of its own.
  const named = (target: string) =>
    target.startsWith('/proc/self/fd/')
      ? path.join(fs.realpathSync(path.dirname(target)), path.basename(target))
      : target
  const isBelow = (folder: string, target: string) =>
    `${named(target)}${path.sep}`.startsWith(folder + path.sep)
  const isInside = (target: string) => isBelow(path.join(own, 'skein'), target)
  const disk = historyDisk(
    unpackingDisk(
      watchedDisk(
        {
          before({ name, path: target }) {
            // Whether something is there may be asked of any place, and a folder made durable with those around it; names
            // and bytes are another matter.
            if (['stat', 'statNow', 'realPath', 'fstat', 'frealPath', 'syncFolder'].includes(name))
              return
            // Other systems' usual folders, below the person's own, are looked through.
            const isRead = ['list', 'open', 'read', 'close'].includes(name)
            const isRight = isRead
              ? isBelow(own, target) && !isBelow(outside, target)
              : isInside(target)
            if (!isRight) strayed.push(`${name} ${target}`)
          },
        },
        {
          ...nodeDisk,
          async open(target, mode, permissions) {
            if (mode !== 'read' && !isInside(target)) strayed.push(`${mode} ${target}`)
            return nodeDisk.open(target, mode, permissions)
          },
        },
      ),
    ),
  )
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: unknown) => {
    asked.push(String(address instanceof Request ? address.url : address))
    return new Response('{"error":{"message":"no"}}', {
      status: 400,
      headers: { 'content-type': 'application/json' },
    })
  })

  const person = scriptedPerson()
  const { permissions } = person
  const cipher = {
    strength: () => 'strong' as const,
    encrypt: (text: string) => Buffer.from(text),
    decrypt: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  }
  const file = openSettingsFile(disk, user)
  fs.mkdirSync(user)
  const root = { source: 'cycod', path: foreign }
  fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ sources: { added: [root] } }))
  const notices = openBackgroundNotices(Date.now, () => undefined)
  const environment = { HOME: own }
  const sources = openSources({
    environment,
    disk,
    readers,
    settings: file,
    given: [],
    ask: async () => undefined,
    imports: { folder: path.join(user, 'imports'), plain: disk, userFolder: user },
    askForExport: async () => undefined,
    allowImport: (files) => permissions.require(importQuestion(files), 'Nothing was imported.'),
    backups: path.join(user, 'backups'),
    allowDelete: (root, size) =>
      permissions.require(deleteBackupQuestion(root, size), 'It was not deleted.'),
    opened: nothingOpened,
    note: notices.add,
    changed: () => undefined,
  })
  const tell = windowEvents(() => {})
  const places = openHomeMoves({
    disk,
    app: { version: '0', platform: 'linux' },
    open: (folder, isChosen, sample) =>
      openHomeState(
        {
          disk,
          userFolder: user,
          cacheFolder: cache,
          environment,
          vault: createFileVault({ disk, file: path.join(user, 'keys'), cipher }),
          settingsFile: file,
          practice: async () => base,
          permissions,
          sources,
          rootsFrom: () => 'settings',
          pluginsChanged: () => undefined,
          events: homeEvents(tell),
          note: notices.add,
        },
        folder,
        isChosen,
        sample,
      ),
    homeOf: async (choice) => (choice.type === 'choose' ? undefined : home),
    claim: () => true,
    remember: async () => undefined,
  })
  await places.begin(home, true, false)

  const handlers = new Map<
    string,
    (event: IpcMainInvokeEvent, args: unknown) => Promise<Envelope>
  >()
  const faults: string[] = []
  const opened: string[] = []
  const revealed: string[] = []
  const host: CallHost = {
    ipcMain: { handle: (channel, answer) => void handlers.set(channel, answer) },
    isTrusted: () => true,
    report: (where, error) =>
      void faults.push(`${where}: ${error instanceof Error ? error.stack : String(error)}`),
  }
  const quick = openQuickEntry({
    window: {
      show: () => undefined,
      hide: () => undefined,
      isShown: () => false,
      isHidden: () => false,
    },
    place() {
      const { settings, session } = places.now()
      return { id: 'here', home: session, view: () => quickView(settings, session) }
    },
    draftOf: (id) => quickDraftFile(disk, path.join(user, 'homes', id), () => undefined),
    open: () => undefined,
    shown: () => undefined,
    note: (error) => void faults.push(String(error)),
  })
  serve('quick', quickHandlers(quick), host)
  let saved = 0
  serveCalls(host, {
    readPdf: async () => ({ fault: 'is not read here' }),
    shell: {
      status: places.status,
      takeLink: () => undefined,
      quickKey: () => 'off',
      parts: () =>
        readAppParts(nodeDisk, 'out', process.versions, { place: async () => ({ type: 'off' }) }),
      checkForUpdates: async () => ({ type: 'off' }),
      openHome: (choice) => places.move(choice, async () => undefined),
      openLink: createLinkOpener(permissions, async (url) => void opened.push(url)),
      async revealFile(key, name) {
        revealed.push(
          await fileToReveal(places.now().home, () => places.home().histories, key, name),
        )
      },
    },
    home: places.home,
    settings: () => places.now().settings,
    models: () => places.now().models,
    plugins: () => places.now().plugins,
    sources,
    checkups: openCheckups({
      disk,
      plainDisk: disk,
      home: () => home,
      settings: () => places.now().settings,
      userFolder: user,
      cacheFolder: path.join(user, 'none'),
      roots: () => [],
      now: Date.now,
      askForFolder: async () => picked,
    }),
    snapshots: openSnapshots({
      disk,
      home: () => home,
      userFolder: user,
      roots: () => [],
      acts: inlineSnapshots(disk, Date.now, 1),
      askForFolder: async () => picked,
      askForSnapshot: async () => path.join(picked, 'none.zip'),
    }),
    notices,
    permissions,
    allow: askForSettings(permissions),
    dialogs: {
      file: async () => path.join(picked, `saved-${++saved}`),
      folder: async () => picked,
      shown: (target) => target,
    },
    ending: openWorkToEnd(),
    keptPatterns: async () => [],
    async trash(folder) {
      fs.mkdirSync(at('trash'), { recursive: true })
      fs.renameSync(folder, path.join(at('trash'), randomUUID()))
    },
    settingsRead: () => false,
    settingsChanged: () => undefined,
    tell,
  })
  return {
    ...{ handlers, faults, opened, revealed, strayed, asked, isInside, outside, home, putContexts },
    async close() {
      sources.close()
      await closeHomeState(places.now())
    },
  }
}

/** Every call of the contract by its channel. */
const calls = Object.entries(contract).flatMap(([domain, members]) =>
  Object.entries(members as Domain).flatMap(([name, member]) =>
    member.kind === 'call' ? [[`${domain}.${name}`, member] as const] : [],
  ),
)

/** What is known in that home, and what a page may think of. */
const words = [
  ...[
    'garden',
    'zoo',
    'new-one',
    'garden-one',
    'garden-three',
    'one',
    'm',
    'run-me',
    'base_url',
    'model',
    'api_key',
  ],
  ...[
    'contexts/garden/transcript/active.jsonl',
    'transcript/active.jsonl',
    'active.jsonl',
    'todos.md',
    'goals.md',
  ],
  ...[
    'config.toml',
    'local.toml',
    'AGENTS.md',
    'chibi.md',
    'file_tools_allowed_paths',
    'openai',
    'cycod',
    'md',
  ],
  ...[
    'tulips',
    'role:user tulips',
    '/t.*s/',
    'branch:left',
    'https://evil.example/v1',
    base,
    'sk-0123456789abcdef0123',
  ],
]

function treeOf(folder: string): string {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const hash = createHash('sha256')
  for (const name of names) {
    const target = path.join(folder, name)
    hash.update(`${name}\0`).update(fs.statSync(target).isFile() ? fs.readFileSync(target) : '')
  }
  return hash.digest('hex')
}

/** Addresses of providers that Skein comes with, and of this machine. */
const isKnown = (address: string) =>
  ['http://127.0.0.1:', 'https://openrouter.ai/', 'https://api.openai.com/'].some((known) =>
    address.startsWith(known),
  )

/** 10,000 by hand: `SKEIN_SEED=random SKEIN_TRIALS=10000 npx vitest run test/main/ipc/any-arguments.test.ts` */
const trials = trialsOf(250)

it('any call with any arguments ends in an answer or an error of the contract, and reaches nothing outside', async () => {
  const main = await served()
  const before = treeOf(main.outside)
  const absolute = [
    path.join(main.home, 'contexts/garden/transcript/active.jsonl'),
    path.join(main.outside, 'secret.txt'),
  ]
  const all = [...words, ...absolute, main.home, main.outside]
  const outcomes = new Map<string, number>()
  const answered = new Set<string>()
  const seen = new Map<string, (string | number)[]>([['key', ['garden', 'zoo']]])
  async function tried(channel: string, call: Call, args: unknown): Promise<void> {
    // As it crosses from the page, and back.
    const handler = main.handlers.get(channel)
    const answer = structuredClone(await handler?.({} as IpcMainInvokeEvent, structuredClone(args)))
    if (answer === undefined) throw new Error('it is not served')
    expect(main.faults).toEqual([])
    expect(main.strayed).toEqual([])
    if (answer.ok) {
      const parsed = call.result.safeParse(answer.value)
      if (!parsed.success) throw new Error(`it answered\n${z.prettifyError(parsed.error)}`)
    } else {
      ErrorReport.parse(answer.error)
      expect(answer.error.code).not.toBe('internal')
    }
    expect(JSON.stringify(answer)).not.toContain(secret)
    const outcome = answer.ok ? 'answered' : answer.error.code
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (!answer.ok) return
    answered.add(channel)
    learnFrom(answer.value, seen)
  }
  try {
    for (let round = 0; round < trials; round++) {
      if (round % calls.length === 0) main.putContexts()
      const [channel, call] = calls[round % calls.length] ?? ['', undefined]
      if (call === undefined) throw new Error('there is no call')
      const [args] = fc.sample(anyArguments(call.args, { words: all, seen }), {
        numRuns: 1,
        seed: drawnSeed + round,
      })
      try {
        await tried(channel, call, args)
      } catch (error) {
        throw sayingWhere(
          error,
          `round ${round}: ${channel} ${inspect(args, { depth: 4 }).slice(0, 2000)}`,
        )
      }
    }
  } finally {
    await main.close()
  }
  if (process.env.SKEIN_TRIALS !== undefined)
    console.info(`${answered.size} of ${calls.length} calls answered`, Object.fromEntries(outcomes))
  expect(treeOf(main.outside)).toBe(before)
  expect(main.opened).toEqual([])
  expect(main.revealed.filter((target) => !main.isInside(target))).toEqual([])
  expect(main.asked.filter((address) => !isKnown(address))).toEqual([])
  // Both came out: not all was refused at the first look.
  expect(outcomes.get('answered')).toBeGreaterThan(trials / 5)
  expect(outcomes.get('bad-argument')).toBeGreaterThan(0)
})
