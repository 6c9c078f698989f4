import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { openPlugins, type PluginEvent, type Plugins } from '../../../src/main/plugins/plugins'
import type { PluginView } from '../../../src/shared/model/settings/plugins'
import { tempFolders } from '../../support/temp-folder'

/** Python itself: what stands for it in PATH may be a script that looks for it, for seconds. */
export const interpreter = (() => {
  try {
    return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
    }).trim()
  } catch {
    return undefined
  }
})()

/** Why plugins in Python cannot be tried here; undefined where they can. */
export const noPython = interpreter === undefined ? 'python3 is not on this machine' : undefined

type Options = Partial<Omit<Parameters<typeof openPlugins>[0], 'home' | 'userFolder'>>

export interface PluginHome {
  readonly home: string
  readonly userFolder: string
  readonly events: readonly PluginEvent[]
  plugins: Plugins
  /** Writes an executable file below the plugins folder. */
  write(name: string, content: string | Uint8Array): string
  /** The path of a file in the home. */
  at(...names: string[]): string
  /** Opens the plugins again, as another start of Skein does. */
  open(options?: Options): Plugins
  view(name: string): Promise<PluginView>
  /** Trusts what is there now. */
  trust(...names: string[]): Promise<void>
}

/**
 * Gives homes with a plugins folder, closed and removed after each test. A plugin's time runs out when a test says so, with
 * `vi.advanceTimersByTime`: a busy machine takes as long as it takes.
 */
export function pluginHomes(): (options?: Options, existing?: string) => PluginHome {
  const folder = tempFolders()
  const opened: Plugins[] = []
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(async () => {
    for (const plugins of opened.splice(0)) await plugins.close()
    vi.useRealTimers()
  })
  return (first = {}, existing) => {
    // With every link followed, as macOS has one in its folder for temporary files.
    const home = fs.realpathSync(existing ?? folder('home'))
    const userFolder = folder('user')
    const events: PluginEvent[] = []
    fs.mkdirSync(path.join(home, 'plugins'))
    const open = (options: Options = first) => {
      const plugins = openPlugins({
        environment: process.env,
        builtInNames: ['update_todos'],
        noted: (event) => events.push(event),
        ...options,
        limits: { graceMs: 300, lingerMs: 300, ...options.limits },
        home,
        userFolder,
      })
      opened.push(plugins)
      made.plugins = plugins
      return plugins
    }
    const made: PluginHome = {
      home,
      userFolder,
      events,
      plugins: undefined as unknown as Plugins, // `open` sets it before this is returned.
      open,
      at: (...names) => path.join(home, ...names),
      write(name, content) {
        const file = path.join(home, 'plugins', name)
        fs.mkdirSync(path.dirname(file), { recursive: true })
        fs.writeFileSync(file, content, { mode: 0o755 })
        return file
      },
      async view(name) {
        const { plugins } = await made.plugins.list()
        const view = plugins.find((one) => one.name === name)
        if (view === undefined) throw new Error(`${name} is not listed`)
        return view
      },
      async trust(...names) {
        for (const name of names) {
          const { hash } = await made.plugins.look(name)
          await made.plugins.trust(name, hash)
        }
      },
    }
    open()
    return made
  }
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A plugin of sh: what it says for `--schema`, then what it does when it is called. */
export function shell(schema: unknown, body: string): string {
  const said = typeof schema === 'string' ? schema : JSON.stringify(schema)
  return `#!/bin/sh\nif [ "$1" = --schema ]; then cat <<'END'\n${said}\nEND\nexit 0; fi\n${body}\n`
}

/** A plugin of Python, in the shape that chibi's documentation shows. */
export function python(schema: unknown, body: string): string {
  const said = JSON.stringify(JSON.stringify(schema))
  return `#!${interpreter}
import json, os, sys
if len(sys.argv) > 1 and sys.argv[1] == "--schema":
    print(${said})
    sys.exit(0)
${body}
`
}

export const tool = (name: string, more: object = {}) => ({
  name,
  description: `What ${name} does.`,
  parameters: { type: 'object', properties: {} },
  ...more,
})

/** Runs a tool of the plugins by its name. */
export async function call(
  plugins: Plugins,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const found = (await plugins.tools()).find((one) => one.name === name)
  if (found === undefined) throw new Error(`no tool ${name}`)
  return found.run(args, signal)
}

/** Waits until a look says yes. */
export async function until(look: () => boolean): Promise<void> {
  await expect.poll(look).toBe(true)
}

/** Whether a process is there and is more than a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return !fs.existsSync('/proc')
  }
}
