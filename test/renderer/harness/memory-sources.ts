import type { AppError } from '../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { SourceId } from '../../../src/shared/model/conversation/sources'
import type { SourceDrift } from '../../../src/shared/model/drift/drift'
import type {
  RootBackup,
  RootState,
  SourceRoot,
  SourcesView,
} from '../../../src/shared/model/settings/source-roots'
import type { AllEmitters, AllHandlers } from '../../support/memory-api'
import { noBackup } from '../../support/no-backup'

/** What a test does to the roots of a home in memory. */
export interface MemorySources {
  /** What the next picked folder or file is: its source is told by the files, or has to be chosen among these. */
  pick(path: string, found: readonly SourceId[]): void
  /** Skein is opened with files, of which the first can be imported. */
  openWith(files: readonly string[]): void
  /** The next answer is a refusal. */
  refuse(error: AppError): void
  /** Looking begins, or has come so far. */
  look(files: number): void
  /** Looking has ended. */
  found(): void
}

const systems: SourcesView['systems'] = [
  { source: 'cycod', label: 'cycod' },
  { source: 'fluux', label: 'fluux-agent' },
  { source: 'voicemode', label: 'voicemode' },
]

const whole: RootState = { type: 'found', conversations: 12, bytes: 3_400_000 }

/** The roots as Settings show them, without a disk. */
export function createMemorySources(
  first: SourcesView | undefined,
  tell: () => AllEmitters['sources'],
): { readonly handlers: AllHandlers['sources']; readonly controls: MemorySources } {
  let view = first ?? {
    from: 'settings',
    roots: [],
    systems,
    looking: null,
    importing: null,
    faults: [],
  }
  const drift = first === undefined ? [] : everyDrift
  let picked: { readonly path: string; readonly found: readonly SourceId[] } | undefined
  let refusal: AppError | undefined
  let openedWith: readonly string[] = []

  const is = (a: SourceRoot) => (b: SourceRoot) => a.source === b.source && a.path === b.path

  function answer(change: Partial<SourcesView> = {}): SourcesView {
    const error = refusal
    refusal = undefined
    if (error !== undefined) throw error
    view = { ...view, ...change }
    return view
  }

  function added(root: SourceRoot): SourcesView {
    const { label } = systems.find(({ source }) => source === root.source) ?? { label: root.source }
    const shown = root.path.replace('/home/mira', '~')
    return answer({
      roots: [
        ...view.roots,
        { ...root, label, shown, origin: 'added', state: whole, backup: null },
      ],
    })
  }

  function states(state: RootState): SourcesView['roots'] {
    return view.roots.map((root) => (root.state.type === 'off' ? root : { ...root, state }))
  }

  return {
    handlers: {
      get: async () => answer(),
      drift: async () => [...drift],
      look: async ({ again }) => answer(again ? { roots: states(whole) } : {}),
      stop: async () =>
        answer({
          looking: null,
          roots: states({ type: 'stopped', conversations: 7, bytes: 1_000_000 }),
        }),
      add: async () => {
        if (picked === undefined) return { type: 'cancelled' }
        const { path, found } = picked
        const [source, ...others] = found
        if (source !== undefined && others.length === 0) {
          const root = { source, path }
          return { type: 'added', root, view: added(root) }
        }
        return { type: 'choose', path, shown: path.replace('/home/mira', '~'), found: [...found] }
      },
      import: async () => {
        if (picked === undefined) return { type: 'cancelled' }
        const { path, found } = picked
        const items = [{ name: path.split('/').at(-1) ?? path, sources: [...found], isNew: true }]
        return { type: 'imported', items, failures: [], view: answer({ importing: null }) }
      },
      importDropped: async (files) => {
        const items = files.map((file) => ({ name: file, sources: [], isNew: true }))
        return { type: 'imported', items, failures: [], view: answer({ importing: null }) }
      },
      isOpenedWith: async () => openedWith.length > 0,
      importOpened: async () => {
        const [first, ...others] = openedWith
        openedWith = []
        if (first === undefined) return { type: 'cancelled' }
        const items = [{ name: first, sources: [], isNew: true }]
        const failures = others.map((name) => `${name} was not imported: it is empty.`)
        return { type: 'imported', items, failures, view: answer() }
      },
      stopImport: async () => answer({ importing: null }),
      addAs: async (root) => added(root),
      remove: async (root) => answer({ roots: view.roots.filter((one) => !is(root)(one)) }),
      backUp: async ({ isOn, ...root }) =>
        answer({
          roots: view.roots.map((one) =>
            is(root)(one) && one.backup !== null
              ? { ...one, backup: { ...one.backup, ...(isOn ? copied : {}), isOn } }
              : one,
          ),
        }),
      deleteBackup: async (root) =>
        answer({
          roots: view.roots.map((one) =>
            is(root)(one) && one.backup !== null ? { ...one, backup: noBackup } : one,
          ),
        }),
      turn: async ({ isOn, ...root }) => {
        const state: RootState = isOn ? whole : { type: 'off' }
        return answer({
          roots: view.roots.map((one) => (is(root)(one) ? { ...one, state } : one)),
        })
      },
    },
    controls: {
      pick(path, found) {
        picked = { path, found }
      },
      openWith(files) {
        openedWith = files
        tell().filesCame({})
      },
      refuse(error) {
        refusal = error
      },
      look(files) {
        view = {
          ...view,
          looking: { files },
          roots: states({ type: 'looking', conversations: 7, bytes: 1_000_000 }),
        }
        tell().changed(view)
      },
      found() {
        view = { ...view, looking: null, roots: states(whole) }
        tell().changed(view)
      },
    },
  }
}

