import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { newPerson } from '../../../scripts/electron/environment.mjs'
import { type Launched, launchApp } from '../../../scripts/electron/launch.mjs'
import { isRoot } from '../../../scripts/setup/project.mjs'
import { electronPath } from './app'
import { ownDisplay } from './own-display'

/** Debian's `nobody`: owns nothing and may nothing. */
const nobody = 65534

const gateFile = 'scripts/electron/gate.cjs'
const root = path.resolve(import.meta.dirname, '../../..')

/**
 * Starts Skein with Chromium's sandbox on, as an ordinary user would: root has none.
 *
 * Run by root it becomes `nobody`; run by anybody else it stays that person. The app and its runtime are copied to where
 * that user can read them, since a checkout and a cache may lie in root's own folder.
 */
export async function launchAsOrdinaryUser(args: readonly string[]): Promise<Launched> {
  const person = newPerson(ownDisplay())
  onTestFinished(person.remove)
  const executable = isRoot() ? asNobody(copyRuntime(), person.folder) : electronPath()
  const folder = isRoot() ? copyApp() : root
  const launched = await launchApp({
    executable,
    args,
    env: person.env,
    sandbox: true,
    folder,
    gate: path.join(folder, gateFile),
  })
  onTestFinished(launched.close)
  return launched
}

/** An executable that runs the given one as `nobody`, who also gets the home folder. */
function asNobody(executable: string, home: string): string {
  execFileSync('chown', ['-R', `${nobody}:${nobody}`, home])
  const file = path.join(readableFolder(), 'electron-as-nobody')
  const who = `--reuid=${nobody} --regid=${nobody} --clear-groups`
  fs.writeFileSync(file, `#!/bin/sh\nexec setpriv ${who} -- '${executable}' "$@"\n`, {
    mode: 0o755,
  })
  return file
}

function copyRuntime(): string {
  const folder = readableFolder()
  const executable = fs.realpathSync(electronPath())
  fs.cpSync(path.dirname(executable), folder, { recursive: true })
  // Where the kernel lets nobody but root make namespaces, Chromium makes them by this helper.
  fs.chmodSync(path.join(folder, 'chrome-sandbox'), 0o4755)
  return path.join(folder, path.basename(executable))
}

/** What a packed app consists of, and what holds it back until it is driven. */
function copyApp(): string {
  const folder = readableFolder()
  const parts = ['package.json', 'out/main', 'out/preload', 'out/renderer', 'resources']
  for (const name of [...parts, gateFile])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  execFileSync('chmod', ['-R', 'a+rX', folder])
  return folder
}

function readableFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-'))
  fs.chmodSync(folder, 0o755)
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** How the kernel holds a process: the marks of Chromium's sandbox. */
export function confinement(pid: number): {
  readonly user: number
  readonly namespaces: Readonly<Record<string, string>>
  readonly filtersSystemCalls: boolean
  readonly canGainPrivileges: boolean
} {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]
  const kinds = ['pid', 'net'] as const
  return {
    user: Number(field('Uid')),
    namespaces: Object.fromEntries(
      kinds.map((kind) => [kind, fs.readlinkSync(`/proc/${pid}/ns/${kind}`)]),
    ),
    filtersSystemCalls: field('Seccomp') === '2',
    canGainPrivileges: field('NoNewPrivs') === '0',
  }
}
