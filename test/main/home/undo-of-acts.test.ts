import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/support/random'
import type { Home } from '../../../src/main/home/home'
import { contextsHandlers } from '../../../src/main/ipc/handlers/contexts'
import { tagsHandlers } from '../../../src/main/ipc/handlers/tags-and-labels'
import { createApi } from '../../../src/renderer/api'
import { createActions } from '../../../src/renderer/state/actions'
import type { SeveralChange } from '../../../src/renderer/state/contexts/several-change'
import { createStores } from '../../../src/renderer/state/stores'
import {
  type LibraryKey,
  parseLibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import { labelColors } from '../../../src/shared/model/conversation/label'
import { hasTag } from '../../../src/shared/model/conversation/tag'
import { keptInMap } from '../../renderer/state/support/map-storage'
import { bundled } from '../../support/bundled'
import { numbersBetween, triesAll } from '../../support/drawn'
import { openTestHome } from '../../support/home'
import { createMemoryApi } from '../../support/memory-api'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const families = bundled('src/main/library/families/families.worker.ts')
const count = bundled('src/main/library/count/count.worker.ts')
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const names = ['garden', 'tram', 'ferry', 'orchard']
const tags = ['spring', 'Deck', 'later']
const spelled = ['Spring', 'deck', 'LATER', 'kept']

/** A real home with four contexts and another system's conversation, behind the stores and actions of a window. */
async function windowOverHome() {
  const root = folder('home')
  const history = path.join(root, 'cycod', 'history')
  fs.mkdirSync(history, { recursive: true })
  fs.writeFileSync(
    path.join(history, 'chat-history-1.jsonl'),
    '{"role":"user","content":"prune?"}\n',
  )
  for (const [at, name] of names.entries()) {
    const transcript = path.join(root, 'chibi', 'contexts', name, 'transcript')
    fs.mkdirSync(transcript, { recursive: true })
    const entry = { id: `id-${at}`, timestamp: 1_790_000_000 + at, from: 'user', to: name }
    fs.writeFileSync(
      path.join(transcript, 'active.jsonl'),
      `${JSON.stringify({ ...entry, content: 'How deep?', entry_type: 'message' })}\n`,
    )
  }
  const home: Home = await openTestHome(root, {
    roots: [{ source: 'cycod', path: path.join(root, 'cycod') }],
    workers: { families: families(), count: count() },
  })
  closers.push(() => home.close())
  const api = createMemoryApi({
    contexts: contextsHandlers(
      () => home,
      async () => undefined,
    ),
    tags: tagsHandlers(() => home),
  })
  const kept = keptInMap()
  const stores = createStores(createApi(api.transport), kept)
  const rows = () => home.library.all(true)
  return { root, home, stores, actions: createActions(stores, kept), rows }
}

/** The next acts that somebody could do: pins and archives of one, and changes of several at once. */
async function drawnAct(random: Random, window: Awaited<ReturnType<typeof windowOverHome>>) {
  const { actions, rows, home } = window
  const all = await rows()
  window.stores.library.setState({ conversations: all })
  const some = all.filter(() => random.below(2) === 0)
  const one = all[random.below(all.length)]
  if (one === undefined) throw new Error('no conversations')
  const archived = new Set<string>(await home.contexts.archived())
  const isContext = (key: LibraryKey) => parseLibraryKey(key).source === 'chibi'
  // As the window does, only what a change makes another is changed.
  const several = (change: SeveralChange, changes: (row: (typeof all)[number]) => boolean) =>
    actions.changeChosen(
      change,
      some.filter(changes).map(({ key }) => key),
    )
  const tag = tags[random.below(tags.length)] ?? ''
  const has = (row: (typeof all)[number]) => hasTag(row.tags, tag)
  const color = labelColors[random.below(labelColors.length)] ?? null
  switch (random.below(10)) {
    case 7:
      return several({ type: 'hidden' }, ({ hidden }) => hidden !== true)
    case 8:
      return several({ type: 'colored', color }, (row) => row.color !== color)
    case 9:
      return several({ type: 'colored', color: null }, (row) => row.color !== undefined)
    case 0:
      return actions.setPinned(one.key, one.pinned !== true)
    case 1:
      return isContext(one.key) ? actions.setArchived(one.key, !archived.has(one.key)) : undefined
    case 2:
      return several({ type: 'pinned' }, ({ pinned }) => pinned !== true)
    case 3:
      return several({ type: 'unpinned' }, ({ pinned }) => pinned === true)
    case 4:
      return several({ type: 'archived' }, ({ key }) => isContext(key) && !archived.has(key))
    case 5:
      return several({ type: 'tagged', tag }, (row) => !has(row))
    default:
      return several({ type: 'untagged', tag }, has)
  }
}

it.each(triesAll ? numbersBetween(1, 20) : [1, 2, 3])(
  'acts drawn by seed %i, undone, leave list and overlay as they were',
  async (seed) => {
    const random = createRandom(seed)
    const window = await windowOverHome()
    // Each begins with two tags: their order and spelling come back too.
    for (const { key } of await window.rows()) {
      const first = random.below(spelled.length)
      const second = (first + 1 + random.below(spelled.length - 1)) % spelled.length
      for (const at of [first, second]) await window.home.titles.addTag(key, spelled[at] ?? '')
    }
    const { stores, rows, home, root } = window
    /** The list, who is archived, and what lies beside the conversations. */
    const state = async () => ({
      rows: await rows(),
      archived: [...(await home.contexts.archived())].sort(),
      given: overlayOf(root),
      // No history and no transcript is written to.
      files: filesBelow(path.join(root, 'cycod')).concat(
        filesBelow(path.join(root, 'chibi', 'contexts')),
      ),
    })
    // What was there before is no undo of ours.
    await window.home.titles.setColor((await rows())[2]?.key ?? ('' as LibraryKey), 'orange')
    await window.home.titles.setHidden((await rows())[3]?.key ?? ('' as LibraryKey), true)
    await window.actions.setPinned((await rows())[0]?.key ?? ('' as LibraryKey), true)
    await window.actions.changeChosen({ type: 'tagged', tag: 'kept' }, [
      (await rows())[1]?.key ?? ('' as LibraryKey),
    ])
    const before = await state()
    const acts = []
    for (let number = 0; number < 8; number++) {
      stores.undo.getState().dismiss()
      await drawnAct(random, window)
      const { act } = stores.undo.getState()
      if (act !== undefined) acts.push(act)
    }
    expect(acts.length).toBeGreaterThan(2)
    expect(await state()).not.toEqual(before)
    for (const act of acts.reverse()) await stores.undo.getState().takeBack(act)
    expect(await state()).toEqual(before)
  },
)

/** What is given to conversations, without the times at which it was. */
function overlayOf(root: string): unknown {
  const file = path.join(root, 'chibi', 'titles.skein.json')
  const ours = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const user = path.join(root, 'user', 'titles.json')
  const others = fs.existsSync(user) ? fs.readFileSync(user, 'utf8') : ''
  return [ours, others].map((text) => (text === '' ? {} : JSON.parse(text, plain)))
}

/** Drops the time of a change, and the order in which conversations were changed. */
function plain(name: string, value: unknown): unknown {
  if (name === 'at') return undefined
  const areRecords = Array.isArray(value) && value.every((one) => typeof one === 'object')
  return areRecords ? [...value].sort((a, b) => (a.key < b.key ? -1 : 1)) : value
}

/** Files with their contents, of what nobody may change. */
function filesBelow(at: string): readonly (readonly [string, string])[] {
  return fs
    .readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith('.jsonl'))
    .map((one) => {
      const file = path.join(one.parentPath ?? one.path, one.name)
      return [path.relative(at, file), fs.readFileSync(file, 'utf8')] as const
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