const copied = { files: 4320, bytes: 1_290_000_000, gone: 0 }

/** New things in histories: names of both kinds, one of them hostile, and a newer version. */
const everyDrift: readonly SourceDrift[] = [
  {
    source: 'cycod',
    proved: '1.4',
    checked: 4300,
    unchecked: 18,
    changed: 12,
    names: [
      { what: 'field', name: 'payload/message.glow', lines: 40, conversations: 12, place: at(7) },
      { what: 'type', name: 'evil\u202enap', lines: 1, conversations: 1, place: at(1) },
    ],
    isCut: true,
    newer: { version: '1.5.2', conversations: 3, place: at(2) },
  },
]

function at(line: number): SourceDrift['names'][number]['place'] {
  const file = 'history/chat-history-1754437000000.jsonl'
  const shown = `~/.cycod/${file}`
  const key = LibraryKey.parse('cycod:chat-history-1754437000000')
  return { key, file, line, shownAt: line === 1 ? null : 10 * line, shown, unit: 'line' }
}

/** Roots of every kind and state. */
export function everyRoot(from: SourcesView['from'] = 'settings'): SourcesView {
  const root = (
    source: SourceId,
    shown: string,
    origin: 'default' | 'added' | 'given',
    state: RootState,
    backup: RootBackup | null = null,
  ): SourcesView['roots'][number] => ({
    source,
    path: shown.replace('~', '/home/mira'),
    shown,
    label: systems.find((one) => one.source === source)?.label ?? source,
    origin: from === 'root-option' ? 'given' : origin,
    state,
    backup,
  })
  return {
    from,
    systems,
    looking: null,
    importing: null,
    faults: ['sources.added[2] has an unknown value.'],
    roots: [
      root(
        'cycod',
        '~/.cycod',
        'default',
        {
          type: 'found',
          conversations: 4318,
          bytes: 1_290_000_000,
          newestMs: Date.UTC(2026, 8, 10, 12),
        },
        noBackup,
      ),
      root('fluux', '~/.fluux/memory', 'default', { type: 'missing' }),
      root('voicemode', '~/.voicemode', 'default', { type: 'off' }),
      root(
        'cycod',
        '~/archive/of the old machine/home/mira/tools/assistants/cycod/history-2024',
        'added',
        { type: 'unreadable', why: '/home/mira/archive cannot be used: permission denied.' },
      ),
      root(
        'cycod',
        '~/\u202etxt.lanruoj',
        'added',
        { type: 'stopped', conversations: 7, bytes: 1_000_000 },
        {
          ...noBackup,
          isOn: true,
          files: 1204,
          bytes: 851_443_712,
          sharedBytes: 300_000_000,
          earlier: 2,
          gone: 31,
          problem: 'The disk is full: not everything is backed up.',
        },
      ),
    ],
  }
}

/** Roots before anything is read: in three files are counted, one is off, and one is not there. */
export function countedRoots(): SourcesView {
  const view = everyRoot()
  const counted = (count: number) => ({
    counts: [{ kind: 'conversation' as const, count }],
    bytes: 1_000_000 * count,
    newestMs: Date.UTC(2026, 8, 10, 12),
  })
  const states: readonly RootState[] = [
    { type: 'waiting', counted: counted(4318) },
    { type: 'missing' },
    { type: 'off', counted: counted(1) },
    { type: 'unreadable', why: '/home/mira/archive cannot be used: permission denied.' },
    { type: 'waiting', isThere: true },
  ]
  const roots = view.roots.map((root, at) => ({ ...root, state: states[at] ?? root.state }))
  return { ...view, roots, faults: [] }
}
