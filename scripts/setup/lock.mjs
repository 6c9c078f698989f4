import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './project.mjs'
import { Fault, say } from './words.mjs'

const pollMs = 50

/**
 * Runs `work` while no other process of this project runs work of the same name; waits for its turn.
 *
 * The lock is a file that names its process. One whose process is gone is taken over, so that a killed set-up blocks nobody.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [folder]
 * @returns {Promise<T>}
 */
export async function withLock(name, work, folder = path.join(root, 'out')) {
  const file = path.join(folder, `.${name}.lock`)
  const mine = `${folder}${path.sep}.${name}.${process.pid}.${randomUUID()}`
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(mine, JSON.stringify(identity(process.pid)))
  } catch (error) {
    throw new Fault(`Cannot write to ${folder}: ${/** @type {Error} */ (error).message}`)
  }
  try {
    await take(file, mine, name)
    try {
      return await work()
    } finally {
      fs.rmSync(file, { force: true })
    }
  } finally {
    fs.rmSync(mine, { force: true })
  }
}

/**
 * @param {string} file
 * @param {string} mine
 * @param {string} name
 */
async function take(file, mine, name) {
  let told = false
  while (!created(file, mine) && !tookOver(file, mine)) {
    if (!told) say(`Another ${name} is running here; waiting for it to end.`)
    told = true
    await sleep(pollMs)
  }
}

/**
 * A link appears with its content, all at once or not at all: nobody reads a lock without a name in it.
 * @param {string} file
 * @param {string} mine
 */
function created(file, mine) {
  try {
    fs.linkSync(mine, file)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Takes a dead process's lock. The guard lets one process at a time look and replace: looking and replacing without it
 * lets two believe that they have taken the same dead lock.
 * @param {string} file
 * @param {string} mine
 */
function tookOver(file, mine) {
  if (isHeld(file)) return false
  const guard = `${file}.takeover`
  if (!created(guard, mine)) {
    // Its holder died in the microseconds in which it holds it.
    if (!isHeld(guard)) fs.rmSync(guard, { force: true })
    return false
  }
  try {
    if (isHeld(file)) return false
    const copy = `${mine}.new`
    fs.copyFileSync(mine, copy)
    fs.renameSync(copy, file)
    return true
  } finally {
    fs.rmSync(guard, { force: true })
  }
}

/**
 * A missing file counts as held: it was given back a moment ago, and the next try creates it.
 * @param {string} file
 */
function isHeld(file) {
  try {
    const holder = JSON.parse(fs.readFileSync(file, 'utf8'))
    const now = identity(holder.pid)
    return now.started !== undefined ? now.started === holder.started : isAlive(holder.pid)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT'
  }
}

/**
 * A process by its number and its start: numbers are used again. The start is told by Linux alone.
 * @param {number} pid
 * @returns {{ pid: number, started: string | undefined }}
 */
function identity(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the command in brackets and may hold spaces. The third is the state, the 22nd the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, started: fields[0] === 'Z' ? 'ended' : fields[19] }
  } catch {
    return { pid, started: undefined }
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
