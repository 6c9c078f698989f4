#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { fallbackRuntime, hasFallback } from './electron/fallback.mjs'
import * as own from './electron/package.mjs'
import { probe } from './electron/probe.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { readStamp, writeStamp } from './setup/fingerprint.mjs'
import { withLock } from './setup/lock.mjs'
import { checkNode, root } from './setup/project.mjs'
import { ensureSystem } from './setup/system.mjs'
import { Fault, runScript, say } from './setup/words.mjs'

/**
 * An Electron that was seen to run.
 * @typedef {object} Runtime
 * @property {string} executable
 * @property {string} version
 */

/** Finding of the last time: goes with node_modules, so a new install looks again. */
const recordFile = path.join(root, 'node_modules', '.skein-electron')

const weekMs = 7 * 24 * 60 * 60 * 1000
const answerMs = 4_000
const downloadMs = 300_000

/**
 * Finds or makes an Electron that runs here, and serves it as `require('electron')`.
 *
 * In this order: `ELECTRON_EXEC_PATH`; what node_modules/electron has; the package's own download, where its host
 * answers; the pinned older runtime. With the older one in use the download is tried again once a week.
 * `SKEIN_ELECTRON=package` or `=fallback` leaves no choice.
 * The system's libraries are seen to before an executable is run: one that lacks them looks like a broken one.
 * @param {Omit<import('./setup/system.mjs').Needs, 'electron'>} [needs] what else the command needs, so that all is named at once
 * @returns {Promise<Runtime>}
 */
export async function ensureElectron(needs = {}) {
  const forced = process.env.ELECTRON_EXEC_PATH
  if (forced) return ready(path.resolve(forced), needs)
  const known = recall()
  if (known !== undefined) {
    await ensureSystem({ ...needs, electron: known.executable })
    return known
  }
  return withLock('set-up', async () => {
    const runtime = recall() ?? (await obtain(needs))
    await ensureSystem({ ...needs, electron: runtime.executable })
    return runtime
  })
}

/**
 * @param {Omit<import('./setup/system.mjs').Needs, 'electron'>} needs
 * @returns {Promise<Runtime>}
 */
async function obtain(needs) {
  const wanted = process.env.SKEIN_ELECTRON
  const version = own.packageVersion()
  const runtime = wanted === 'fallback' ? undefined : await obtainPackage(needs)
  if (runtime !== undefined) return remember(runtime)
  if (wanted === 'package')
    throw new Fault(
      `Electron ${version} cannot be downloaded here, and SKEIN_ELECTRON=package allows no other.`,
    )
  if (!hasFallback())
    throw new Fault(
      `Electron ${version} cannot be downloaded here, and there is no other for this system. ` +
        'Set ELECTRON_EXEC_PATH to one of your own, or ELECTRON_MIRROR to a host that answers.',
    )
  const older = await ready(await fallbackRuntime(), needs)
  own.link(older.executable)
  say(`Electron ${version} cannot be downloaded here; using ${older.version}.`)
  return remember(older)
}

/**
 * The Electron that package.json names: what is there, else its download.
 * @param {Omit<import('./setup/system.mjs').Needs, 'electron'>} needs
 * @returns {Promise<Runtime | undefined>}
 */
async function obtainPackage(needs) {
  const present = own.isLinked() ? undefined : own.packageExecutable()
  if (present !== undefined) {
    const runtime = await ready(present, needs).catch(tellFault)
    if (runtime !== undefined) return runtime
  }
  if (!(await own.hostAnswers(answerMs))) return undefined
  say(`Downloading Electron ${own.packageVersion()} …`)
  const executable = await own.download(downloadMs)
  return executable === undefined ? undefined : ready(executable, needs)
}

/**
 * @param {string} executable
 * @param {Omit<import('./setup/system.mjs').Needs, 'electron'>} needs
 * @returns {Promise<Runtime>}
 */
async function ready(executable, needs) {
  await ensureSystem({ ...needs, electron: executable })
  const answer = await probe(executable)
  if ('version' in answer) return { executable, version: answer.version }
  throw new BrokenElectron(`The Electron at ${executable} does not run: ${answer.problem}`)
}

/** Has what it needs of the system and does not run all the same. */
class BrokenElectron extends Fault {}

/**
 * A broken download is fetched again; a system that lacks something is a reason to stop.
 * @param {unknown} error
 */
function tellFault(error) {
  if (!(error instanceof BrokenElectron)) throw error
  say(error.message)
  return undefined
}

/** Reads the finding of the last time, where it still stands and nothing asks to look again. */
function recall() {
  const record = parseRecord(readStamp(recordFile))
  if (record === undefined || record.executable !== own.packageExecutable()) return undefined
  const stat = fs.statSync(record.executable)
  if (stat.size !== record.size || stat.mtimeMs !== record.mtimeMs) return undefined
  const wanted = process.env.SKEIN_ELECTRON
  if (wanted === 'package' && record.linked) return undefined
  if (wanted === 'fallback' && !record.linked) return undefined
  const isOld = record.linked && Math.abs(Date.now() - record.triedAtMs) > weekMs
  if (isOld && wanted !== 'fallback') return undefined
  return { executable: record.executable, version: record.version }
}

/** @param {Runtime} runtime */
function remember(runtime) {
  const { size, mtimeMs } = fs.statSync(runtime.executable)
  const record = { ...runtime, size, mtimeMs, linked: own.isLinked(), triedAtMs: Date.now() }
  writeStamp(recordFile, `${JSON.stringify(record)}\n`)
  return runtime
}

/**
 * @param {string | undefined} text
 * @returns {(Runtime & { size: number, mtimeMs: number, linked: boolean, triedAtMs: number }) | undefined}
 */
function parseRecord(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

if (import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1] ?? '.')).href)
  await runScript(async () => {
    checkNode()
    await ensureDependencies()
    const runtime = await ensureElectron()
    console.log(process.argv.includes('--json') ? JSON.stringify(runtime) : runtime.executable)
    return 0
  })
