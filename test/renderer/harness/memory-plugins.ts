import { AppError, type ErrorCode } from '../../../src/shared/model/basics/errors'
import type { PluginRun, PluginsView, PluginView } from '../../../src/shared/model/settings/plugins'
import type { AllEmitters, AllHandlers } from '../../support/memory-api'

/** What a test does to the plugins of a home in memory. */
export interface MemoryPlugins {
  /** The next answer is a refusal. */
  refuse(code: ErrorCode, message: string): void
  /** A plugin has run, and main tells it. */
  ran(name: string, run: PluginRun): void
  /** Where the others stand. */
  view(): PluginsView
}

const text = `#!/bin/sh
# What the weather is like in a town.
echo "<b>rain</b> \u202egnirts\u001b[31m"
${'# and so on\n'.repeat(60)}`

const none: PluginsView = { folder: '~/.chibi/plugins', canRun: true, problem: null, plugins: [] }

/** The plugins as Settings show them, without a disk or a process. */
export function createMemoryPlugins(
  first: PluginsView | undefined,
  tell: () => AllEmitters['plugins'],
): { readonly handlers: AllHandlers['plugins']; readonly controls: MemoryPlugins } {
  let view = first ?? none
  let refusal: AppError | undefined

  function answer(): PluginsView {
    const error = refusal
    refusal = undefined
    if (error !== undefined) throw error
    return view
  }

  function change(name: string, by: Partial<PluginView>): PluginsView {
    const plugins = view.plugins.map((one) => (one.name === name ? { ...one, ...by } : one))
    view = { ...view, plugins }
    return view
  }

  return {
    handlers: {
      list: async () => answer(),
      async look({ name }) {
        answer()
        const one = view.plugins.find((plugin) => plugin.name === name)
        if (one?.content == null) throw new AppError('not-found', `There is no plugin ${name}.`)
        const { kind, hash, sizeBytes, files } = one.content
        return {
          name,
          shown: one.shown,
          program: kind === 'folder' ? `${one.shown}/${name}` : one.shown,
          kind,
          hash,
          sizeBytes,
          files: [{ path: 'a b.py', sizeBytes: 120 }],
          fileCount: files,
          text: kind === 'file' ? text : null,
          isWhole: false,
        }
      },
      async trust({ name }) {
        answer()
        return change(name, { state: 'trusted', offer })
      },
      async distrust({ name }) {
        answer()
        return change(name, { state: 'untrusted', offer: null })
      },
      async askAgain({ name }) {
        answer()
        return change(name, { problem: null, offer })
      },
    },
    controls: {
      refuse(code, message) {
        refusal = new AppError(code, message)
      },
      ran(name, run) {
        const runs = view.plugins.find((one) => one.name === name)?.runs ?? []
        change(name, { runs: [run, ...runs] })
        tell().changed()
      },
      view: () => view,
    },
  }
}

const offer = {
  tools: [{ name: 'weather', description: 'What the weather is like.', problem: null }],
  hooks: ['pre_message'],
  notes: [],
}

/** Plugins of every state. */
export function everyPlugin(): PluginsView {
  const plugin = (name: string, more: Partial<PluginView>): PluginView => ({
    name,
    shown: `~/.chibi/plugins/${name}`,
    state: 'untrusted',
    content: { kind: 'file', hash: '3f5a90c1'.repeat(8), sizeBytes: 1234, files: 1 },
    problem: null,
    offer: null,
    isAsked: false,
    runs: [],
    ...more,
  })
  return {
    ...none,
    plugins: [
      plugin('changed', { state: 'changed' }),
      plugin('notes.md', { state: 'broken', content: null, problem: 'It is not executable.' }),
      plugin('off.disabled', { state: 'disabled', content: null }),
      plugin('pack', {
        content: { kind: 'folder', hash: 'ab'.repeat(32), sizeBytes: 56_000, files: 412 },
      }),
      plugin('silent', {
        state: 'trusted',
        problem: 'It printed no schema.',
      }),
      plugin('todo', {
        state: 'trusted',
        offer: {
          tools: [
            { name: 'todo_add', description: 'Adds <i>one</i>.', problem: null },
            {
              name: 'update_todos',
              description: 'x',
              problem: 'Skein has a tool of this name.',
            },
          ],
          hooks: ['pre_message', 'post_message'],
          notes: ['It asks to run at unknown points: pre_fetch_url.'],
        },
        runs: [
          {
            startedAtMs: Date.UTC(2026, 1, 3, 9, 30),
            durationMs: 120,
            asked: 'tool todo_add',
            exitCode: 3,
            problem: 'ended with exit code 3',
            stderr: 'Traceback <script>alert(1)</script>\n',
          },
          {
            startedAtMs: Date.UTC(2026, 1, 3, 9, 29),
            durationMs: 80,
            asked: '--schema',
            exitCode: 0,
            problem: null,
            stderr: '',
          },
        ],
      }),
      plugin('weather \u202egnp', {}),
    ],
  }
}
